import { existsSync, readFileSync } from 'node:fs'
import type { Finding, Snapshot } from 'unloop'
import type { UsageSum } from './client-event.js'
import type { GuardMode } from './guard-mode.js'
import type { Entry } from './history.js'
import { toEntry, toLine } from './session-line.js'

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
  /** what the person calls it */
  name?: string
  /** what was asked first, once the history has lost it */
  request?: string
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
  /** Gives the conversation a name; an empty one takes it away. */
  rename(name: string): void
  /** Another model answers from now on, also when the conversation is resumed. */
  changeModel(model: string): void
}

/** Reads a saved conversation; a last line that was being written is left out. Throws if it is none. */
export function readSession(path: string): SavedSession {
  if (!existsSync(path))
    throw new RangeError(`there is no saved conversation at this path; got ${path}`)
  let header: (SessionHeader & { type: string; version: number }) | undefined
  let entries: Entry[] = []
  const states: string[] = []
  const lines = readFileSync(path, 'utf8').split('\n')
  for (const [index, text] of lines.entries()) {
    if (text.startsWith(STATE)) {
      states.push(text)
      continue
    }
    const line = toLine(text)
    if (!line) {
      if (text === '' || index === lines.length - 1) continue
      throw new RangeError(`line ${index + 1} of ${path} is damaged, got ${text.slice(0, 40)}`)
    }
    if (line.type === 'session') header = line
    if (line.type === 'entry') entries.push(line.entry)
    if (line.type === 'entries') entries = [...line.entries]
  }
  if (!header)
    throw new RangeError(`${path} is not a saved conversation, got ${lines[0]?.slice(0, 40)}`)
  if (header.version !== 1)
    throw new RangeError(`${path} was saved by a newer unloop, got version ${header.version}`)
  const { type: _, version: __, ...rest } = header
  return { header: rest, entries: entries.map(toEntry), state: lastOf(states) }
}

const STATE = '{"type":"state"'

/** The last state that can be read; the others are outdated, and often most of the file. */
function lastOf(states: readonly string[]): AgentState | undefined {
  for (const text of states.toReversed()) {
    const line = toLine(text)
    if (line?.type === 'state') return line.state
  }
}
