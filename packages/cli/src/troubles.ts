import type { Fault, Guard } from 'unloop'
import { redact } from 'unloop/redact'
import { plural } from 'unloop/words'
import { printable } from './printable.js'
import { oneLine } from './words.js'

/** What went wrong in a guard, which keeps working. */
export interface Troubles {
  /** parts of the guard that failed */
  faults: FaultReport[]
  /** events that could not be read, and count for nothing */
  skipped: number
}

export interface FaultReport {
  /** a detector, which is left out from then on, or `guard` */
  part: string
  /** what happened and what it means, for people */
  message: string
}

/** What has gone wrong so far. */
export const troublesOf = ({ faults, skipped }: Guard): Troubles => ({
  faults: faults.map(toFaultReport),
  skipped,
})

/** A fault in words. */
export function toFaultReport({ part, error }: Fault): FaultReport {
  const reason = oneLine(printable(redact(reasonOf(error))), LENGTH)
  const message =
    part === 'guard'
      ? `the guard failed on an event (${reason}), skipped it and continued`
      : `the detector ${part} failed (${reason}) and was left out; loops that it finds may be missing`
  return { part, message }
}

export const hasTroubles = ({ faults, skipped }: Troubles): boolean =>
  faults.length > 0 || skipped > 0

/** All of it in words, a line each. */
export const troubleLines = ({ faults, skipped }: Troubles): string[] => [
  ...faults.map(({ message }) => message),
  ...(skipped > 0
    ? [`${plural(skipped, 'event')} could not be read by the guard and ${was(skipped)} skipped`]
    : []),
]

/** What the person can do. */
export const ADVICE = 'If it is a detector of your own, correct it; otherwise please report it.'

const was = (count: number) => (count === 1 ? 'was' : 'were')

// a line of a terminal or two
const LENGTH = 200

/** What was thrown may be anything, even something that cannot be made a text. */
function reasonOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'no reason given'
  }
}
