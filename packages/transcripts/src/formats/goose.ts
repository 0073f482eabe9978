import { basename } from 'node:path'
import type { DatabaseFormat, RecordFormat, Sink } from '../format.js'
import { createGooseTeller, gooseSpent, startGooseRun } from '../goose-message.js'
import { isObject, type Json, listOf, numberOf, objectOf, textOf, timeOf } from '../json.js'
import type { Machine } from '../location.js'
import { parse } from '../partial-json.js'
import { emitSpent } from '../spent.js'
import type { Database } from '../sqlite/database.js'
import { type Groups, groupRows, sortRows } from '../sqlite/groups.js'
import type { Row } from '../sqlite/table.js'
import { stamp } from '../stamp.js'
import type { Run } from '../transcript.js'

/** goose: its database, with all sessions in it. */
export const goose: DatabaseFormat = {
  name: 'goose',
  title: 'goose',
  stage: 'stable',
  container: 'database',
  detect: (tables) => tables.includes('sessions') && tables.includes('messages'),
  locations: (machine) =>
    sessionFolders(machine).map((path) => ({ path, files: /^sessions\.db$/, depth: 0 })),

  *rows(database) {
    const sessions = database.table('sessions', SESSION)
    const messages = groupRows(database.table('messages', MESSAGE), 'session_id', BY_TIME)
    const ledger = ledgerIn(database)
    for (const session of sortRows(sessions, ['created_at', 'id'])) {
      if (!('value' in session)) {
        yield session
        continue
      }
      const { id } = session.value
      const used = ledger?.take(id)
      const first = used?.next()
      yield first?.value ? withoutTotals(session) : session
      yield* merge(messages.take(id), used, first?.value || undefined)
    }
    yield* messages.rest('a message without a session')
    yield* ledger?.rest('usage without a session') ?? []
  },

  start: (sink) => ({ read: createReader(sink) }),
}

/** goose before it had a database, a file of lines for each session; and what `goose session export` writes. */
export const gooseLines: RecordFormat = {
  name: 'goose-lines',
  title: 'goose files',
  stage: 'stable',
  container: 'records',
  layouts: ['lines', 'document'],
  detect: ({ records }) => records.some((record) => isAbout(record) || isMessage(record)),
  locations: (machine) =>
    sessionFolders(machine).map((path) => ({
      program: 'goose',
      path,
      files: /^[^/]+\.jsonl$/,
      depth: 0,
    })),

  start(sink, path) {
    const facts: Json = {}
    const tell = createGooseTeller()
    let run: Run | undefined

    function begin(about: Json): Run {
      const started = startGooseRun(sink, about, textOf(about.id) ?? basename(path, '.jsonl'))
      const at = started.startedAt
      emitSpent(stamp(sink, started, at), gooseSpent(about, TOTAL), undefined, started.model)
      return started
    }

    return {
      read(record, key) {
        if (key === '' && run === undefined && isAbout(record)) {
          run = begin(record)
          return
        }
        if (key !== '' && key !== 'conversation' && key !== 'messages') {
          facts[key === 'model_config' ? 'model_config_json' : key] = record
          return
        }
        if (record.role !== 'user' && record.role !== 'assistant') return 'not a message'
        run ??= begin(facts)
        const at = timeOf(record.created)
        if (at !== undefined) run.startedAt ??= at
        const parts = listOf(record.content).filter(isObject)
        tell(record.role, parts, isShown(record.metadata), stamp(sink, run, at, run.agent))
      },
      learn(key, value) {
        facts[key] = value
      },
    }
  },
}

const TOTAL = 'accumulated_'
const COUNTS = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens', 'cost']
const SESSION = [
  ...['id', 'working_dir', 'created_at', 'session_type', 'parent_session_id', 'model_config_json'],
  ...COUNTS.map((name) => `${TOTAL}${name}`),
]
const MESSAGE = [
  ...['id', 'session_id', 'role', 'content_json'],
  ...['created_timestamp', 'timestamp', 'metadata_json'],
]
const LEDGER = ['id', 'session_id', 'created_timestamp', 'model', 'is_compaction', ...COUNTS]
const BY_TIME = ['created_timestamp', 'id']

function sessionFolders({ env, platform, home, data, roaming, join }: Machine): string[] {
  if (env.GOOSE_PATH_ROOT) return [join(env.GOOSE_PATH_ROOT, 'data', 'sessions')]
  if (platform === 'win32') return [join(roaming, 'Block', 'goose', 'data', 'sessions')]
  const folders = [join(data, 'goose', 'sessions')]
  const library = join(home, 'Library', 'Application Support', 'Block', 'goose', 'sessions')
  return platform === 'darwin' ? [...folders, library] : folders
}

/** What each answer took; older databases have only the sum of a session. */
const ledgerIn = (database: Database): Groups | undefined =>
  database.names.includes('usage_ledger')
    ? groupRows(database.table('usage_ledger', LEDGER), 'session_id', BY_TIME)
    : undefined

const markUsage = (row: Row): Row =>
  'value' in row ? { ...row, value: { ...row.value, usage: true } } : row

function withoutTotals(row: Row): Row {
  if (!('value' in row)) return row
  const kept = Object.entries(row.value).filter(([name]) => !name.startsWith(TOTAL))
  return { ...row, value: Object.fromEntries(kept) }
}

/** What was used stands behind the messages of its second. */
function* merge(
  messages: Iterable<Row>,
  used: Iterator<Row, void> | undefined,
  first: Row | undefined,
): Generator<Row> {
  const timeIn = (row: Row) =>
    'value' in row ? (numberOf(row.value.created_timestamp) ?? 0) : Number.POSITIVE_INFINITY
  let next = first
  for (const message of messages) {
    for (; next && timeIn(next) < timeIn(message); next = used?.next().value || undefined)
      yield markUsage(next)
    yield message
  }
  for (; next; next = used?.next().value || undefined) yield markUsage(next)
}

function createReader(sink: Sink) {
  let run: Run | undefined
  let tell = createGooseTeller()

  return function read(row: Json): undefined {
    const isUsage = row.usage === true
    if (!('role' in row) && !isUsage) {
      tell = createGooseTeller()
      run = startGooseRun(sink, row)
      const emit = stamp(sink, run, run.startedAt, run.agent)
      return void emitSpent(emit, gooseSpent(row, TOTAL), undefined, run.model)
    }
    run ??= sink.run({ program: 'goose' })
    const emit = stamp(sink, run, timeOf(row.created_timestamp ?? row.timestamp), run.agent)
    if (isUsage) {
      if (row.is_compaction === 1) emit({ type: 'compaction' })
      return void emitSpent(emit, gooseSpent(row), undefined, textOf(row.model) ?? run.model)
    }
    const parts = listOf(parse(textOf(row.content_json) ?? '')).filter(isObject)
    tell(row.role, parts, isShown(parse(textOf(row.metadata_json) ?? '')), emit)
  }
}

const isShown = (metadata: unknown) => objectOf(metadata).userVisible !== false

const isAbout = ({ working_dir, description, message_count, conversation, created_at }: Json) =>
  typeof working_dir === 'string' &&
  ((typeof description === 'string' && numberOf(message_count) !== undefined) ||
    (Array.isArray(conversation) && created_at !== undefined))

const isMessage = ({ role, created, content }: Json) =>
  (role === 'user' || role === 'assistant') &&
  numberOf(created) !== undefined &&
  listOf(content).some((part) => {
    const { type } = objectOf(part)
    return type === 'toolRequest' || type === 'toolResponse'
  })
