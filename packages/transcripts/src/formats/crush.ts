import { basename, dirname, resolve } from 'node:path'
import type { DatabaseFormat, Sink } from '../format.js'
import { argsOf, isObject, type Json, listOf, numberOf, objectOf, textOf, timeOf } from '../json.js'
import type { Machine } from '../location.js'
import { kindOfStop, setOutcome } from '../outcome.js'
import { parse } from '../partial-json.js'
import { requestIn } from '../person.js'
import { emitTotal, spent } from '../spent.js'
import { groupRows, sortRows } from '../sqlite/groups.js'
import { type Emit, stamp } from '../stamp.js'
import type { Run } from '../transcript.js'

/** Crush: the database of a project, with all its sessions. */
export const crush: DatabaseFormat = {
  name: 'crush',
  title: 'Crush',
  stage: 'stable',
  container: 'database',
  detect: (tables) => ['sessions', 'messages', 'files'].every((name) => tables.includes(name)),
  locations: (machine) => {
    const data = dataFolder(machine)
    return [
      { path: data, files: /^crush\.db$/, depth: 0 },
      {
        path: machine.join(data, 'projects.json'),
        files: /\.json$/,
        depth: 0,
        // it lists the projects, each of which has a folder for its data
        listed: (content) =>
          listOf(objectOf(parse(content)).projects).flatMap((project) => {
            const folder = textOf(objectOf(project).data_dir)
            return folder ? [machine.join(folder, 'crush.db')] : []
          }),
      },
    ]
  },

  *rows(database) {
    const sessions = database.table('sessions', SESSION)
    // rows of the same second stand in the order in which they were added
    const messages = groupRows(database.table('messages', MESSAGE), 'session_id', ['created_at'])
    for (const session of sortRows(sessions, ['created_at', 'id'])) {
      yield session
      if ('value' in session) yield* messages.take(session.value.id)
    }
    yield* messages.rest('a message without a session')
  },

  start: (sink, path) => ({ read: createReader(sink, projectOf(path)) }),
}

const SESSION = ['id', 'parent_session_id', 'cost', 'created_at']
const MESSAGE = ['id', 'session_id', 'role', 'parts', 'model', 'created_at', 'is_summary_message']

function dataFolder({ env, platform, home, data, join }: Machine): string {
  if (env.CRUSH_GLOBAL_DATA) return env.CRUSH_GLOBAL_DATA
  if (platform !== 'win32' || env.XDG_DATA_HOME) return join(data, 'crush')
  return join(env.LOCALAPPDATA || join(home, 'AppData', 'Local'), 'crush')
}

/** The folder that a project keeps its `.crush` in. */
function projectOf(path: string): string | undefined {
  const folder = dirname(resolve(path))
  return basename(folder) === '.crush' ? dirname(folder) : undefined
}

function createReader(sink: Sink, project: string | undefined) {
  let run: Run | undefined

  function startRun(row: Json): void {
    const session = textOf(row.id)
    const parent = textOf(row.parent_session_id)
    const startedAt = timeOf(row.created_at)
    run = sink.run({
      program: 'crush',
      ...(session && { session }),
      ...(project && { project }),
      ...(startedAt !== undefined && { startedAt }),
      ...(parent && session && { parent, agent: session }),
    })
    const cost = numberOf(row.cost) ?? 0
    // what a sub-agent costs is part of what its parent does
    if (parent || cost <= 0) return
    emitTotal(stamp(sink, run, startedAt), { ...spent(0, 0, 0), cost })
  }

  return function read(row: Json): string | undefined {
    if (!('role' in row)) return void startRun(row)
    const parts = parse(textOf(row.parts) ?? '')
    if (!Array.isArray(parts)) return 'a message without its parts'
    run ??= sink.run({ program: 'crush' })
    const emit = stamp(sink, run, timeOf(row.created_at), run.agent)
    if (row.is_summary_message === 1) return void emit({ type: 'compaction' })
    readMessage(run, row, parts.filter(isObject), emit)
  }
}

function readMessage(run: Run, row: Json, parts: readonly Json[], emit: Emit): void {
  const model = textOf(row.model)
  if (row.role === 'assistant') {
    if (model) run.model = model
    emit({ type: 'turn-start' })
  }
  for (const part of parts) emitPart(run, part.type, objectOf(part.data), row.role, emit)
  if (row.role !== 'user') return
  const texts = parts.filter(({ type, data }) => type === 'text' && objectOf(data).hidden !== true)
  const text = requestIn(texts.map(({ data }) => objectOf(data)))
  if (text === undefined) return
  setOutcome(run, undefined)
  emit({ type: 'prompt', text })
}

function emitPart(run: Run, type: unknown, data: Json, role: unknown, emit: Emit): void {
  const id = textOf(data.id) ?? textOf(data.tool_call_id)
  const name = textOf(data.name)
  if (type === 'tool_result') {
    return emit({
      type: 'tool-result',
      output: data.content,
      isError: data.is_error === true,
      ...(id && { id }),
      ...(name && { name }),
    })
  }
  if (role !== 'assistant') return
  if (type === 'text' && textOf(data.text)) emit({ type: 'text', text: data.text as string })
  if (type === 'reasoning' && textOf(data.thinking)) {
    emit({ type: 'reasoning', text: data.thinking as string })
  }
  if (type === 'tool_call' && name) {
    emit({ type: 'tool-call', name, args: argsOf(data.input), ...(id && { id }) })
  }
  if (type !== 'finish') return
  const kind = data.reason === 'canceled' ? 'aborted' : kindOfStop(data.reason)
  setOutcome(run, data.reason === 'content_filter' ? 'failed' : kind, textOf(data.reason))
}
