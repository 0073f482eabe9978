import { saidOf } from '../rounds/log.js'
import type { Round } from '../rounds/round.js'
import {
  callsOf,
  isChange,
  isFailure,
  isProgress,
  isSameAnswer,
  isWaiting,
  longestWait,
  sameArguments,
  WAITS,
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

  // curves in packages/bench/CURVES.md: at 4 an honest run is flagged, 6 spares no more
  options: { likely: 5, limit: 6, waits: WAITS },

  rows(log, options) {
    const last = log.rounds.at(-1)
    if (!last?.answered || last.outage) return []
    // polling is a look after each wait, or a wait between other calls
    const wait = longestWait(log.rounds.slice(-2))
    const recent = wait ? log.rounds : log.rounds.slice(-WINDOW)
    const since = recent.slice(recent.findLastIndex((round) => mayMatter(round, last)) + 1)
    // an acknowledgement says nothing, so it may be heard again while other looks bring news
    const isBare = (last.verdict || last.newsWords < 4) && since.some(({ learned }) => learned)
    const rounds =
      last.effect === 'moves' || (isBare && !isFailure(last)) ? [] : sameAmongOthers(since, last)
    const isPoll = wait !== undefined && since.filter(isWaiting).length >= rounds.length - 1
    // a change made again is not new, but the agent may be measuring it
    const toggles = since.some(isChange) ? TOGGLES : 0
    const unmoved =
      last.looks >= LIKELY_UNMOVED && isLook(last)
        ? log.rounds.filter(
            ({ key, print, masks }) =>
              key === last.key && print === last.print && masks === last.masks,
          )
        : []
    const vain = vainlyRepeated(log.rounds, last)
    const stretch = log.rounds.slice(-STRETCH)
    const stale = staleAmong(stretch)
    return [
      {
        kind: 'scattered',
        rounds,
        ...(isPoll
          ? {
              limit: watchfulLimit(log, waitLimit(wait, options.waits), last),
              excuse: 'it is waiting for something',
            }
          : {
              limit: watchfulLimit(log, options.limit + toggles, last),
              likely: watchfulLimit(log, options.likely + toggles, last),
            }),
        period: Math.round(since.length / Math.max(1, rounds.length)),
        detail: () =>
          `${callsOf(last)} ${rounds.length} times ${sameArguments(rounds, last)} and the same answer, and nothing ${toggles > 0 ? 'new ' : ''}was changed in between`,
      },
      {
        kind: 'unmoved',
        rounds: unmoved,
        limit: watchfulLimit(log, 4 * options.limit, last),
        likely: watchfulLimit(log, LIKELY_UNMOVED, last),
        period: Math.round(log.rounds.length / Math.max(1, unmoved.length)),
        detail: () =>
          `${callsOf(last)} ${unmoved.length} times ${sameArguments(unmoved, last)} and the same answer, whatever was changed in between`,
        advice: VAIN_ADVICE,
      },
      {
        kind: 'unmoved',
        rounds: vain,
        limit: watchfulLimit(log, 3 * options.limit, last),
        likely: watchfulLimit(log, 2 * options.limit, last),
        period: 2,
        detail: () =>
          `${last.name} gave the same answer ${vain.length} times, whatever was tried in between: ${saidOf(log)}`,
        advice: VAIN_ADVICE,
      },
      {
        kind: 'nothing-but-known',
        rounds: stale,
        // what was seen twice may be a long way that is gone again
        limit: watchfulLimit(log, isOftenSeen(stale) ? MOSTLY_STALE + 2 : STRETCH + 1, last),
        likely: watchfulLimit(log, MOSTLY_STALE, last),
        detail: () =>
          `${stale.length} of the last ${stretch.length} calls got answers that had been given before, apart from numbers`,
        advice: VAIN_ADVICE,
        identity: 'nothing-but-known',
      },
    ]
  },
})

const VAIN_ADVICE =
  'Whatever you try, you get the answers that you know. Look elsewhere for the cause, or say what is missing.'

// longer than most detours
const WINDOW = 40
// the extra repeats it takes to switch something back and forth
const TOGGLES = 3
// a look that never changes whatever is done, as far as recorded runs go: honest ones end below
const LIKELY_UNMOVED = 16

// how many of so many: a check after each change is half of them, and no honest run gets further
const STRETCH = 30
const MOSTLY_STALE = 18
// an answer with news now and then is enough
const FEW_NEWS = 3
// the rest may be other items with the same answer
const FEW_REPEATS = 8

/** The rounds that brought what was known, in a stretch in which hardly anything else came and calls were made again. */
function staleAmong(stretch: readonly Round[]): Round[] {
  if (!stretch.at(-1)?.stale || stretch.filter(({ learned }) => learned).length > FEW_NEWS)
    return []
  const stale = stretch.filter(
    (round) => round.stale && !isWaiting(round) && !round.named && !round.awaitable,
  )
  return stale.filter(({ repeated }) => repeated).length < FEW_REPEATS ? [] : stale
}

const isOftenSeen = (rounds: readonly Round[]) =>
  rounds.filter(({ looks }) => looks > 2).length >= FEW_REPEATS

/** The same calls with the same answer, unless they were made one after another, which is a repeated call. */
function sameAmongOthers(since: readonly Round[], last: Round): Round[] {
  const first = since.findIndex(({ key }) => key === last.key)
  return since.slice(first).some(({ key }) => key !== last.key)
    ? since.filter((round) => round.key === last.key && isSameAnswer(round, last))
    : []
}

/** The answers of one tool that stay the same to the number, while nothing else tells the agent anything new. */
function vainlyRepeated(rounds: readonly Round[], last: Round): Round[] {
  const { name, effect, unspoken, amounts, screen } = last
  if (isWaiting(last) || last.accepted || last.verdict || effect === 'moves') return []
  if (!isFailure(last) && last.newsWords < TELLING) return []
  const isSame = (round: Round) =>
    round.name === name &&
    round.unspoken === unspoken &&
    round.amounts === amounts &&
    round.screen === screen
  const since = rounds.slice(
    rounds.findLastIndex((round) => isNewSight(round) || (round.name === name && !isSame(round))) +
      1,
  )
  const same = since.filter(isSame)
  const isAboutThis = ({ key, target }: Round) =>
    key === last.key || (target !== 0 && target === last.target)
  const isAboutMany = !isFailure(last) && 2 * same.filter(isAboutThis).length < same.length
  // one call after another, or after each item, may go through a list
  return isAboutMany || 3 * same.length > 2 * since.length ? [] : same
}

// fewer words are an acknowledgement
const TELLING = 6

/** Something new was read, or seen on the screen. */
const isNewSight = ({ learned, changed, screen }: Round) => learned || (changed && screen !== 0)

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
