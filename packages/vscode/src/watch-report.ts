import type { Fault, GuardOptions } from 'unloop'
import type { Found } from './found.js'

export interface ReportOptions {
  guard: GuardOptions
  /** A loop, or the same one again with a higher count; one that was likely is new when it is certain. */
  onFound(found: Found, isNew: boolean): void
  /** A part of the guard failed, or events could not be read. */
  onFault(text: string): void
}

/** What is told of transcripts. It remembers what was told, for one that was let go is read again from its beginning. */
export type Report = ReturnType<typeof createReport>

export function createReport({ onFound, onFault }: ReportOptions) {
  const known = new Set<string>()
  /** True the first time only. */
  const isNew = (...name: string[]) => {
    const key = JSON.stringify(name)
    return !known.has(key) && known.add(key) !== undefined
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
