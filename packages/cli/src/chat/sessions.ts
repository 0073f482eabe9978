import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  createSessionLog,
  readSession,
  readSummary,
  type SavedSession,
  type SessionLog,
} from '@unloop/agent'
import { UsageError } from '../exit-code.js'
import type { Host } from '../host.js'
import { stateFolder } from '../state-folder.js'
import { claim } from './claim.js'
import { matching } from './lists.js'
import { promptsOf } from './transcript.js'

/** A saved conversation, as a list shows it. */
export interface SessionSummary {
  id: string
  /** what the person calls it */
  name?: string
  /** what the person asked first */
  title: string
  messages: number
  changedAt: number
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
  /** Opens the file now. Throws a `UsageError` if that is not possible; on a full disk the chat continues. */
  open(): void
  /** Lets others write to it. */
  release(): void
}

/**
 * A log whose file is there from the first word on: a chat in which nothing was said leaves none. If it cannot be
 * written to, `onProblem` is called once, and each later write tries again.
 */
export function createLazyLog(
  path: string,
  saved: SavedSession,
  onProblem: (message: string) => void,
): ClaimedLog {
  let log: SessionLog | undefined
  let release: (() => void) | undefined
  let isTold = false
  // what is missing in the file if it cannot be created at once
  let { header } = saved
  let entries = [...saved.entries]
  let { state } = saved

  function open(): SessionLog {
    if (log) return log
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    release ??= claim(path, header.name ?? header.id)
    log = createSessionLog(path, { header, entries, state })
    return log
  }

  function tell(error: unknown) {
    if (!isTold) onProblem(problemOf(error))
    isTold = true
  }

  /** Writes with the log, which is created with all there is if it does not exist yet. */
  function attempt(write: (log: SessionLog) => void) {
    try {
      if (log) write(log)
      else open()
    } catch (error) {
      tell(error)
    }
  }

  return {
    open() {
      try {
        open()
      } catch (error) {
        if (isFull(error)) return tell(error)
        release?.()
        if (error instanceof UsageError) throw error
        throw new UsageError(problemOf(error))
      }
    },
    release: () => release?.(),
    append(entry) {
      entries.push(entry)
      attempt((log) => log.append(entry))
    },
    replace(next) {
      entries = [...next]
      attempt((log) => log.replace(next))
    },
    state(next) {
      state = next
      attempt((log) => log.state(next))
    },
    rename(name) {
      header = { ...header, name }
      if (log) attempt((log) => log.rename(name))
    },
    changeModel(model) {
      header = { ...header, model }
      if (log) attempt((log) => log.changeModel(model))
    },
  }
}

const problemOf = (error: unknown) => `cannot save the conversation: ${(error as Error).message}`

/** Whether there is just no room: it may be made, and what was said meanwhile is written then. */
function isFull(error: unknown): boolean {
  const { code, cause } = error as NodeJS.ErrnoException
  return code === 'ENOSPC' || code === 'EDQUOT' || (cause !== undefined && isFull(cause))
}

/** The conversations of this folder but the current one, newest first. */
export function listSessions(host: Host, current = '', limit = LISTED): SessionSummary[] {
  const folder = sessionFolder(host)
  const found: SessionSummary[] = []
  for (const { id, changedAt } of filesIn(folder)) {
    if (id === current) continue
    const summary = trySummary(join(folder, `${id}.jsonl`))
    if (summary?.header.folder !== host.cwd() || summary.messages === 0) continue
    const { header, request, messages } = summary
    const { name } = header
    found.push({ id, title: request, messages, changedAt, ...(name !== undefined && { name }) })
    if (found.length === limit) break
  }
  return found
}

/** The conversation with this id, the one of this folder that is called so, or the last one of this folder. */
export function findSession(host: Host, wanted: string | true): SavedSession {
  if (wanted === true) {
    const [last] = listSessions(host, '', 1)
    if (!last) throw new UsageError(`no conversation was saved in ${host.cwd()}`)
    return readById(host, last.id)
  }
  if (isId(wanted) && existsSync(sessionPath(host, wanted))) return readById(host, wanted)
  const all = listSessions(host)
  const named = all.filter(({ name }) => name?.toLowerCase() === wanted.toLowerCase())
  const found = named.length > 0 ? named : matching(all, wanted)
  const [only] = found
  if (only && found.length === 1) return readById(host, only.id)
  throw new UsageError(
    only
      ? `${found.length} conversations match ${wanted}: ${found.slice(0, NAMED).map(labelOf).join('; ')}`
      : `no conversation in this folder has the id ${wanted}, or matches it; unloop chat, then /resume, lists them`,
  )
}

/** Reads a conversation by its id. Throws a `UsageError`. */
export function readById(host: Host, id: string): SavedSession {
  try {
    return readSession(sessionPath(host, id))
  } catch (error) {
    throw new UsageError(`the conversation ${id} cannot be resumed: ${(error as Error).message}`)
  }
}

/** What was sent in the last conversations of this folder, the latest last. */
export function pastPrompts(host: Host, current: string): string[] {
  return listSessions(host, current, SEARCHED)
    .reverse()
    .flatMap(({ id }) => {
      try {
        return promptsOf(readSession(sessionPath(host, id)).entries)
      } catch {
        // it is gone by now, or being written
        return []
      }
    })
}

// what is typed filters them, so more than fit on a screen
const LISTED = 1000
// their files are read whole
const SEARCHED = 50
// of those that match, in an error
const NAMED = 5

const labelOf = ({ id, name, title }: SessionSummary) =>
  `${id} (${name ?? title.slice(0, 40).trim()})`

// a path is not an id
const isId = (text: string) => /^[\w-]+$/.test(text)

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

function trySummary(path: string) {
  try {
    return readSummary(path)
  } catch {
    // not a conversation, or one that is being written
    return
  }
}
