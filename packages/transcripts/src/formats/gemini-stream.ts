import type { Reader, RecordFormat, Sink } from '../format.js'
import { type Json, objectOf, textOf, timeOf } from '../json.js'
import { setOutcome } from '../outcome.js'
import { requestOf } from '../person.js'
import { emitSpent, type Spent, spent, sum } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Run } from '../transcript.js'

/** Gemini CLI without a terminal: what `gemini -p … --output-format stream-json` prints. */
export const geminiStream: RecordFormat = {
  name: 'gemini-stream',
  title: 'Gemini CLI stream',
  stage: 'stable',
  container: 'records',
  layouts: ['lines'],
  isPrinted: true,
  detect: ({ records }) => records.some(isOurs),
  start: createReader,
}

const isOurs = ({ type, session_id, model, tool_name, tool_id, timestamp }: Json) =>
  textOf(timestamp) !== undefined &&
  ((type === 'init' && textOf(session_id) !== undefined && textOf(model) !== undefined) ||
    (type === 'tool_use' && textOf(tool_name) !== undefined && textOf(tool_id) !== undefined))

function createReader(sink: Sink): Reader {
  const run: Run = sink.run({ program: 'gemini-cli' })
  // that the model is asked again is not told: its words or calls after an answer show it
  let isAsked = false

  function answer(emit: Emit): void {
    if (!isAsked) emit({ type: 'turn-start' })
    isAsked = true
  }

  function readMessage(line: Json, emit: Emit): void {
    const text = textOf(line.content)
    if (text === undefined) return
    if (line.role === 'assistant') {
      answer(emit)
      return emit({ type: 'text', text })
    }
    const request = line.role === 'user' ? requestOf(text) : undefined
    if (request !== undefined) emit({ type: 'prompt', text: request })
  }

  return {
    read(line) {
      learn(run, line)
      const emit = stamp(sink, run, timeOf(line.timestamp))
      const id = textOf(line.tool_id)
      switch (line.type) {
        case 'message':
          setOutcome(run, undefined)
          return void readMessage(line, emit)
        case 'tool_use': {
          const name = textOf(line.tool_name)
          if (name === undefined) return 'a call without a name'
          answer(emit)
          return void emit({ type: 'tool-call', name, args: line.parameters, ...(id && { id }) })
        }
        case 'tool_result': {
          isAsked = false
          const output = line.output ?? objectOf(line.error).message
          const isError = line.status === 'error'
          return void emit({ type: 'tool-result', output, isError, ...(id && { id }) })
        }
        case 'result': {
          const { input_tokens, cached, output_tokens } = objectOf(line.stats)
          const { models } = objectOf(line.stats)
          emitModels(models, spent(input_tokens, cached, output_tokens), run, emit)
          learnOutcome(run, line)
          return void emit({ type: 'turn-end' })
        }
      }
    },
  }
}

/** The tokens of each model that was asked; of all, where it does not say. */
function emitModels(models: unknown, all: Spent, run: Run, emit: Emit): void {
  const told = Object.entries(objectOf(models)).map(([model, usage]) => {
    const { input_tokens, cached, output_tokens } = objectOf(usage)
    return { model, spent: spent(input_tokens, cached, output_tokens) }
  })
  const sums = told.map(({ spent }) => spent).reduce(sum, NOTHING)
  if (told.length === 0 || sums.input !== all.input || sums.output !== all.output)
    return emitSpent(emit, all, undefined, run.model)
  for (const { model, spent } of told) emitSpent(emit, spent, undefined, model)
}

const NOTHING: Spent = { input: 0, cached: 0, output: 0 }

/** `FatalTurnLimitedError` and the like tell why. */
function learnOutcome(run: Run, { status, error }: Json): void {
  const type = textOf(objectOf(error).type) ?? textOf(status) ?? 'result'
  if (status === 'success') return setOutcome(run, 'finished', 'success')
  const isAborted = /Cancel|Abort|Interrupt/i.test(type.slice(0, 200))
  const isLimit = /Limit|Quota|MaxSession|MAX_TURNS/i.test(type.slice(0, 200))
  setOutcome(run, isAborted ? 'aborted' : isLimit ? 'limit' : 'failed', type)
}

function learn(run: Run, line: Json): void {
  const at = timeOf(line.timestamp)
  if (at !== undefined) run.startedAt ??= at
  if (line.type !== 'init') return
  const session = textOf(line.session_id)
  if (session) run.session = session
  const model = textOf(line.model)
  if (model) run.model = model
}
