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
    'You keep coming back to this call and it answers the same, because nothing was changed in between. Change something first, or use the answer you have.',

  // curves in packages/bench/CURVES.md: at 4 an honest run is flagged, 6 spares no more; toggles: as many more
  // as it takes to switch a thing to and fro
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
    // a look after each wait is what polling is, and so is a wait between others
    const wait = longestWait(log.rounds.slice(-2))
    const recent = wait ? log.rounds : log.rounds.slice(-options.window)
    const since = recent.slice(recent.findLastIndex((round) => mayMatter(round, last)) + 1)
    const rounds =
      last.effect === 'moves'
        ? []
        : since.filter((round) => round.key === last.key && isSameAnswer(round, last))
    const isPoll = wait !== undefined && since.filter(isWaiting).length >= rounds.length - 1
    // a change made again is no news, but it may be there to be measured
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
              excuse: 'it waits for something',
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
      },
    ]
  },
})

/** A look at something that has an answer; that all is well may be heard many times. */
const isLook = (round: Round) =>
  (round.effect === 'reads' || round.effect === 'moves') &&
  !isFailure(round) &&
  !isWaiting(round) &&
  !round.verdict &&
  round.newsWords >= 4

/**
 * Something nobody changed before, or another program that ran for the first time: who knows what it does. For a wait,
 * whatever brought something.
 */
function mayMatter(round: Round, last: Round): boolean {
  if (round.changed || (isWaiting(last) && isProgress(round))) return true
  const { effect, looks, key } = round
  return effect === 'unknown' && looks === 1 && key !== last.key && !isFailure(round)
}
