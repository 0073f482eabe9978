import { readdir } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import type { FolderFormat, RecordFormat } from '../format.js'
import type { Json } from '../json.js'
import { readBeside } from '../read-beside.js'
import { readStart } from '../source.js'
import { createOpenhandsReader } from './openhands-events.js'
import { toState } from './openhands-state.js'

const EVENT = /^(?:event-)?(\d+)(?:-.*)?\.json$/
const BESIDE = ['base_state.json', 'metadata.json', 'agent_state.pkl', 'conversation_stats.pkl']

/** OpenHands: a conversation as it is kept, a folder with one file an event. */
export const openhands: FolderFormat = {
  name: 'openhands',
  title: 'OpenHands',
  stage: 'stable',
  container: 'folder',
  locations({ env, home, join }) {
    const folder =
      env.OPENHANDS_PERSISTENCE_DIR || env.OH_PERSISTENCE_DIR || join(home, '.openhands')
    const own = { files: /\/(?:base_state|metadata)\.json$/, depth: 2, isFolder: true } as const
    return [
      { ...own, path: env.OPENHANDS_CONVERSATIONS_DIR || join(folder, 'conversations') },
      // what the server in a container keeps, of today and before version 1
      {
        path: join(folder, 'v1_conversations'),
        files: /^[0-9a-f]{32}\/[0-9a-f]{32}\.json$/,
        depth: 1,
        isFolder: true,
      },
      { ...own, path: join(folder, 'sessions') },
      { ...own, path: join(home, '.openhands-state', 'sessions') },
    ]
  },
  detect(names, name) {
    if (names.includes('events')) return BESIDE.some((beside) => names.includes(beside))
    const seen = names.filter((file) => !file.startsWith('.'))
    // numbers alone may belong to any program
    const isEvent = (file: string) => EVENT.test(file) && (name === 'events' || file[0] === 'e')
    const isNamed = (file: string) => HEX.test(name) && NAMED.test(file)
    return seen.length > 0 && (seen.every(isEvent) || seen.every(isNamed))
  },

  async *files(path) {
    const names = await readdir(path)
    const folder = names.includes('events') ? join(path, 'events') : path
    const all = folder === path ? names : await readdir(folder)
    const named = all.filter((name) => NAMED.test(name))
    if (named.length > 0) return yield* await byTime(named, folder)
    const numberOf = (name: string) => Number(EVENT.exec(name)?.[1])
    const events = all.filter((name) => EVENT.test(name))
    for (const name of events.sort((a, b) => numberOf(a) - numberOf(b))) yield join(folder, name)
  },

  async start(sink, path) {
    const folder = basename(path) === 'events' ? dirname(resolve(path)) : resolve(path)
    const state = toState(await readBeside(join(folder, 'base_state.json')))
    state.facts.session ??= basename(folder)
    return createOpenhandsReader(sink, state)
  },
}

/** Files that are named by the ids of their events, in the order of the times in them. */
async function byTime(names: readonly string[], folder: string): Promise<string[]> {
  const files: { path: string; time: string }[] = []
  for (const name of names.toSorted()) {
    const path = join(folder, name)
    const head = await readStart(path, HEAD_BYTES).catch(() => undefined)
    files.push({ path, time: TIME.exec(head?.toString('utf8') ?? '')?.[1] ?? '' })
  }
  return files
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0))
    .map(({ path }) => path)
}

// the time stands among the first members of an event
const HEAD_BYTES = 4096
const TIME = /"timestamp": ?"([^"]{1,40})"/
const HEX = /^[0-9a-f]{32}$/
const NAMED = /^[0-9a-f]{32}\.json$/

/** OpenHands: the events of a conversation as lines, or as one JSON array. */
export const openhandsEvents: RecordFormat = {
  name: 'openhands-events',
  title: 'OpenHands events',
  stage: 'stable',
  container: 'records',
  layouts: ['lines', 'document'],
  detect: ({ records }) => records.some(isNew) || records.filter(isOld).length * 2 > records.length,
  start: (sink) => createOpenhandsReader(sink),
}

const isNew = ({ kind, source }: Json) =>
  typeof kind === 'string' &&
  /^(?:Action|Observation|Message|SystemPrompt|ACPToolCall)Event$/.test(kind) &&
  typeof source === 'string'

const isOld = (record: Json) =>
  typeof record.source === 'string' &&
  'timestamp' in record &&
  (('args' in record && typeof record.action === 'string') ||
    ('content' in record && typeof record.observation === 'string'))
