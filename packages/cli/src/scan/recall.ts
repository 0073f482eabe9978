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
  // columns of numbers, for a row as an object would be one more thing to collect for every event
  const events: number[] = []
  const lines: number[] = []
  const tokens: number[] = []
  const costs: number[] = []
  const times: number[] = []
  const files: (string | undefined)[] = []
  const items: TranscriptItem[] = []
  let next = 0

  function placeAt(slot: number, at: number | undefined): Place {
    const file = files[slot]
    return {
      event: events[slot] as number,
      line: lines[slot] as number,
      ...(at !== undefined && { at }),
      ...(file !== undefined && { file }),
    }
  }

  return {
    add(item, meter) {
      const slot = next++ % PLACES
      events[slot] = item.number
      lines[slot] = item.line
      tokens[slot] = meter.tokens
      costs[slot] = meter.cost
      times[slot] = meter.at ?? Number.NaN
      if (item.file !== undefined) files[slot] = item.file
      const { type } = item.event
      if (type === 'usage' || type === 'turn-start' || type === 'turn-end') return
      items.push(item)
      if (items.length > EVENTS) items.shift()
    },
    at(event) {
      if (next === 0) return
      const oldest = Math.max(0, next - PLACES)
      const slot = Math.max(oldest, Math.min(event, next - 1)) % PLACES
      const time = times[slot] as number
      const at = Number.isNaN(time) ? undefined : time
      return {
        place: placeAt(slot, at),
        tokens: tokens[slot] as number,
        cost: costs[slot] as number,
        at,
      }
    },
    recent: (count) => items.slice(-count),
  }
}
