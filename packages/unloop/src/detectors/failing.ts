import { type AgentLog, saidOf } from '../rounds/log.js'
import { isSameError, type Round } from '../rounds/round.js'
import {
  areNew,
  batchLimit,
  isAchievement,
  isBatch,
  isFailure,
  isMoving,
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
  // time may be a search, and a batch goes through a list whatever becomes of its items
  options: { likely: 4, limit: 5, places: 12, batch: 40 },

  rows(log, options) {
    const last = log.rounds.at(-1)
    if (!last || !isVain(last)) return []
    const { rounds } = log
    const row = rounds.slice(rounds.findLastIndex(isAchievement) + 1).filter(isVain)
    if (last.outage) return [outage(log, last, row, options)]
    const { likely, limit, places } = options
    const same = sinceSuccess(
      rounds,
      row.filter((round) => isRepeat(round, last)),
    )
    const others = row.filter((round) => !isSameError(round, last))
    const two =
      others.length > 1 &&
      row.length - others.length > 1 &&
      others.every((round) => isSameError(round, others[0] as Round))
    // an error of a new kind is news, even if it is the only one
    const known = row.filter(({ newError }) => !newError)
    const scattered = sinceChange(rounds.slice(-WINDOW), last)
    const again = last.looks < likely ? [] : triesOf(rounds, ({ key }) => key === last.key)
    const unmoved = again.filter((round) => isUnmoved(round, last))
    const alike = again.filter(
      (round) => round.unspoken === last.unspoken || isStandingStill(round, last),
    )
    const stubborn = amongOthers(
      rounds,
      triesOf(rounds, ({ name }) => name === last.name).filter((round) =>
        isStandingStill(round, last),
      ),
    )
    const returned = returnsOf(again)
    const tries = rounds.slice(row[0] ? rounds.indexOf(row[0]) : rounds.length)
    const toRow = (
      kind: string,
      found: Round[],
      [fewest, most]: [likely: number, limit: number],
      detail: () => string,
      advice?: string,
    ): Row => ({
      kind,
      rounds: found,
      likely: patientLimit(log, fewest, last),
      limit: patientLimit(log, most, last),
      detail: () => detail() + quoted(log),
      ...(found.length > 0 && found.every(({ error }) => !error)
        ? { advice: MISS_ADVICE }
        : advice && { advice }),
      identity: kind === 'same-error' ? `${last.errorName || last.loose}` : kind,
    })
    const scatteredLimits = limitsFor(scattered, options)
    return [
      toRow('same-error', same, limitsFor(same, options), () => failed(same)),
      toRow(
        'two-errors',
        two ? row : [],
        [limit + 1, areMisses(row) ? 4 * limit : limit + 3],
        () =>
          `two kinds of ${row.every(({ error }) => error) ? 'errors' : 'errors or empty results'} came ${row.length} times in all`,
        row.every(({ error }) => error)
          ? 'The same two errors keep coming back, and trying again will not help. Read them and find their cause, or try a different approach.'
          : MIXED_ADVICE,
      ),
      toRow(
        'errors',
        2 * known.length >= row.length ? row : known,
        [isSpoken(row) ? likely + 2 : 2 * likely, mixedLimit(row, tries, options)],
        () => failedInAll(row, tries.length),
        MIXED_ADVICE,
      ),
      toRow(
        'same-error',
        scattered,
        [Math.max(scatteredLimits[0], likely + 2), Math.max(scatteredLimits[1], limit + 3)],
        () => failed(scattered),
      ),
      toRow(
        'unmoved-error',
        unmoved,
        [limit + 3, 2 * limit],
        () => `${failed(unmoved)}, whatever was changed in between`,
      ),
      // numbers that differ may be getting somewhere
      toRow(
        'unmoved-error',
        isMoving(alike) ? [] : alike,
        // and so may an error in another place each time
        [
          2 * limit - 1,
          alike.some(({ fresh, amounts }) => fresh === 0 || amounts !== last.amounts)
            ? places + 2
            : NEVER,
        ],
        () =>
          `${last.name} failed ${alike.length} times in the same way, whatever was changed in between`,
      ),
      toRow(
        'returning-error',
        returned,
        [likely, limit + 1],
        () =>
          `${last.name} failed as before ${returned.length} times, after it had failed in another way`,
      ),
      toRow(
        'same-error',
        stubborn,
        [2 * limit - 1, stubbornLimit(stubborn, options)],
        () => `${failed(stubborn)}, with other work in between`,
      ),
    ]
  },
})

const NEVER = 1000

// how far back other work is looked over
const WINDOW = 40

/** Of a batch, the failures since one of its items worked: answers that differ tell items apart. */
function sinceSuccess(rounds: readonly Round[], row: Round[]): Round[] {
  if (!isBatch(row)) return row
  const success = rounds.findLast((round) => round.name === row[0]?.name && !isFailure(round))
  return row.filter(({ number }) => number > (success?.number ?? -1))
}

/** These tries, if other tools were used in between. */
function amongOthers(rounds: readonly Round[], tries: Round[]): Round[] {
  const [first] = tries
  if (!first) return tries
  return rounds.slice(rounds.indexOf(first)).some(({ name }) => name !== first.name) ? tries : []
}

/** How many failures are too many with other work in between; each item of a list may be worked on before it fails. */
const stubbornLimit = (tries: readonly Round[], { places, batch }: Limits): number =>
  isBatch(tries) ? Math.min(batchLimit(tries, batch), 2 * places) : places

/** The failures of these calls since one of them last succeeded. */
function triesOf(rounds: readonly Round[], test: (round: Round) => boolean): Round[] {
  const tries = rounds.filter(test)
  return tries
    .slice(tries.findLastIndex((round) => !isFailure(round)) + 1)
    .filter(({ error }) => error)
}

/** The failures that bring back an error after another one. */
const returnsOf = (tries: readonly Round[]): Round[] =>
  tries.filter((round, at) => {
    const before = tries[at - 1]
    if (!before || isSameError(before, round)) return false
    return tries.slice(0, at - 1).some((earlier) => isSameError(earlier, round))
  })

/** What was quoted, if there was anything. */
function quoted(log: AgentLog): string {
  const said = saidOf(log)
  return said.trim() === '' ? '' : `: ${said}`
}

/** What became of these calls, in words. */
function failed(rounds: readonly Round[]): string {
  const last = rounds.at(-1) as Round
  const who = rounds.every(({ name }) => name === last.name) ? last.name : 'several tools'
  if (rounds.every(({ error }) => !error)) return `${who} found nothing ${rounds.length} times`
  const isOne = rounds.every(({ loose }) => loose === last.loose)
  return `${who} failed ${rounds.length} times with the same ${isOne ? 'error' : 'kind of error'}`
}

/** How many of the last calls did not work, in words. */
function failedInAll(row: readonly Round[], tries: number): string {
  const misses = row.filter(({ error }) => !error).length
  const what =
    misses === 0 ? 'failed' : misses === row.length ? 'found nothing' : 'failed or found nothing'
  return row.length === tries
    ? `the last ${tries} calls all ${what}`
    : `${row.length} of the last ${tries} calls ${what}, and the others brought nothing new`
}

function outage(log: AgentLog, last: Round, row: readonly Round[], { places }: Limits): Row {
  // reports of different outages are something to read
  const outages = row.filter((round) => round.outage && isSameError(round, last))
  return {
    kind: 'outage',
    rounds: outages,
    limit: patientLimit(log, places, last),
    detail: () =>
      `a service is unreachable: ${last.name} failed ${outages.length} times with ${saidOf(log)}`,
    advice: OUTAGE_ADVICE,
    identity: 'outage',
  }
}

interface Limits {
  likely: number
  limit: number
  places: number
  batch: number
}

/** How many tries are too many: a repeated call already has its answer; a new place or question does not. */
function limitsFor(rounds: readonly Round[], options: Limits): [number, number] {
  const { likely, limit, places } = options
  if (!areNew(rounds)) return [likely, limit]
  const isSearch = areMisses(rounds)
  // "there is no such tool" is not about the item, so it is the same for all that are left
  if (rounds.some(({ unusable }) => unusable))
    return [isSpoken(rounds) ? likely + 1 : likely + 2, limit + 2]
  if (isBatch(rounds) && !isOnePlace(rounds)) return [LIKELY_BATCH, listLimit(rounds, options)]
  if (isSearch) return [2 * likely, 4 * limit]
  const targets = new Set(rounds.map(({ target }) => target))
  if (targets.size === rounds.length && !targets.has(0)) return [2 * likely, places]
  return [isSpoken(rounds) ? likely + 1 : likely + 2, limit + 2]
}

const EDITS = /edit|replace|write|patch|insert/i

/** Changes of one file that are rejected are no list to go through. */
const isOnePlace = ([first, ...rest]: readonly Round[]) =>
  first !== undefined &&
  EDITS.test(first.name) &&
  first.target !== 0 &&
  rest.every(({ target }) => target === first.target)

/** How many failures of several kinds are too many; of a batch, what succeeds in between counts, too. */
function mixedLimit(row: readonly Round[], tries: readonly Round[], options: Limits): number {
  if (isBatch(row)) return Math.max(listLimit(row, options), batchLimit(tries, options.batch))
  return areMisses(row) ? 4 * options.limit : options.places
}

/** How long a list may be of which nothing works; to look for many things and find none is honest work, too. */
const listLimit = (rounds: readonly Round[], { limit, batch }: Limits) =>
  Math.max(batchLimit(rounds, batch), areMisses(rounds) ? 8 * limit : 0)

/** Whether every round looked for something new and did not find it. */
const areMisses = (rounds: readonly Round[]) =>
  areNew(rounds) && rounds.every(({ nothing, error }) => nothing && !error)

const MISS_ADVICE =
  'You keep finding nothing. Follow what the answers suggest, if they suggest anything; look elsewhere or under another name, or say that it cannot be found.'

const MIXED_ADVICE =
  'Your last calls did not get you anywhere. Step back: read what they said, find what they have in common, and try a different approach.'

const OUTAGE_ADVICE =
  'The service is not responding right now. Wait before you try again, or continue with something else.'

/** The same error to the letter: nothing the agent did made a difference. */
const isUnmoved = (round: Round, last: Round) =>
  round.print === last.print && round.amounts === last.amounts

/**
 * The same kind of error, in which no number has moved. If something else was tried, that may be what differs; if not, what
 * is to blame is the same as well.
 */
const isStandingStill = (round: Round, last: Round) =>
  isSameError(round, last) &&
  round.amounts === last.amounts &&
  (round.looks > 1
    ? round.print === last.print || round.fresh === 0
    : round.unspoken === last.unspoken || 3 * round.fresh <= round.lines)

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
