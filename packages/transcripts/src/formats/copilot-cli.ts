import { outputOf } from '../anthropic-blocks.js'
import type { RecordFormat, Sink } from '../format.js'
import { isObject, type Json, objectOf, textOf, timeOf } from '../json.js'
import { requestOf } from '../person.js'
import { stamp } from '../stamp.js'

/** Copilot CLI: the events of a session. */
export const copilotCli: RecordFormat = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  stage: 'experimental',
  container: 'records',
  layouts: ['lines'],
  detect: ({ records }) => records.some(isOurs),
  locations: ({ env, home, join }) => [
    {
      path: join(env.COPILOT_HOME || join(home, '.copilot'), 'session-state'),
      files: /(?:^|\/)events\.jsonl$/,
      depth: 1,
    },
  ],
  start: (sink) => ({ read: createReader(sink) }),
}

const isOurs = ({ type, data, id }: Json) =>
  typeof type === 'string' &&
  /^(?:session|user|assistant|tool)\.[a-z_]+$/.test(type) &&
  isObject(data) &&
  typeof id === 'string'

function createReader(sink: Sink) {
  const run = sink.run({ program: 'copilot-cli' })

  return function read(line: Json): undefined {
    const data = objectOf(line.data)
    const emit = stamp(sink, run, timeOf(line.timestamp), textOf(data.parentToolCallId))
    switch (line.type) {
      case 'session.start': {
        const at = timeOf(data.startTime)
        const project = textOf(objectOf(data.context).cwd)
        run.session = textOf(data.sessionId) ?? ''
        if (at !== undefined) run.startedAt = at
        if (project) run.project = project
        return
      }
      case 'session.model_change':
        run.model = textOf(data.newModel) ?? ''
        return
      case 'session.compaction_complete':
        emit({ type: 'compaction' })
        return
      case 'user.message': {
        const text = requestOf(textOf(data.content) ?? '')
        if (text !== undefined) emit({ type: 'prompt', text })
        return
      }
      case 'assistant.turn_start':
        emit({ type: 'turn-start' })
        return
      case 'assistant.turn_end':
        emit({ type: 'turn-end' })
        return
      case 'assistant.message': {
        const thought = textOf(data.reasoningText)
        const text = textOf(data.content)
        if (thought) emit({ type: 'reasoning', text: thought })
        if (text) emit({ type: 'text', text })
        return
      }
      case 'tool.execution_start': {
        const name = textOf(data.toolName)
        const id = textOf(data.toolCallId)
        if (name) emit({ type: 'tool-call', name, args: data.arguments, ...(id && { id }) })
        return
      }
      case 'tool.execution_complete': {
        const id = textOf(data.toolCallId)
        const { content } = objectOf(data.result)
        const error = objectOf(data.error).message ?? data.error
        const output = outputOf(
          data.success === false ? (error ?? content) : (content ?? data.result),
        )
        const isError = data.success === false
        emit({ type: 'tool-result', output, isError, ...(id && { id }) })
      }
    }
  }
}
