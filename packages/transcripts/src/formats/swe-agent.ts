import type { Reader, RecordFormat, Sink } from '../format.js'
import { isObject, type Json, listOf, numberOf, objectOf, textOf } from '../json.js'
import { setOutcome } from '../outcome.js'
import { emitSpent, spent } from '../spent.js'
import { stamp } from '../stamp.js'
import type { Outcome } from '../transcript.js'

/** SWE-agent: a `.traj` document, each step of which is a thought, a command line and what it printed. */
export const sweAgent: RecordFormat = {
  name: 'swe-agent',
  title: 'SWE-agent',
  stage: 'stable',
  container: 'records',
  layouts: ['document', 'lines'],
  detect: ({ records, isArray }) =>
    !isArray && records.some(({ trajectory }) => listOf(trajectory).some(isStep)),
  start: createReader,
}

const isStep = (value: unknown) =>
  isObject(value) && typeof value.action === 'string' && 'observation' in value

function createReader(sink: Sink): Reader {
  let teller = createTeller(sink)

  function read(record: Json, key: string): string | undefined {
    // a document that stands on one line
    if (key === '' && Array.isArray(record.trajectory)) {
      teller = createTeller(sink)
      for (const step of record.trajectory) if (isObject(step)) teller.take(step)
      if (isObject(record.info)) teller.learn(record.info)
      return teller.end()
    }
    if (key === 'info') return teller.learn(record)
    if (key !== 'trajectory') return
    return isStep(record) ? teller.take(record) : 'not a step'
  }

  return { read, end: () => teller.end() }
}

function createTeller(sink: Sink) {
  const run = sink.run({ program: 'swe-agent' })
  const emit = stamp(sink, run, undefined)
  let steps = 0
  let stats: Json = {}

  function take(step: Json): undefined {
    // the request stands in the history, which may come after the steps
    if (steps === 0) emit({ type: 'prompt' })
    if (isExit(step)) return
    emit({ type: 'turn-start' })
    const thought = typeof step.thought === 'string' ? step.thought : step.response
    if (textOf(thought)) emit({ type: 'text', text: thought as string })
    // an answer without a command is refused, and the refusal is what comes back
    const action = (step.action as string).trim()
    const id = `step-${++steps}`
    emit({ type: 'tool-call', id, name: nameOf(action), args: { command: action } })
    emit({ type: 'tool-result', id, output: step.observation })
  }

  function learn({ exit_status: status, model_stats }: Json): undefined {
    if (textOf(status)) setOutcome(run, kindOf(status as string), status as string)
    stats = objectOf(model_stats)
  }

  /** Tokens and dollars are recorded for the whole run only; the facts may stand before the steps or behind them. */
  function end(): undefined {
    const tokens = spent(stats.tokens_sent, 0, stats.tokens_received)
    const cost = numberOf(stats.total_cost) ?? numberOf(stats.instance_cost)
    emitSpent(emit, { ...tokens, ...(cost !== undefined && cost > 0 && { cost }) })
    stats = {}
  }

  return { take, learn, end }
}

/** The last step may be a note of the program about why it gave up. */
const isExit = ({ action, response, thought }: Json) =>
  !textOf(response) &&
  (action as string).length < 40 &&
  (/^\s*exit_\w+\s*$/.test(action as string) ||
    ((action as string).trim() === '' && typeof thought === 'string' && thought.startsWith('Exit')))

/** What was submitted when the program gave up is not what the model wanted to submit. */
function kindOf(status: string): Outcome['kind'] {
  // `exit_command`: the model ended it with a command of its own
  if (status === 'submitted' || status === 'exit_command') return 'finished'
  if (/exit_(?:cost|context|total_execution_time|command_timeout)/.test(status)) return 'limit'
  return status === 'skipped' ? 'aborted' : 'failed'
}

/** The first word of a command line: the agent's own commands are called that way. */
const nameOf = (command: string) => /^[\w.-]{1,40}/.exec(command)?.[0] ?? 'bash'
