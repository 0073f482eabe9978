import { saidOf } from '../log.js'
import { isSameError, type Round } from '../round.js'
import { isAchievement, isFailure, isWaiting, patientLimit } from '../rounds.js'
import { defineRowDetector, type Row } from '../row.js'

export const failing = defineRowDetector({
  name: 'failing',
  finds: 'one error again and again, whatever the tool or its arguments; an outage is told apart',
  advice:
    'The same error keeps coming back. Trying again will not help: read what it says, find its cause first, or try a different way.',

  // curves in packages/bench/CURVES.md: 3 flags honest work, from 6 on labelled loops are missed; with a new
  // target each time it may be a search, with two errors in turn a choice. No honest run of the corpus has more than
  // nine errors that nothing moved, loops have up to 25
  options: {
    same: 5,
    newTargets: 7,
    alternating: 8,
    any: 12,
    scattered: 8,
    outage: 12,
    unmoved: 14,
    window: 40,
  },

  rows(log, options) {
    const last = log.rounds.at(-1)
    if (!last || !isVain(last)) return []
    const { rounds } = log
    const row = rounds.slice(rounds.findLastIndex(isAchievement) + 1).filter(isVain)
    if (last.outage) {
      return [
        {
          kind: 'outage',
          rounds: row,
          limit: patientLimit(log, options.outage),
          detail: () =>
            `a service is out of reach: ${last.name} failed ${row.length} times with ${saidOf(log)}`,
          advice: OUTAGE_ADVICE,
          identity: 'outage',
        },
      ]
    }
    const same = row.filter((round) => isRepeat(round, last))
    const others = row.filter((round) => !isSameError(round, last))
    const two = others.every((round) => isSameError(round, others[0] as Round))
    const newTargets = new Set(same.map(({ key }) => key)).size === same.length
    const scattered = sinceChange(rounds.slice(-options.window), last)
    const allNew = new Set(scattered.map(({ key }) => key)).size === scattered.length
    const scatteredLimit = allNew
      ? Math.max(options.scattered, options.newTargets)
      : options.scattered
    const toRow = (kind: string, found: Round[], limit: number, detail: () => string): Row => ({
      kind,
      rounds: found,
      limit: patientLimit(log, limit),
      detail: () => `${detail()}: ${saidOf(log)}`,
      identity: kind === 'same-error' ? `${last.loose}` : kind,
    })
    const unmoved = rounds.filter(
      (round) => round.error && round.key === last.key && isUnmoved(round, last),
    )
    const failed = (count: number) => () => `${last.name} failed ${count} times with the same error`
    return [
      toRow(
        'same-error',
        same,
        newTargets ? options.newTargets : options.same,
        failed(same.length),
      ),
      toRow(
        'two-errors',
        two ? row : [],
        options.alternating,
        () => `two errors came in turn, ${row.length} times in all, the last`,
      ),
      toRow(
        'errors',
        row,
        options.any,
        () => `the last ${row.length} calls all failed, the last with`,
      ),
      toRow('same-error', scattered, scatteredLimit, failed(scattered.length)),
      toRow(
        'unmoved-error',
        unmoved,
        options.unmoved,
        () =>
          `${last.name} failed ${unmoved.length} times with the same error, whatever was changed in between`,
      ),
    ]
  },
})

const OUTAGE_ADVICE =
  'The service does not answer now. Wait before you try again, or go on with something else.'

/** The same error to the letter: nothing that was done has moved it. */
const isUnmoved = (round: Round, last: Round) =>
  round.print === last.print && round.amounts === last.amounts

/** The same error again; but the same call with other numbers in its answer may be on its way. */
const isRepeat = (round: Round, last: Round) =>
  isSameError(round, last) && (round.key !== last.key || round.amounts === last.amounts)

/** Who waits has not failed if there is nothing yet. */
const isVain = (round: Round) => isFailure(round) && !isWaiting(round)

/** The same error of the same tool since something was changed or it worked, whatever was read in between. */
function sinceChange(recent: readonly Round[], last: Round): Round[] {
  const change = recent.findLastIndex(
    (round) => round.changed || (round.name === last.name && !isFailure(round)),
  )
  return recent
    .slice(change + 1)
    .filter((round) => round.name === last.name && round.error && isRepeat(round, last))
}
