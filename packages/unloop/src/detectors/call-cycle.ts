import type { AgentLog } from '../rounds/log.js'
import type { Round } from '../rounds/round.js'
import {
  isChange,
  isSameAnswer,
  longestWait,
  WAITS,
  waitLimit,
  watchfulLimit,
} from '../rounds/rounds.js'
import { defineRowDetector, type Row } from '../row.js'

export const callCycle = defineRowDetector({
  name: 'call-cycle',
  finds: 'several calls repeated in the same order with the same answers',
  advice:
    'You are going in circles: the same calls in the same order with the same answers. Say what the answers mean, then try a different approach.',

  // curves in packages/bench/CURVES.md: from 4 on loops are reported later, and two laps are only one repeat
  options: { limit: 3, waits: WAITS },

  rows(log, options) {
    const rows: Row[] = []
    for (let period = 2; period <= MAX_PERIOD; period++) {
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

// the log of rounds has room for three laps
const MAX_PERIOD = 40

function lapLimits(
  log: AgentLog,
  lap: readonly Round[],
  { limit, waits }: { limit: number; waits: number },
): Pick<Row, 'limit' | 'likely'> {
  // an order may name one call of several
  const last = lap.find(({ named }) => named) ?? lap.at(-1)
  const wait = longestWait(lap)
  if (wait) return { limit: watchfulLimit(log, waitLimit(wait, waits), last) }
  if (!log.hasResults) return { limit: watchfulLimit(log, limit + 2, last) }
  // a map may be explored in zigzags
  if (lap.every(({ effect }) => effect === 'moves')) return { limit: 2 * limit }
  // something may be switched back and forth on purpose
  if (lap.some(isChange)) return { limit: watchfulLimit(log, limit + 1, last) }
  const proof = watchfulLimit(log, limit, last)
  // two calls made twice each are not enough
  return lap.length < 3
    ? { limit: proof }
    : { limit: proof, likely: watchfulLimit(log, limit - 1, last) }
}
