import type { TranscriptItem } from '@unloop/transcripts'
import { isMoment } from './amounts.js'
import type { Place } from './run-report.js'

/** The last places of a run, so that a finding's numbers can be found again. */
export interface Recall {
  add(item: TranscriptItem): void
  /** The place of an event; the oldest known if it is too long ago. */
  at(event: number): Place | undefined
  /** The last events up to this one, oldest first. */
  recent(count: number): readonly TranscriptItem[]
}

// detectors look back 120 rounds; with texts and tokens in between that is far below this
const PLACES = 4096
const EVENTS = 64

/** Nothing remembered yet. */
export function createRecall(): Recall {
  // columns of numbers, for a row as an object would be one more thing to collect for every event
  const events: number[] = []
  const lines: number[] = []
  const times: number[] = []
  const files: (string | undefined)[] = []
  const items: TranscriptItem[] = []
  let next = 0
  let now = Number.NaN

  return {
    add(item) {
      const { at, type } = item.event
      if (isMoment(at)) now = at
      const slot = next++ % PLACES
      events[slot] = item.number
      lines[slot] = item.line
      times[slot] = now
      if (item.file !== undefined) files[slot] = item.file
      if (type === 'usage' || type === 'turn-start' || type === 'turn-end') return
      items.push(item)
      if (items.length > EVENTS) items.shift()
    },
    at(event) {
      if (next === 0) return
      const oldest = Math.max(0, next - PLACES)
      const slot = Math.max(oldest, Math.min(event, next - 1)) % PLACES
      const at = times[slot] as number
      const file = files[slot]
      return {
        event: events[slot] as number,
        line: lines[slot] as number,
        ...(!Number.isNaN(at) && { at }),
        ...(file !== undefined && { file }),
      }
    },
    recent: (count) => items.slice(-count),
  }
}
