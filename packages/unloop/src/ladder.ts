import type { Report } from './detector.js'
import type { Action } from './finding.js'

/** What a loop leads to, step by step; the last step stays. */
export interface Ladder {
  calls: readonly Action[]
  text: readonly Action[]
}

/** Tell the model, refuse the call, stop. A model that is streaming cannot hear, so its message is cut. */
export const DEFAULT_LADDER: Ladder = { calls: ['warn', 'block', 'stop'], text: ['cut', 'stop'] }

/** The same where a person is there to be asked. */
export const ATTENDED_LADDER: Ladder = { calls: ['warn', 'block', 'ask'], text: ['cut', 'ask'] }

/** A loop that was reported and may go on. */
export interface Loop {
  identity: string
  plane: keyof Ladder
  since: number
  at: number
  strikes: number
  keys: readonly string[]
}

// a prompt with more different loops than this has other problems
const MAX_LOOPS = 16

/**
 * The loop this report is about: one with the same identity, or one whose span it overlaps, for two
 * detectors that see the same loop report it once. `undefined` when that loop was struck at this
 * very place already.
 */
export function strike(
  loops: Loop[],
  plane: keyof Ladder,
  report: Report,
  at: number,
  place: number,
): Loop | undefined {
  const known = loops.find(
    (loop) =>
      loop.identity === report.identity ||
      (loop.plane === plane && report.since <= loop.at && loop.since <= at),
  )
  if (known && known.at >= place) return undefined
  const loop = known ?? {
    identity: report.identity,
    plane,
    since: report.since,
    at,
    strikes: 0,
    keys: [],
  }
  loop.at = at
  loop.since = Math.min(loop.since, report.since)
  loop.strikes++
  if (report.keys) loop.keys = report.keys
  if (!known) {
    loops.push(loop)
    if (loops.length > MAX_LOOPS) loops.shift()
  }
  return loop
}

/** The action for the n-th report of a loop. */
export function actionFor(steps: readonly Action[], strikes: number): Action {
  return steps[Math.min(strikes, steps.length) - 1] ?? 'stop'
}
