import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { storageOf } from '../beside.js'
import type { DatabaseFormat, FolderFormat, RecordFormat } from '../format.js'
import { isObject, type Json, listOf, objectOf, textOf } from '../json.js'
import { parse } from '../partial-json.js'
import { groupRows, sortRows } from '../sqlite/groups.js'
import type { Row } from '../sqlite/table.js'
import { createOpencodeReader } from './opencode-parts.js'

/** opencode: its database, with all sessions in it. */
export const opencode: DatabaseFormat = {
  name: 'opencode',
  title: 'opencode',
  stage: 'stable',
  container: 'database',
  detect: (tables) => ['session', 'message', 'part'].every((name) => tables.includes(name)),
  locations: ({ env, data, join }) => [
    { path: join(data, 'opencode'), files: /^opencode.*\.db$/, depth: 0 },
    { path: join(data, 'opencode', 'storage', 'session'), files: /\.json$/, depth: 1 },
    ...(env.OPENCODE_DB ? [{ path: env.OPENCODE_DB, files: /\.db$/, depth: 0 }] : []),
    // Kilo Code is a fork that kept the tables
    { program: 'kilo-code', path: join(data, 'kilo'), files: /^kilo.*\.db$/, depth: 0 },
  ],

  *rows(database) {
    const sessions = database.table('session', SESSION)
    const messages = groupRows(database.table('message', MESSAGE), 'session_id', BY_TIME)
    const parts = groupRows(database.table('part', ['id', 'message_id', 'data']), 'message_id', [
      'id',
    ])
    for (const session of sortRows(sessions, BY_TIME)) {
      yield session
      for (const message of messages.take(idOf(session))) {
        const id = idOf(message)
        yield recordOf(message, { id })
        for (const part of parts.take(id)) yield recordOf(part, { id: idOf(part), messageID: id })
      }
    }
    yield* messages.rest('a message without a session')
    yield* parts.rest('a part without a message')
  },

  start: (sink, path) => ({
    read: createOpencodeReader(sink, basename(path).startsWith('kilo') ? 'kilo-code' : 'opencode'),
  }),
}

const SESSION = ['id', 'project_id', 'parent_id', 'directory', 'time_created']
const MESSAGE = ['id', 'session_id', 'time_created', 'data']
const BY_TIME = ['time_created', 'id']

/** opencode before it had a database: a file for each session, message and part. */
export const opencodeTree: FolderFormat = {
  name: 'opencode-tree',
  title: 'opencode files',
  stage: 'stable',
  container: 'folder',
  detect: (names) => ['session', 'message', 'part'].every((name) => names.includes(name)),
  detectFile: ({ records, layout }) => layout !== 'lines' && records.some(isSession),

  async *files(path) {
    const isFolder = (await stat(path)).isDirectory()
    const storage = isFolder ? path : storageOf(path)
    const sessions = isFolder ? sessionsIn(join(path, 'session')) : [path]
    for await (const session of sessions) {
      yield session
      const id = basename(session, '.json')
      for (const message of await namesIn(join(storage, 'message', id))) {
        yield join(storage, 'message', id, message)
        const folder = join(storage, 'part', basename(message, '.json'))
        for (const part of await namesIn(folder)) yield join(folder, part)
      }
    }
  },

  start: (sink) => ({ read: createOpencodeReader(sink) }),
}

/** What `opencode export` writes. */
export const opencodeExport: RecordFormat = {
  name: 'opencode-export',
  title: 'opencode export',
  stage: 'stable',
  container: 'records',
  layouts: ['document'],
  detect: ({ records, isArray }) =>
    !isArray &&
    records.some(({ info, messages }) => isSession(objectOf(info)) && Array.isArray(messages)),
  start(sink) {
    const read = createOpencodeReader(sink)
    return {
      read(record, key) {
        if (key === 'info') return read(record)
        if (key !== 'messages') return
        const reason = read(objectOf(record.info))
        if (reason !== undefined) return reason
        for (const part of listOf(record.parts).filter(isObject)) read({ messageID: '', ...part })
      },
    }
  },
}

const isSession = (record: Json) =>
  (textOf(record.projectID) !== undefined || textOf(record.directory) !== undefined) &&
  textOf(record.id)?.startsWith('ses') === true

const idOf = (row: Row) => ('value' in row ? row.value.id : undefined)

/** What a row says in its JSON, together with its columns. */
function recordOf(row: Row, columns: Json): Row {
  if (!('value' in row)) return row
  const { value, bytes } = row
  const said = typeof value.data === 'string' ? parse(value.data) : undefined
  return isObject(said)
    ? { value: { ...said, ...columns }, bytes }
    : { reason: 'not a JSON object' }
}

/** The JSON files of a folder, in the order of their names, which is that of time; none if it is not there. */
async function namesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => [])
  return names.filter((name) => name.endsWith('.json')).sort()
}

async function* sessionsIn(folder: string): AsyncGenerator<string> {
  for (const project of (await readdir(folder)).sort()) {
    for (const name of await namesIn(join(folder, project))) yield join(folder, project, name)
  }
}
