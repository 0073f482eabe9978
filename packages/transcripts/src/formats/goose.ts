import { outputOf } from '../anthropic-blocks.js'
import type { DatabaseFormat, Sink } from '../format.js'
import { idOf, isObject, type Json, listOf, objectOf, textOf, timeOf } from '../json.js'
import type { Machine } from '../location.js'
import { parse } from '../partial-json.js'
import { requestIn } from '../person.js'
import { groupRows, sortRows } from '../sqlite/groups.js'
import { type Emit, stamp } from '../stamp.js'
import type { Run } from '../transcript.js'

/** goose: its database, with all sessions in it. */
export const goose: DatabaseFormat = {
  name: 'goose',
  title: 'goose',
  stage: 'experimental',
  container: 'database',
  detect: (tables) => tables.includes('sessions') && tables.includes('messages'),

  locations: (machine) => [{ path: sessionFolder(machine), files: /^sessions\.db$/, depth: 0 }],

  *rows(database) {
    const sessions = database.table('sessions', ['id', 'working_dir', 'created_at'])
    const messages = groupRows(database.table('messages', MESSAGE), 'session_id', ['id'])
    for (const session of sortRows(sessions, ['created_at', 'id'])) {
      yield session
      if ('value' in session) yield* messages.take(session.value.id)
    }
    yield* messages.rest('a message without a session')
  },

  start: (sink) => ({ read: createReader(sink) }),
}

function sessionFolder({ env, platform, data, roaming, join }: Machine): string {
  if (env.GOOSE_PATH_ROOT) return join(env.GOOSE_PATH_ROOT, 'data', 'sessions')
  return platform === 'win32'
    ? join(roaming, 'Block', 'goose', 'data', 'sessions')
    : join(data, 'goose', 'sessions')
}

const MESSAGE = [
  ...['id', 'session_id', 'role', 'content_json'],
  ...['created_timestamp', 'timestamp'],
]

function createReader(sink: Sink) {
  let run: Run | undefined

  return function read(row: Json): undefined {
    if (!('role' in row)) {
      const project = textOf(row.working_dir)
      const startedAt = timeOf(row.created_at)
      const session = idOf(row.id)
      run = sink.run({
        program: 'goose',
        ...(session && { session }),
        ...(project && { project }),
        ...(startedAt !== undefined && { startedAt }),
      })
      return
    }
    run ??= sink.run({ program: 'goose' })
    const emit = stamp(sink, run, timeOf(row.created_timestamp ?? row.timestamp))
    const parts = listOf(parse(textOf(row.content_json) ?? '')).filter(isObject)
    if (row.role === 'assistant') emit({ type: 'turn-start' })
    const hasResponse = parts.map((part) => emitPart(part, row.role, emit)).includes(true)
    if (row.role !== 'user' || hasResponse) return
    const text = requestIn(parts)
    if (text !== undefined) emit({ type: 'prompt', text })
  }
}

/** Tells a part of a message; true if it is the answer of a tool. */
function emitPart(part: Json, role: unknown, emit: Emit): boolean {
  const id = textOf(part.id)
  if (part.type === 'toolResponse') {
    const result = objectOf(part.toolResult)
    const value = objectOf(result.value)
    const isError = result.status === 'error' || value.isError === true
    const output = outputOf(result.error ?? value.content ?? result.value)
    emit({ type: 'tool-result', output, isError, ...(id && { id }) })
    return true
  }
  if (role !== 'assistant') return false
  if (part.type === 'text' && textOf(part.text)) emit({ type: 'text', text: part.text as string })
  if (part.type === 'thinking' && textOf(part.thinking)) {
    emit({ type: 'reasoning', text: part.thinking as string })
  }
  if (part.type === 'toolRequest') {
    const { name, arguments: args } = objectOf(objectOf(part.toolCall).value)
    if (textOf(name)) emit({ type: 'tool-call', name: name as string, args, ...(id && { id }) })
  }
  return false
}
