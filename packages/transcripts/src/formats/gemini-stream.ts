import type { Reader, RecordFormat, Sink } from '../format.js'
import { type Json, objectOf, textOf, timeOf } from '../json.js'
import { requestOf } from '../person.js'
import { emitSpent, spent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Run } from '../transcript.js'

/** Gemini CLI without a terminal: what `gemini -p … --output-format stream-json` prints. */
export const geminiStream: RecordFormat = {
  name: 'gemini-stream',
  title: 'Gemini CLI stream',
  stage: 'stable',
  container: 'records',
  layouts: ['lines'],
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
          emitSpent(emit, spent(input_tokens, cached, output_tokens), undefined, run.model)
          return void emit({ type: 'turn-end' })
        }
      }
    },
  }
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
