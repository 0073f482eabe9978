import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import type { Finding, Snapshot } from 'unloop'
import type { UsageSum } from './client-event.js'
import type { GuardMode } from './guard-mode.js'
import type { Entry } from './history.js'

/** Everything of an agent that is not its history. */
export interface AgentState {
  promptId: string
  request: string
  turn: number
  usage: { prompt: UsageSum; session: UsageSum }
  guardMode: GuardMode
  guard: Snapshot
  /** the agent that has the task, where it was handed on */
  speaker?: string
  /** a loop that was not decided about yet, and how much of the history remains without it */
  stopped?: { finding: Finding; length: number }
}

/** Who talks where; the first line of a file. */
export interface SessionHeader {
  id: string
  model: string
  folder: string
  createdAt: string
}

/** A saved conversation, as far as the file has it. */
export interface SavedSession {
  header: SessionHeader
  entries: Entry[]
  state: AgentState | undefined
}

/** Where an agent writes what it must not lose. */
export interface SessionLog {
  append(entry: Entry): void
  replace(entries: readonly Entry[]): void
  state(state: AgentState): void
}

type Line =
  | ({ type: 'session'; version: 1 } & SessionHeader)
  | { type: 'entry'; entry: Entry }
  | { type: 'entries'; entries: readonly Entry[] }
  | { type: 'state'; state: AgentState }

// a state is some 50 KB, so that a file holds at most 2 MB of outdated states
const STATES_PER_FILE = 40

/**
 * A file of JSON lines, one written at a time and at once: what is killed in the middle loses no turn that
 * was finished.
 */
export function createSessionLog(path: string, saved: SavedSession): SessionLog {
  let { entries, state } = saved
  let states = 0
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  rewrite()

  function rewrite() {
    const lines: Line[] = [
      { type: 'session', version: 1, ...saved.header },
      { type: 'entries', entries },
      ...(state ? [{ type: 'state' as const, state }] : []),
    ]
    const draft = `${path}.${process.pid}.tmp`
    writeFileSync(draft, lines.map(toText).join(''), { mode: 0o600 })
    renameSync(draft, path)
    states = 0
  }

  const write = (line: Line) => appendFileSync(path, toText(line))

  return {
    append(entry) {
      entries = [...entries, entry]
      write({ type: 'entry', entry })
    },
    replace(next) {
      entries = [...next]
      write({ type: 'entries', entries })
    },
    state(next) {
      state = next
      states++
      if (states >= STATES_PER_FILE) rewrite()
      else write({ type: 'state', state })
    },
  }
}

const toText = (line: Line) => `${JSON.stringify(line)}\n`

/** Reads a saved conversation; a last line that was being written is left out. Throws if it is none. */
export function readSession(path: string): SavedSession {
  if (!existsSync(path))
    throw new RangeError(`there is no saved conversation at this path; got ${path}`)
  let header: (SessionHeader & { version: number }) | undefined
  let entries: Entry[] = []
  let state: AgentState | undefined
  const lines = readFileSync(path, 'utf8').split('\n')
  for (const [index, text] of lines.entries()) {
    const line = toLine(text)
    if (!line) {
      if (text === '' || index === lines.length - 1) continue
      throw new RangeError(`line ${index + 1} of ${path} is damaged, got ${text.slice(0, 40)}`)
    }
    if (line.type === 'session') header = line
    if (line.type === 'entry') entries.push(line.entry)
    if (line.type === 'entries') entries = [...line.entries]
    if (line.type === 'state') state = line.state
  }
  if (!header)
    throw new RangeError(`${path} is not a saved conversation, got ${lines[0]?.slice(0, 40)}`)
  if (header.version !== 1)
    throw new RangeError(`${path} was saved by a newer unloop, got version ${header.version}`)
  return { header, entries, state }
}

function toLine(text: string): Line | undefined {
  try {
    const line = JSON.parse(text)
    return isLine(line) ? line : undefined
  } catch {
    return undefined
  }
}

/** Whether it has what we would stumble over without; a type that we do not know is passed over. */
function isLine(line: Partial<Line> | null): line is Line {
  switch (line?.type) {
    case 'session':
      return [line.id, line.model, line.folder].every((text) => typeof text === 'string')
    case 'entry':
      return isEntry(line.entry)
    case 'entries':
      return Array.isArray(line.entries) && line.entries.every(isEntry)
    case 'state':
      return typeof line.state?.guard === 'object' && typeof line.state.usage === 'object'
    default:
      return typeof line?.type === 'string'
  }
}

function isEntry(entry: Entry | undefined): entry is Entry {
  const { role, content } = entry?.message ?? {}
  return role === 'user' ? typeof content === 'string' : Array.isArray(content)
}
