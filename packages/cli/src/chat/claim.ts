import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { UsageError } from '../exit-code.js'
import { processMark, processStart } from './process-start.js'

/**
 * Keeps other processes from writing to a conversation; gives the way to end that. One that was killed keeps
 * nobody out, whoever has its number by now.
 */
export function claim(path: string, name: string): () => void {
  const lock = path.replace(/\.jsonl$/, '.lock')
  for (;;) {
    try {
      const owner: Owner = { pid: process.pid, mark: processMark(process.pid) }
      writeFileSync(lock, JSON.stringify(owner), { flag: 'wx', mode: 0o600 })
      return () => rmSync(lock, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') {
        // on a full disk there may be an empty one
        rmSync(lock, { force: true })
        throw error
      }
    }
    const owner = ownerOf(lock)
    if (owner !== undefined) {
      throw new UsageError(
        `the conversation ${name} is open in another unloop chat, process ${owner}; continue there, or close it first`,
      )
    }
    rmSync(lock, { force: true })
  }
}

/** What a lock says; those of older versions have the number alone. */
interface Owner {
  pid: number
  /** what no other process with this number has; not on all systems */
  mark?: string | undefined
}

/** The process that holds a conversation, if it is alive and not this one. */
function ownerOf(lock: string): number | undefined {
  const owner = readOwner(lock)
  if (!owner || owner.pid === process.pid || !isAlive(owner.pid)) return
  const mark = processMark(owner.pid)
  if (owner.mark !== undefined && mark !== undefined) {
    return owner.mark === mark ? owner.pid : undefined
  }
  const start = processStart(owner.pid)
  // if it cannot be told, it may be the one that writes
  if (start === undefined) return owner.pid
  return start > owner.writtenAt + TOLERANCE_MS ? undefined : owner.pid
}

// systems tell the start of a process in seconds or less, and clocks are set
const TOLERANCE_MS = 2000

function readOwner(lock: string): (Owner & { writtenAt: number }) | undefined {
  try {
    const writtenAt = statSync(lock).mtimeMs
    const said: unknown = JSON.parse(readFileSync(lock, 'utf8'))
    const { pid, mark }: Partial<Owner> = typeof said === 'number' ? { pid: said } : (said ?? {})
    if (!Number.isInteger(pid) || !(Number(pid) > 0)) return
    return { pid: Number(pid), writtenAt, ...(typeof mark === 'string' && { mark }) }
  } catch {
    // it is gone, or was being written when its process was killed
    return
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // it exists, but belongs to another user
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
