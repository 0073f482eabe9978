import type { Fault } from 'unloop'
import { isLikely } from './chat/loop-words.js'
import { type Found, keyOf } from './found.js'

export interface ReportOptions {
  /** A loop, or the same one again with a higher count; `isDue` if the person should hear of it now. */
  onFound(found: Found, isDue: boolean): void
  /** A part of the guard failed, or events could not be read. */
  onFault(text: string): void
}

interface Told {
  isLikely: boolean
  count: number
}

// one for each loop that was reported; a day of busy agents has a few hundred
const MAX_REMEMBERED = 5_000
// often enough to be noticed, seldom enough not to be hated: a loop of a thousand laps is told of eight times
const GROWTH = 2

/** Reports what was seen in transcripts: once, again when it is certain, and each time it has doubled. */
export function createReport({ onFound, onFault }: ReportOptions) {
  const told = new Map<string, Told>()
  const faults = new Set<string>()

  function isDue(found: Found): boolean {
    const { finding } = found
    const now: Told = { isLikely: isLikely(finding), count: finding.count }
    const before = told.get(keyOf(found))
    const isWorse = before?.isLikely && !now.isLikely
    if (before && !isWorse && (now.isLikely || now.count < before.count * GROWTH)) return false
    told.set(keyOf(found), now)
    for (const oldest of told.keys()) {
      if (told.size <= MAX_REMEMBERED) break
      told.delete(oldest)
    }
    return true
  }

  function onceFault(key: string, text: string) {
    if (faults.has(key) || faults.size >= MAX_REMEMBERED) return
    faults.add(key)
    onFault(text)
  }

  return {
    found: (found: Found) => onFound(found, isDue(found)),
    fault({ part, error }: Fault) {
      const text = `${part}: ${error instanceof Error ? error.message : String(error)}`
      onceFault(text, text)
    },
    skipped: (path: string, count: number) =>
      onceFault(path, `${path}: ${count} events could not be read`),
  }
}
