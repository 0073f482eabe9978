import type { TranscriptItem } from './transcript.js'

/** Where the events of one run stand, by their numbers. */
export interface Whereabouts {
  add(item: TranscriptItem): void
  /** Where an event stands; undefined if it was too long ago. */
  of(number: number): { line: number; offset: number; file?: string } | undefined
}

// a loop that is found began within the last 120 rounds, and a round has a few dozen events at most
const REMEMBERED = 16_384

/**
 * Remembers where the last events of a run stand, so that a finding can be shown in the file.
 *
 * @example
 * whereabouts.add(item)
 * const finding = guard.observe(item.event)
 * if (finding) console.log(`lines ${whereabouts.of(finding.firstEvent)?.line} to ${item.line}`)
 */
export function createWhereabouts(remembered: number = REMEMBERED): Whereabouts {
  if (!(remembered >= 1)) {
    throw new RangeError(`remembered must be a number of at least 1; got ${remembered}`)
  }
  const ring: { number: number; line: number; offset: number; file?: string }[] = []
  return {
    add({ number, line, offset, file }) {
      ring[number % remembered] = { number, line, offset, ...(file !== undefined && { file }) }
    },
    of(number) {
      const found = ring[number % remembered]
      if (found?.number !== number) return
      const { line, offset, file } = found
      return { line, offset, ...(file !== undefined && { file }) }
    },
  }
}
