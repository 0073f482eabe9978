import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { FolderFormat, RecordFormat } from '../format.js'
import type { Json } from '../json.js'
import { createOpenhandsReader } from './openhands-events.js'

const EVENT = /^(?:event-)?(\d+)(?:-.*)?\.json$/
const BESIDE = ['base_state.json', 'metadata.json', 'agent_state.pkl', 'conversation_stats.pkl']

/** OpenHands: a conversation as it is kept, a folder with one file an event. */
export const openhands: FolderFormat = {
  name: 'openhands',
  title: 'OpenHands',
  stage: 'stable',
  container: 'folder',
  locations({ env, home, join }) {
    const folder = env.OPENHANDS_PERSISTENCE_DIR || join(home, '.openhands')
    return [
      {
        path: env.OPENHANDS_CONVERSATIONS_DIR || join(folder, 'conversations'),
        files: /\/base_state\.json$/,
        depth: 2,
        isFolder: true,
      },
    ]
  },
  detect(names, name) {
    if (names.includes('events')) return BESIDE.some((beside) => names.includes(beside))
    const seen = names.filter((file) => !file.startsWith('.'))
    // numbers alone may belong to any program
    const isEvent = (file: string) => EVENT.test(file) && (name === 'events' || file[0] === 'e')
    return seen.length > 0 && seen.every(isEvent)
  },

  async *files(path) {
    const names = await readdir(path)
    const folder = names.includes('events') ? join(path, 'events') : path
    const events = (folder === path ? names : await readdir(folder)).filter((name) =>
      EVENT.test(name),
    )
    const numberOf = (name: string) => Number(EVENT.exec(name)?.[1])
    for (const name of events.sort((a, b) => numberOf(a) - numberOf(b))) yield join(folder, name)
  },

  start: (sink) => ({ read: createOpenhandsReader(sink) }),
}

/** OpenHands: the events of a conversation as lines, or as one JSON array. */
export const openhandsEvents: RecordFormat = {
  name: 'openhands-events',
  title: 'OpenHands events',
  stage: 'stable',
  container: 'records',
  layouts: ['lines', 'document'],
  detect: ({ records }) => records.some(isNew) || records.filter(isOld).length * 2 > records.length,
  start: (sink) => ({ read: createOpenhandsReader(sink) }),
}

const isNew = ({ kind, source }: Json) =>
  typeof kind === 'string' &&
  /^(?:Action|Observation|Message|SystemPrompt)Event$/.test(kind) &&
  typeof source === 'string'

const isOld = (record: Json) =>
  typeof record.source === 'string' &&
  'timestamp' in record &&
  (('args' in record && typeof record.action === 'string') ||
    ('content' in record && typeof record.observation === 'string'))
