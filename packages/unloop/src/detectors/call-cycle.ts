import type { AgentLog } from '../rounds/log.js'
import type { Round } from '../rounds/round.js'
import { isChange, isSameAnswer, longestWait, waitLimit, watchfulLimit } from '../rounds/rounds.js'
import { defineRowDetector, type Row } from '../row.js'

export const callCycle = defineRowDetector({
  name: 'call-cycle',
  finds: 'several calls repeated in the same order with the same answers',
  advice:
    'You are going in circles: the same calls in the same order with the same answers. Say what the answers mean, then try a different approach.',

  // curves in packages/bench/CURVES.md: from 4 on loops are reported later, and two laps are only one repeat
  options: {
    likelyLaps: 2,
    laps: 3,
    changingLaps: 4,
    unprovenLaps: 16,
    waitingLaps: 20,
    slowLaps: 50,
    unansweredLaps: 5,
    maxPeriod: 40,
  },

  rows(log, options) {
    const rows: Row[] = []
    for (let period = 2; period <= options.maxPeriod; period++) {
      const laps = lapsOf(log.rounds, period)
      if (laps < 2) continue
      const lap = log.rounds.slice(-period)
      // a lap of a single call is a repeated call
      if (lap.every(({ key }) => key === lap[0]?.key)) continue
      const names = lap.map(({ name }) => name)
      rows.push({
        kind: 'cycle',
        rounds: log.rounds.slice(-period * laps),
        count: laps,
        period,
        ...lapLimits(log, lap, options),
        detail: () =>
          `the same ${period} calls were made ${laps} times in the same order with the same answers: ${names.slice(0, 6).join(', ')}`,
        identity: names.toSorted().join(),
      })
    }
    return rows
  },
})

/** How many laps of this length the rounds end with; 1 if there is no second. */
function lapsOf(rounds: readonly Round[], period: number): number {
  let same = 0
  for (let i = rounds.length - 1; i >= period; i--) {
    const one = rounds[i] as Round
    const other = rounds[i - period] as Round
    if (one.key !== other.key || !isSameAnswer(one, other)) break
    same++
  }
  return Math.floor(same / period) + 1
}

interface Limits {
  likelyLaps: number
  laps: number
  changingLaps: number
  unprovenLaps: number
  waitingLaps: number
  slowLaps: number
  unansweredLaps: number
}

function lapLimits(
  log: AgentLog,
  lap: readonly Round[],
  options: Limits,
): Pick<Row, 'limit' | 'likely'> {
  const wait = longestWait(lap)
  if (wait) {
    const { unprovenLaps: unproven, waitingLaps: waiting, slowLaps: slow } = options
    return { limit: watchfulLimit(log, waitLimit(wait, { unproven, waiting, slow })) }
  }
  if (!log.hasResults) return { limit: watchfulLimit(log, options.unansweredLaps) }
  // something may be switched back and forth on purpose
  if (lap.some(isChange)) return { limit: watchfulLimit(log, options.changingLaps) }
  const limit = watchfulLimit(log, options.laps)
  // two calls made twice each are not enough
  return lap.length < 3 ? { limit } : { limit, likely: watchfulLimit(log, options.likelyLaps) }
}
