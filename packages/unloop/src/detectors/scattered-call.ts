import type { Round } from '../round.js'
import { callsOf, isChange, isSameAnswer, isWaiting, watchfulLimit } from '../rounds.js'
import { defineRowDetector } from '../row.js'

export const scatteredCall = defineRowDetector({
  name: 'scattered-call',
  finds:
    'the same call with the same answer again and again, with other calls but no change in between',
  advice:
    'You keep coming back to this call and it answers the same, because nothing was changed in between. Change something first, or use the answer you have.',

  // curves in packages/bench/CURVES.md: at 4 an honest run is flagged, 6 spares no more; toggles: as many more
  // as it takes to switch a thing to and fro
  options: { limit: 5, window: 40, toggles: 3 },

  rows(log, { limit, window, toggles }) {
    const last = log.rounds.at(-1)
    if (!last?.answered || isWaiting(last) || last.outage || last.effect === 'moves') return []
    const recent = log.rounds.slice(-window)
    const since = recent.slice(recent.findLastIndex((round) => mayMatter(round, last)) + 1)
    const rounds = since.filter((round) => round.key === last.key && isSameAnswer(round, last))
    const toggled = since.some(isChange)
    return [
      {
        kind: 'scattered',
        rounds,
        // a change made again is no news, but it may be there to be measured
        limit: watchfulLimit(log, toggled ? limit + toggles : limit),
        period: Math.round(since.length / Math.max(1, rounds.length)),
        detail: () =>
          `${callsOf(last)} ${rounds.length} times with the same arguments and the same answer, and nothing was changed in between`,
      },
    ]
  },
})

/** Something nobody changed before, or another program that ran for the first time: who knows what it does. */
const mayMatter = ({ changed, effect, looks, key, error, nothing }: Round, last: Round) =>
  changed || (effect === 'unknown' && looks === 1 && key !== last.key && !error && !nothing)
