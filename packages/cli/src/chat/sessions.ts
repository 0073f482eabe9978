import { randomUUID } from 'node:crypto'
import { closeSync, mkdirSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  createSessionLog,
  readSession,
  type SavedSession,
  type SessionHeader,
  type SessionLog,
} from '@unloop/agent'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { stateFolder } from '../state-folder.js'
import { claim } from './claim.js'

/** A saved conversation, as a list shows it. */
export interface SessionSummary {
  id: string
  /** what the person asked first */
  title: string
  messages: number
  changedAt: number
  saved: SavedSession
}

/** The folder with the saved conversations. */
export const sessionFolder = (host: Host) => join(stateFolder(host), 'sessions')

export const sessionPath = (host: Host, id: string) => join(sessionFolder(host), `${id}.jsonl`)

/** A conversation that has just begun. */
export const newSession = (host: Host, model: string): SavedSession => ({
  header: { id: shortId(), model, folder: host.cwd(), createdAt: new Date().toISOString() },
  entries: [],
  state: undefined,
})

/** A log of a conversation that no other process writes to. */
export interface ClaimedLog extends SessionLog {
  /** Opens the file now. Throws a `UsageError` if that is not possible. */
  open(): void
  /** Lets others write to it. */
  release(): void
}

/**
 * A log whose file is there from the first word on: a chat in which nothing was said leaves none. If it cannot be
 * written to, `onProblem` is called once, and the chat continues without saving.
 */
export function createLazyLog(
  path: string,
  saved: SavedSession,
  onProblem: (message: string) => void,
): ClaimedLog {
  let log: SessionLog | undefined
  let release = () => {}
  let isGivenUp = false

  function open(): SessionLog {
    if (log) return log
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      release = claim(path, saved.header.id)
      log = createSessionLog(path, saved)
      return log
    } catch (error) {
      release()
      if (error instanceof UsageError) throw error
      throw new UsageError(`cannot save the conversation: ${(error as Error).message}`)
    }
  }

  function attempt(write: (log: SessionLog) => void) {
    if (isGivenUp) return
    try {
      write(open())
    } catch (error) {
      isGivenUp = true
      onProblem((error as Error).message)
    }
  }

  return {
    open,
    release: () => release(),
    append: (entry) => attempt((log) => log.append(entry)),
    replace: (entries) => attempt((log) => log.replace(entries)),
    state: (state) => attempt((log) => log.state(state)),
  }
}

/** The last conversations of this folder but the current one, newest first. */
export function listSessions(host: Host, current = '', limit = LISTED): SessionSummary[] {
  const folder = sessionFolder(host)
  const found: SessionSummary[] = []
  for (const { id, changedAt } of filesIn(folder)) {
    const path = join(folder, `${id}.jsonl`)
    if (id === current || headerOf(path)?.folder !== host.cwd()) continue
    const saved = tryRead(path)
    if (!saved || saved.entries.length === 0) continue
    found.push({ id, changedAt, saved, title: titleOf(saved), messages: saved.entries.length })
    if (found.length === limit) break
  }
  return found
}

/** The conversation with this id, or the last one of this folder. */
export function findSession(host: Host, id: string | true): SavedSession {
  if (id === true) {
    const last = listSessions(host, '', 1)[0]
    if (!last) throw new UsageError(`no conversation was saved in ${host.cwd()}`)
    return last.saved
  }
  try {
    return readSession(sessionPath(host, id))
  } catch (error) {
    throw new UsageError(`the conversation ${id} cannot be resumed: ${(error as Error).message}`)
  }
}

// as many as one digit picks
const LISTED = 9

const shortId = () => randomUUID().slice(0, 8)

function filesIn(folder: string): { id: string; changedAt: number }[] {
  let names: string[] = []
  try {
    names = readdirSync(folder)
  } catch {
    // nothing was saved yet
  }
  return names
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => {
      // one that is gone by now, or a link that leads nowhere
      const changedAt = statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs
      return changedAt === undefined ? [] : [{ id: name.slice(0, -'.jsonl'.length), changedAt }]
    })
    .sort((a, b) => b.changedAt - a.changedAt)
}

// longer than the first line, which has an id, a model, a folder and a date
const HEADER_BYTES = 16 * 1024

/** Whose a file is, without reading all of it: most are of other folders. */
function headerOf(path: string): Partial<SessionHeader> | undefined {
  const buffer = Buffer.alloc(HEADER_BYTES)
  try {
    const file = openSync(path, 'r')
    const length = readSync(file, buffer)
    closeSync(file)
    return JSON.parse(buffer.toString('utf8', 0, length).split('\n', 1)[0] ?? '')
  } catch {
    // not a conversation, or one that is being written
    return
  }
}

function tryRead(path: string): SavedSession | undefined {
  try {
    return readSession(path)
  } catch {
    return
  }
}

function titleOf({ entries }: SavedSession): string {
  for (const { message } of entries) {
    if (message.role === 'user' && message.from === undefined) return message.content
  }
  return ''
}
