import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type ReadOptions, readTranscript } from './read.js'
import type { Run, Summary, TranscriptItem } from './transcript.js'

/**
 * Follows what is written anew as a whole, or row by row: when it has changed it is read again, and what was
 * told before is left out.
 */
export async function* followAgain(
  path: string,
  summary: Summary,
  options: ReadOptions,
  pause: () => Promise<boolean>,
): AsyncGenerator<TranscriptItem[], void, undefined> {
  const known = new Map<string, { run: Run; count: number }>()
  let last = ''
  let isCaughtUp = false
  do {
    const state = await stateOf(path)
    if (state !== last) {
      const transcript = readTranscript(path, options)
      const names = new Map<Run, string>()
      for await (const items of transcript) {
        const fresh = items.filter((item) => isFresh(item, nameOf(item.run, names), known))
        if (fresh.length > 0) yield fresh
      }
      Object.assign(summary, transcript.summary)
      last = state
    }
    if (!isCaughtUp) yield []
    isCaughtUp = true
  } while (await pause())
}

/** Whether an item was not told yet; if so it becomes one of the run that is known. */
function isFresh(
  item: TranscriptItem,
  name: string,
  known: Map<string, { run: Run; count: number }>,
): boolean {
  const before = known.get(name) ?? { run: item.run, count: 0 }
  known.set(name, before)
  if (before.run !== item.run) item.run = Object.assign(before.run, item.run)
  if (item.number < before.count) return false
  before.count = item.number + 1
  return true
}

function nameOf(run: Run, names: Map<Run, string>): string {
  const name = names.get(run) ?? run.session ?? `#${names.size}`
  names.set(run, name)
  return name
}

/** Changes whenever what is there has changed. */
async function stateOf(path: string): Promise<string> {
  const beside = [path, `${path}-wal`, join(path, 'events')]
  const states = await Promise.all(
    beside.map(async (one) => {
      const stats = await stat(one).catch(() => undefined)
      if (!stats) return ''
      const count = stats.isDirectory() ? (await readdir(one).catch(() => [])).length : stats.size
      return `${stats.ino}:${count}:${stats.mtimeMs}`
    }),
  )
  return states.join(' ')
}
