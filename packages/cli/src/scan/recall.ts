import type { TranscriptItem } from '@unloop/transcripts'
import type { Place } from './run-report.js'

/** Tokens, dollars and time up to an event. */
export interface Meter {
  tokens: number
  cost: number
  at: number | undefined
}

interface Moment extends Meter {
  place: Place
}

/** The last places of a run, so that a finding's numbers can be found again. */
export interface Recall {
  add(item: TranscriptItem, meter: Meter): void
  /** The place and the meter at an event; the oldest known if it is too long ago. */
  at(event: number): Moment | undefined
  /** The last events up to this one, oldest first. */
  recent(count: number): readonly TranscriptItem[]
}

// detectors look back 120 rounds; with texts and tokens in between that is far below this
const PLACES = 4096
const EVENTS = 32

/** Nothing remembered yet. */
export function createRecall(): Recall {
  const moments: Moment[] = []
  const items: TranscriptItem[] = []
  let next = 0
  return {
    add(item, { tokens, cost, at }) {
      const place: Place = { event: item.number, line: item.line }
      if (at !== undefined) place.at = at
      if (item.file !== undefined) place.file = item.file
      moments[next % PLACES] = { place, tokens, cost, at }
      next++
      if (
        item.event.type === 'usage' ||
        item.event.type === 'turn-start' ||
        item.event.type === 'turn-end'
      )
        return
      items.push(item)
      if (items.length > EVENTS) items.shift()
    },
    at(event) {
      const oldest = Math.max(0, next - PLACES)
      return moments[Math.max(oldest, Math.min(event, next - 1)) % PLACES]
    },
    recent: (count) => items.slice(-count),
  }
}
