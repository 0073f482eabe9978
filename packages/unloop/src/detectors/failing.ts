import { saidOf } from '../rounds/log.js'
import { isSameError, type Round } from '../rounds/round.js'
import {
  areNew,
  isAchievement,
  isBatch,
  isFailure,
  isSpoken,
  isWaiting,
  LIKELY_BATCH,
  patientLimit,
} from '../rounds/rounds.js'
import { defineRowDetector, type Row } from '../row.js'

export const failing = defineRowDetector({
  name: 'failing',
  finds:
    'the same error again and again, whatever the tool or its arguments; outages are reported as such',
  advice:
    'The same error keeps coming back, and trying again will not help. Read the error and find its cause, or try a different approach.',

  // curves in packages/bench/CURVES.md: 3 flags honest work, from 6 on labeled loops are missed; a new target each
  // time may be a search, two alternating errors a choice. No honest run in the corpus has more than nine errors that
  // nothing changed; loops have up to 25
  options: {
    likelySame: 4,
    same: 5,
    likelyNewSpoken: 5,
    likelyNew: 6,
    new: 7,
    likelyNewPlaces: 8,
    newPlaces: 12,
    newSearches: 20,
    batch: 40,
    likelyAlternating: 6,
    alternating: 8,
    likelyAnySpoken: 6,
    likelyAny: 8,
    any: 12,
    likelyScattered: 6,
    scattered: 8,
    likelyUnmoved: 9,
    unmoved: 14,
    outage: 12,
    window: 40,
  },

  rows(log, options) {
    const last = log.rounds.at(-1)
    if (!last || !isVain(last)) return []
    const { rounds } = log
    const row = rounds.slice(rounds.findLastIndex(isAchievement) + 1).filter(isVain)
    if (last.outage) {
      const outages = row.filter(({ outage }) => outage)
      return [
        {
          kind: 'outage',
          rounds: outages,
          limit: patientLimit(log, options.outage),
          detail: () =>
            `a service is unreachable: ${last.name} failed ${outages.length} times with ${saidOf(log)}`,
          advice: OUTAGE_ADVICE,
          identity: 'outage',
        },
      ]
    }
    const same = row.filter((round) => isRepeat(round, last))
    const others = row.filter((round) => !isSameError(round, last))
    const two = others.length > 1 && others.every((round) => isSameError(round, others[0] as Round))
    const scattered = sinceChange(rounds.slice(-options.window), last)
    const unmoved =
      last.looks < options.likelyUnmoved
        ? []
        : rounds.filter((round) => round.error && round.key === last.key && isUnmoved(round, last))
    const toRow = (
      kind: string,
      found: Round[],
      limits: [likely: number, limit: number],
      detail: string,
    ): Row => ({
      kind,
      rounds: found,
      likely: patientLimit(log, limits[0]),
      limit: patientLimit(log, limits[1]),
      detail: () => `${detail}: ${saidOf(log)}`,
      identity: kind === 'same-error' ? `${last.errorName || last.loose}` : kind,
    })
    const failed = (count: number) => `${last.name} failed ${count} times with the same error`
    return [
      toRow('same-error', same, limitsFor(same, options), failed(same.length)),
      toRow(
        'two-errors',
        two ? row : [],
        [options.likelyAlternating, areMisses(row) ? options.newSearches : options.alternating],
        `two errors alternated, ${row.length} times in all, most recently`,
      ),
      toRow(
        'errors',
        row,
        [
          isSpoken(row) ? options.likelyAnySpoken : options.likelyAny,
          isBatch(row)
            ? batchLimit(row, options)
            : areMisses(row)
              ? options.newSearches
              : options.any,
        ],
        `the last ${row.length} calls all failed, most recently with`,
      ),
      toRow('same-error', scattered, scatteredLimits(scattered, options), failed(scattered.length)),
      toRow(
        'unmoved-error',
        unmoved,
        [options.likelyUnmoved, options.unmoved],
        `${failed(unmoved.length)}, whatever was changed in between`,
      ),
    ]
  },
})

interface Limits {
  likelySame: number
  same: number
  likelyNewSpoken: number
  likelyNew: number
  new: number
  likelyNewPlaces: number
  newPlaces: number
  newSearches: number
  batch: number
  likelyScattered: number
  scattered: number
}

/** How many tries are too many: a repeated call already has its answer; a new place or question does not. */
function limitsFor(rounds: readonly Round[], options: Limits): [number, number] {
  if (!areNew(rounds)) return [options.likelySame, options.same]
  if (isBatch(rounds)) return [LIKELY_BATCH, batchLimit(rounds, options)]
  if (areMisses(rounds)) return [options.likelyNewPlaces, options.newSearches]
  const places = new Set(rounds.map(({ target }) => target))
  if (places.size === rounds.length && !places.has(0))
    return [options.likelyNewPlaces, options.newPlaces]
  return [isSpoken(rounds) ? options.likelyNewSpoken : options.likelyNew, options.new]
}

/** A batch of looks that find nothing is not less honest than other such looks. */
const batchLimit = (rounds: readonly Round[], { batch, newSearches }: Limits) =>
  areMisses(rounds) ? Math.max(batch, newSearches) : batch

/** Whether every round looked for something new and did not find it. */
const areMisses = (rounds: readonly Round[]) =>
  areNew(rounds) && rounds.every(({ nothing, error }) => nothing && !error)

function scatteredLimits(rounds: readonly Round[], options: Limits): [number, number] {
  const [likely, limit] = limitsFor(rounds, options)
  return [Math.max(likely, options.likelyScattered), Math.max(limit, options.scattered)]
}

const OUTAGE_ADVICE =
  'The service is not responding right now. Wait before you try again, or continue with something else.'

/** The same error to the letter: nothing the agent did made a difference. */
const isUnmoved = (round: Round, last: Round) =>
  round.print === last.print && round.amounts === last.amounts

/** The same error again. The same call with other numbers in its answer may be getting somewhere. */
const isRepeat = (round: Round, last: Round) =>
  isSameError(round, last) && (round.key !== last.key || round.amounts === last.amounts)

/** A failure. While waiting, finding nothing yet is not one. */
const isVain = (round: Round) => isFailure(round) && !isWaiting(round)

/** The same error from the same tool since the last change or success, whatever was read in between. */
function sinceChange(recent: readonly Round[], last: Round): Round[] {
  const change = recent.findLastIndex(
    (round) => round.changed || (round.name === last.name && !isFailure(round)),
  )
  return recent
    .slice(change + 1)
    .filter((round) => round.name === last.name && round.error && isRepeat(round, last))
}
