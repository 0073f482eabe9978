import type { DetectorReport } from '../detector.js'
import type { Action, Certainty } from '../finding.js'
import type { AgentLog } from '../rounds/log.js'
import { isAchievement } from '../rounds/rounds.js'

/** What a loop leads to, step by step; the last step repeats. */
export interface Ladder {
  calls: readonly Action[]
  text: readonly Action[]
}

/** Warn the model, refuse the call, stop. A model cannot read while it streams, so its message is cut. */
export const DEFAULT_LADDER: Ladder = { calls: ['warn', 'block', 'stop'], text: ['cut', 'stop'] }

/** The same when there is a person to ask. */
export const ATTENDED_LADDER: Ladder = { calls: ['warn', 'block', 'ask'], text: ['cut', 'ask'] }

/** A reported loop that may continue. */
export interface Loop {
  identity: string
  plane: keyof Ladder
  since: number
  at: number
  strikes: number
  /** of the last report; never goes back to `likely` */
  certainty: Certainty
  keys: readonly number[]
  /** how many of the next reports the person chose to ignore; one that precedes a call covers the call as well */
  pardons: number
  isPardoned: boolean
}

// a prompt with more loops than this has other problems
const MAX_LOOPS = 8

/**
 * The loop this report is about: one with the same identity, or one whose span it overlaps, so that
 * two detectors that see the same loop report it once. `undefined` if that loop was already struck
 * at this place, or if it is likely and was reported before: advice is given once, and counts as the
 * first step of a loop that turns out to be certain.
 */
export function strike(
  loops: Loop[],
  plane: keyof Ladder,
  report: DetectorReport,
  at: number,
  place: number,
  isInRound: boolean,
): Loop | undefined {
  const known = loops.find(
    (loop) =>
      loop.identity === report.identity ||
      (loop.plane === plane && report.firstEvent <= loop.at && loop.since <= at),
  )
  if (known && known.at >= place) return undefined
  const certainty = report.certainty ?? 'certain'
  if (known && certainty === 'likely') {
    known.at = at
    return undefined
  }
  const loop = known ?? {
    identity: report.identity,
    plane,
    since: report.firstEvent,
    at,
    strikes: 0,
    certainty,
    keys: [],
    pardons: 0,
    isPardoned: false,
  }
  loop.at = at
  loop.certainty = certainty
  loop.since = Math.min(loop.since, report.firstEvent)
  if (loop.pardons > 0 || (loop.isPardoned && isInRound)) {
    if (loop.pardons > 0) loop.pardons--
    loop.isPardoned = !isInRound
    return
  }
  loop.isPardoned = false
  loop.strikes++
  if (report.keys) loop.keys = report.keys
  if (!known) {
    loops.push(loop)
    if (loops.length > MAX_LOOPS) loops.shift()
  }
  return loop
}

/** The reported loop that this call continues, if nothing was achieved since; also if another call of the round continues it. */
export function continuedLoop(loops: readonly Loop[], { calls, rounds, isOpen }: AgentLog) {
  if (!isOpen) return
  const key = calls.at(-1)?.key ?? -1
  return loops.find(
    ({ certainty, keys, at }) =>
      certainty === 'certain' &&
      keys.includes(key) &&
      !rounds.some((round) => round.number > at && isAchievement(round)),
  )
}

/** The action for the n-th report of a loop: only advice while it is likely. */
export function actionFor(
  steps: readonly Action[],
  { certainty, strikes }: Pick<Loop, 'certainty' | 'strikes'>,
): Action {
  if (certainty === 'likely') return 'warn'
  return steps[Math.min(strikes, steps.length) - 1] ?? 'stop'
}
