import type { Round } from '../rounds/round.js'
import {
  callsOf,
  isChange,
  isFailure,
  isProgress,
  isSameAnswer,
  isWaiting,
  longestWait,
  waitLimit,
  watchfulLimit,
} from '../rounds/rounds.js'
import { defineRowDetector } from '../row.js'

export const scatteredCall = defineRowDetector({
  name: 'scattered-call',
  finds:
    'the same call with the same answer again and again, with other calls but no change in between',
  advice:
    'You keep coming back to this call, and its answer stays the same because nothing has changed in between. Change something first, or use the answer you have.',

  // curves in packages/bench/CURVES.md: at 4 an honest run is flagged, 6 spares no more; toggles: the extra repeats
  // it takes to switch something back and forth
  options: {
    likely: 5,
    limit: 6,
    window: 40,
    toggles: 3,
    likelyUnmoved: 16,
    unmoved: 24,
    unproven: 16,
    waiting: 20,
    slow: 60,
  },

  rows(log, options) {
    const last = log.rounds.at(-1)
    if (!last?.answered || last.outage) return []
    // polling is a look after each wait, or a wait between other calls
    const wait = longestWait(log.rounds.slice(-2))
    const recent = wait ? log.rounds : log.rounds.slice(-options.window)
    const since = recent.slice(recent.findLastIndex((round) => mayMatter(round, last)) + 1)
    const rounds =
      last.effect === 'moves'
        ? []
        : since.filter((round) => round.key === last.key && isSameAnswer(round, last))
    const isPoll = wait !== undefined && since.filter(isWaiting).length >= rounds.length - 1
    // a change made again is not new, but the agent may be measuring it
    const toggles = since.some(isChange) ? options.toggles : 0
    const unmoved =
      last.looks >= options.likelyUnmoved && isLook(last)
        ? log.rounds.filter(({ key, print }) => key === last.key && print === last.print)
        : []
    return [
      {
        kind: 'scattered',
        rounds,
        ...(isPoll
          ? {
              limit: watchfulLimit(log, waitLimit(wait, options)),
              excuse: 'it is waiting for something',
            }
          : {
              limit: watchfulLimit(log, options.limit + toggles),
              likely: watchfulLimit(log, options.likely + toggles),
            }),
        period: Math.round(since.length / Math.max(1, rounds.length)),
        detail: () =>
          `${callsOf(last)} ${rounds.length} times with the same arguments and the same answer, and nothing was changed in between`,
      },
      {
        kind: 'unmoved',
        rounds: unmoved,
        limit: watchfulLimit(log, options.unmoved),
        likely: watchfulLimit(log, options.likelyUnmoved),
        period: Math.round(log.rounds.length / Math.max(1, unmoved.length)),
        detail: () =>
          `${callsOf(last)} ${unmoved.length} times with the same arguments and the same answer, whatever was changed in between`,
        advice:
          'You keep coming back to this call, and its answer stays the same whatever you change. What you change does not affect it: look elsewhere for the cause, or say what is missing.',
      },
    ]
  },
})

/** A look that got a real answer. "All is well" may be heard many times. */
const isLook = (round: Round) =>
  (round.effect === 'reads' || round.effect === 'moves') &&
  !isFailure(round) &&
  !isWaiting(round) &&
  !round.verdict &&
  round.newsWords >= 4

/**
 * A new change, or another program that ran for the first time, since it may do anything. For a wait, anything that
 * brought progress.
 */
function mayMatter(round: Round, last: Round): boolean {
  if (round.changed || (isWaiting(last) && isProgress(round))) return true
  const { effect, looks, key } = round
  return effect === 'unknown' && looks === 1 && key !== last.key && !isFailure(round)
}
