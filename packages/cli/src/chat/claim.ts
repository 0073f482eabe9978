import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { UsageError } from '../exit-code.js'

/**
 * Keeps other processes from writing to a conversation; gives the way to end that. One that was killed keeps
 * nobody out.
 */
export function claim(path: string, id: string): () => void {
  const lock = path.replace(/\.jsonl$/, '.lock')
  for (;;) {
    try {
      writeFileSync(lock, `${process.pid}`, { flag: 'wx', mode: 0o600 })
      return () => rmSync(lock, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const owner = ownerOf(lock)
    if (owner !== undefined) {
      throw new UsageError(
        `the conversation ${id} is open in another unloop chat, process ${owner}; continue there, or close it first`,
      )
    }
    rmSync(lock, { force: true })
  }
}

/** The process that holds a conversation, if it is alive and not this one. */
function ownerOf(lock: string): number | undefined {
  let pid = 0
  try {
    pid = Number(readFileSync(lock, 'utf8'))
    if (!(pid > 0) || pid === process.pid) return
    process.kill(pid, 0)
    return pid
  } catch (error) {
    // it exists, but belongs to another user
    return (error as NodeJS.ErrnoException).code === 'EPERM' ? pid : undefined
  }
}
