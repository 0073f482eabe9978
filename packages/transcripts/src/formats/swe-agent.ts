import type { RecordFormat, Sink } from '../format.js'
import { isObject, type Json, listOf, textOf } from '../json.js'
import { stamp } from '../stamp.js'

/** SWE-agent: a `.traj` document, each step of which is a thought, a command line and what it printed. */
export const sweAgent: RecordFormat = {
  name: 'swe-agent',
  title: 'SWE-agent',
  stage: 'stable',
  container: 'records',
  layouts: ['document', 'lines'],
  detect: ({ records, isArray }) =>
    !isArray && records.some(({ trajectory }) => listOf(trajectory).some(isStep)),
  start: (sink) => ({ read: createReader(sink) }),
}

const isStep = (value: unknown) =>
  isObject(value) && typeof value.action === 'string' && 'observation' in value

function createReader(sink: Sink) {
  let takeNext = createTeller(sink)

  return function read(record: Json, key: string): string | undefined {
    // a document that stands on one line
    if (key === '' && Array.isArray(record.trajectory)) {
      takeNext = createTeller(sink)
      for (const step of record.trajectory) if (isObject(step)) takeNext(step)
      return
    }
    if (key !== 'trajectory') return
    return isStep(record) ? takeNext(record) : 'not a step'
  }
}

function createTeller(sink: Sink) {
  const run = sink.run({ program: 'swe-agent' })
  const emit = stamp(sink, run, undefined)
  let steps = 0
  return (step: Json): undefined => {
    // the request stands in the history, which may come after the steps
    if (steps === 0) emit({ type: 'prompt' })
    emit({ type: 'turn-start' })
    const thought = typeof step.thought === 'string' ? step.thought : step.response
    if (textOf(thought)) emit({ type: 'text', text: thought as string })
    // an answer without a command is refused, and the refusal is what comes back
    const action = (step.action as string).trim()
    const id = `step-${++steps}`
    emit({ type: 'tool-call', id, name: nameOf(action), args: { command: action } })
    emit({ type: 'tool-result', id, output: step.observation })
  }
}

/** The first word of a command line: the agent's own commands are called that way. */
const nameOf = (command: string) => /^[\w.-]{1,40}/.exec(command)?.[0] ?? 'bash'
