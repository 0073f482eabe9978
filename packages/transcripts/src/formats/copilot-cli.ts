import type { Reader, RecordFormat, Sink } from '../format.js'
import { isObject, type Json, textOf, timeOf } from '../json.js'
import { stamp } from '../stamp.js'
import type { Run } from '../transcript.js'
import { createCopilotEvents } from './copilot-events.js'
import { emitChat } from './openai-chat.js'

/** Copilot CLI: the events of a session; the first versions wrote one JSON document. */
export const copilotCli: RecordFormat = {
  name: 'copilot-cli',
  title: 'Copilot CLI',
  stage: 'stable',
  container: 'records',
  layouts: ['lines', 'document'],
  detect: ({ records, isArray }) => !isArray && records.some(isOurs),
  locations: ({ env, home, join }) => {
    const copilot = env.COPILOT_HOME || join(home, '.copilot')
    return [
      {
        path: join(copilot, 'session-state'),
        files: /^(?:[^/]+\/events|[^/]+)\.jsonl$/,
        depth: 1,
      },
      { path: join(copilot, 'history-session-state'), files: /^[^/]+\.jsonl?$/, depth: 0 },
    ]
  },
  start: createReader,
}

function isOurs({ type, data, id, sessionId, chatMessages }: Json): boolean {
  if (Array.isArray(chatMessages)) return textOf(sessionId) !== undefined
  return (
    typeof type === 'string' &&
    /^(?:session|user|assistant|tool)\.[a-z_]+$/.test(type) &&
    isObject(data) &&
    typeof id === 'string'
  )
}

function createReader(sink: Sink): Reader {
  const run: Run = sink.run({ program: 'copilot-cli' })
  const readEvent = createCopilotEvents(sink, run)
  const emit = stamp(sink, run, undefined)

  function learn(key: string, value: unknown): void {
    if (key === 'sessionId') run.session = textOf(value) ?? ''
    const at = key === 'startTime' ? timeOf(value) : undefined
    if (at !== undefined) run.startedAt = at
  }

  return {
    read(record, key) {
      if (key === 'chatMessages') return void emitChat(record, emit)
      if (key !== '') return
      if (!Array.isArray(record.chatMessages)) return void readEvent(record)
      // a document in one line
      for (const [name, value] of Object.entries(record)) learn(name, value)
      for (const message of record.chatMessages.filter(isObject)) emitChat(message, emit)
    },
    learn,
  }
}
