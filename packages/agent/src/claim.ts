import { createHash, randomUUID } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { processMark, processStart } from './process-start.js'

/** The right to write to a conversation, which one process has at a time. */
export interface Claim {
  /** Lets others write. */
  release(): void
  /** Whether another process has requested it and is still there. */
  isRequested(): boolean
  /** Gives it to the process that has requested it; `false` if the request was withdrawn. */
  handOver(): boolean
}

/** What comes of claiming: the claim, or the process that has it. */
export type Claimed = { type: 'held'; claim: Claim } | { type: 'taken'; pid: number }

/** A request to the process that holds a claim. */
export interface ClaimRequest {
  /** The claim, once it was handed over. */
  granted(): Claim | undefined
  /** Withdraws the request, and releases what it was granted. */
  cancel(): void
}

/**
 * Claims what this lock file stands for. A process that was killed keeps nobody out, whoever has its number by now, and of
 * several that claim in the same moment, one gets it.
 */
export function claim(lock: string): Claimed {
  const own = newOwner()
  for (let tries = 1; ; tries++) {
    if (create(lock, own)) return { type: 'held', claim: claimOf(lock, own) }
    const seen = readText(lock)
    // it was released meanwhile
    if (seen === undefined) continue
    const pid = livingOwner(seen, lock)
    if (pid !== undefined) return { type: 'taken', pid }
    // whose turn it is to replace this lock is claimed in the same way
    const turn = claim(`${lock}.${digest(seen)}`)
    if (turn.type === 'taken') {
      if (tries < MAX_TRIES) continue
      return turn
    }
    try {
      if (readText(lock) !== seen) continue
      replace(lock, own)
      return { type: 'held', claim: claimOf(lock, own) }
    } finally {
      turn.claim.release()
    }
  }
}

// another process needs some ten calls of the system for its turn; one that was suspended in it must not hold us up
const MAX_TRIES = 100

/** The living process that has claimed this. */
export const claimedBy = (lock: string): number | undefined => createClaimWatch(lock)()

/** Tells again and again which living process has claimed this; what starts a program is done once for each claim. */
export function createClaimWatch(lock: string): () => number | undefined {
  let seen: string | undefined
  let pid: number | undefined
  return () => {
    const text = readText(lock)
    if (text === undefined) return
    if (text !== seen || pid === undefined || !isAlive(pid)) pid = livingOwner(text, lock)
    seen = text
    return pid
  }
}

/** Requests a claim from the process that holds it; the last request counts. */
export function requestClaim(lock: string): ClaimRequest {
  const own = newOwner()
  const request = requestPath(lock)
  replace(request, own)
  const isGranted = () => readText(lock) === own
  return {
    granted: () => (isGranted() ? claimOf(lock, own) : undefined),
    cancel() {
      // in this order: it may be granted until the request is gone
      if (readText(request) === own) rmSync(request, { force: true })
      if (isGranted()) rmSync(lock, { force: true })
    },
  }
}

const requestPath = (lock: string) => `${lock}.request`

const claimOf = (lock: string, own: string): Claim => ({
  release() {
    if (readText(lock) === own) rmSync(lock, { force: true })
  },
  isRequested() {
    const request = requestPath(lock)
    const text = readText(request)
    if (text === undefined) return false
    const isThere = livingOwner(text, request) !== undefined
    if (!isThere) rmSync(request, { force: true })
    return isThere
  },
  handOver() {
    try {
      // the request says who asks, as a lock does, so that there is no moment in which nobody has it
      renameSync(requestPath(lock), lock)
      return true
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return false
      throw error
    }
  },
})

/** What a lock says; those of older versions have the number alone. */
interface Owner {
  pid: number
  /** what no other process with this number has; not on all systems */
  mark?: string | undefined
  /** what no other claim has, of this process or another */
  id?: string
}

const newOwner = () => {
  const owner: Owner = { pid: process.pid, mark: processMark(process.pid), id: randomUUID() }
  return JSON.stringify(owner)
}

/** Puts a lock where there is none; nobody ever sees half of it. */
function create(lock: string, text: string): boolean {
  const draft = draftOf(lock, text)
  try {
    linkSync(draft, lock)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    if (!WITHOUT_LINKS.has(codeOf(error))) throw error
    return createWithoutLinks(lock, text)
  } finally {
    rmSync(draft, { force: true })
  }
}

// what file systems say that have no hard links, such as FAT and some over a network
const WITHOUT_LINKS = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL'])

function createWithoutLinks(lock: string, text: string): boolean {
  try {
    writeFileSync(lock, text, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    // on a full disk there may be an empty one
    rmSync(lock, { force: true })
    throw error
  }
}

function replace(lock: string, text: string): void {
  const draft = draftOf(lock, text)
  try {
    renameSync(draft, lock)
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
}

function draftOf(lock: string, text: string): string {
  const draft = `${lock}.${digest(text)}.tmp`
  try {
    writeFileSync(draft, text, { mode: 0o600 })
  } catch (error) {
    rmSync(draft, { force: true })
    throw error
  }
  return draft
}

const digest = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12)

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return
    throw error
  }
}

/** The process that a lock names, if it is alive. */
function livingOwner(text: string, lock: string): number | undefined {
  const owner = toOwner(text)
  if (!owner || !isAlive(owner.pid)) return
  const mark = processMark(owner.pid)
  if (owner.mark !== undefined && mark !== undefined) {
    return owner.mark === mark ? owner.pid : undefined
  }
  const writtenAt = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
  const start = owner.pid === process.pid ? ownStart() : processStart(owner.pid)
  // if it cannot be told, it may be the one that writes
  if (start === undefined || writtenAt === undefined) return owner.pid
  return start > writtenAt + TOLERANCE_MS ? undefined : owner.pid
}

// systems tell the start of a process in seconds or less, and clocks are set
const TOLERANCE_MS = 2000

const ownStart = () => Date.now() - process.uptime() * 1000

/** Nothing if it was being written when its process was killed. */
function toOwner(text: string): Owner | undefined {
  try {
    const said: unknown = JSON.parse(text)
    const { pid, mark }: Partial<Owner> = typeof said === 'number' ? { pid: said } : (said ?? {})
    if (!Number.isInteger(pid) || !(Number(pid) > 0)) return
    return { pid: Number(pid), ...(typeof mark === 'string' && { mark }) }
  } catch {
    return
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // it exists, but belongs to another user
    return codeOf(error) === 'EPERM'
  }
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code ?? ''
