import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { callKey } from 'unloop'
import type { Host } from '../host.js'
import { stateFolder } from '../state-folder.js'
import { CALM } from './calm.js'
import type { HookSettings } from './options.js'

type Place = Pick<Host, 'env' | 'platform'>

/** What a session's folder says about it. */
export interface SessionInfo {
  id: string
  /** the name of the agent, such as `claude-code` */
  agent: string
  /** where the agent works */
  folder?: string | undefined
  startedAt: number
  /** what holds until the next prompt */
  settings?: HookSettings
  /** what the person was told of settings without effect */
  told?: string
  /** what it had of the current prompt is gone, or it never had the start of it */
  since?: 'lost' | 'unknown'
}

/** Where the sessions of hooks are. */
export const sessionsFolder = (host: Place): string => join(stateFolder(host), 'guarded')

/** The folder of a session. */
export const folderOf = (host: Place, session: string): string =>
  join(sessionsFolder(host), PLAIN.test(session) ? session : nameOf(session))

// what is safe as the name of a folder everywhere
const PLAIN = /^[A-Za-z0-9_-]{1,80}$/

// loading a better hash would take longer than the rest of a hook
const nameOf = (session: string) =>
  `${session.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 40)}-${callKey('', session)}`

/** What is known about the session in a folder; nothing before it has been written. */
export function readInfo(folder: string): SessionInfo | undefined {
  try {
    const info = JSON.parse(readFileSync(join(folder, INFO), 'utf8'))
    return typeof info?.id === 'string' && typeof info.agent === 'string' ? info : undefined
  } catch {
    return
  }
}

/** Says what session a folder belongs to, and makes room for it. */
export function writeInfo(folder: string, info: SessionInfo): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const temporary = join(folder, `${INFO}.${process.pid}.tmp`)
  writeFileSync(temporary, JSON.stringify(info), { mode: 0o600 })
  renameSync(temporary, join(folder, INFO))
  tidy(join(folder, '..'))
}

const INFO = 'session.json'
// a weekend and a day
const MAX_AGE_MS = 3 * 24 * 60 * 60_000
const MAX_SESSIONS = 500

/** Removes sessions that have been silent for long, and the oldest of too many. */
function tidy(sessions: string): void {
  const all = readdirSync(sessions)
    .map((name) => ({ name, at: lastChange(join(sessions, name)) }))
    .sort((a, b) => b.at - a.at)
  const oldest = Date.now() - MAX_AGE_MS
  for (const [index, { name, at }] of all.entries()) {
    if (at > oldest && index < MAX_SESSIONS) continue
    rmSync(join(sessions, name), { recursive: true, force: true })
  }
}

/** When something last happened in a session. */
export function lastChange(folder: string): number {
  try {
    const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl') || name === CALM)
    return Math.max(...[folder, ...files.map((name) => join(folder, name))].map(timeOf))
  } catch {
    return Date.now()
  }
}

const timeOf = (path: string) => statSync(path).mtimeMs
