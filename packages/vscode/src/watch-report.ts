import type { Fault } from 'unloop'
import type { Found } from './found.js'

export interface ReportOptions {
  /** A loop, or the same one again with a higher count; one that was likely is new when it is certain. */
  onFound(found: Found, isNew: boolean): void
  /** A part of the guard failed, or events could not be read. */
  onFault(text: string): void
}

// one for each loop that was reported; a day of busy agents has a few hundred
const MAX_REMEMBERED = 5_000

/** Reports what was seen in transcripts, once: one that makes room for others is read again from its start. */
export function createReport({ onFound, onFault }: ReportOptions) {
  const known = new Set<string>()
  /** True the first time only. */
  const isNew = (...name: string[]) => {
    const key = JSON.stringify(name)
    if (known.has(key)) return false
    known.add(key)
    for (const oldest of known) {
      if (known.size <= MAX_REMEMBERED) break
      known.delete(oldest)
    }
    return true
  }
  return {
    found(found: Found) {
      const { place, finding } = found
      const where = place.type === 'transcript' ? [place.path, place.session] : []
      onFound(found, isNew(finding.certainty, ...where, finding.identity))
    },
    fault({ part, error }: Fault) {
      const text = `${part}: ${error instanceof Error ? error.message : String(error)}`
      if (isNew('fault', text)) onFault(text)
    },
    skipped(path: string, count: number) {
      if (isNew('skipped', path)) onFault(`${path}: ${count} events could not be read`)
    },
  }
}
