import { saidOf } from '../rounds/log.js'
import type { Round } from '../rounds/round.js'
import {
  areNew,
  batchLimit,
  isBatch,
  isFailure,
  isProgress,
  isSpoken,
  isWaiting,
  LIKELY_BATCH,
  lastWhile,
  longestWait,
  WAITS,
  waitLimit,
  watchfulLimit,
} from '../rounds/rounds.js'
import { defineRowDetector } from '../row.js'

export const sameAnswer = defineRowDetector({
  name: 'same-answer',
  finds: 'different calls that all get the same answer, or nothing new',
  advice:
    'Your last calls told you nothing new. Say what you know so far, then try a different approach or ask for help.',

  // curves in packages/bench/CURVES.md: 6 and 10 flag no honest run either, so there is some room; at 3 `echoed`
  // flags a run labeled honest
  options: { likely: 5, limit: 7, batch: 40, barren: 12, waits: WAITS },

  rows(log, options) {
    const { likely, limit, batch, barren } = options
    const { rounds } = log
    const last = rounds.at(-1)
    const watchful = (count: number) => watchfulLimit(log, count, last)
    const same = sameAnswers(rounds)
    const nothing = lastWhile(rounds, (round) => round.answered && !isProgress(round)).filter(
      (round) =>
        isIdle(round) ||
        (isTelling(round) &&
          !isSecondLook(round) &&
          !isFirstWord(round) &&
          !isNewPlace(round, rounds)),
    )
    const echoes = lastWhile(rounds, (round) => round.echoed && !isFailure(round) && !round.changed)
    // a look after each wait is part of it
    const waits = lastWhile(rounds, (round) => isWaiting(round) && !isProgress(round)).filter(
      ({ effect }, at, all) => effect === 'waits' || all[at - 1]?.effect !== 'waits',
    )
    return [
      {
        kind: 'endless-wait',
        rounds: waits,
        limit: watchful(waitLimit(longestWait(waits) ?? NO_WAIT, options.waits)),
        detail: () => `the last ${waits.length} calls only waited, and nothing came of it`,
        identity: 'endless-wait',
      },
      {
        kind: 'same-answer',
        rounds: same,
        limit: watchful(isSurvey(same) || isBatch(same) ? batchLimit(same, batch) : limit),
        ...(!isSurvey(same) && {
          likely: watchful(isBatch(same) ? LIKELY_BATCH : isSpoken(same) ? likely : likely + 1),
        }),
        detail: () => `${countCalls(same)} in a row got the same answer: ${saidOf(log)}`,
        identity: 'same-answer',
      },
      {
        kind: 'nothing-new',
        rounds: nothing,
        limit: watchful(
          isBatch(nothing) ? (nothing.some(isIdle) ? batch : batchLimit(nothing, batch)) : barren,
        ),
        likely: watchful(barren - 2),
        detail: () => `the last ${nothing.length} calls brought nothing new and changed nothing`,
        identity: 'nothing-new',
      },
      {
        kind: 'self-talk',
        rounds: echoes,
        limit: watchful(ECHOES),
        detail: () =>
          `the last ${echoes.length} calls printed little more than what they were given: ${saidOf(log)}`,
        identity: 'self-talk',
      },
    ]
  },
})

// curve in packages/bench/CURVES.md of before: at 3 a run labeled honest is flagged
const ECHOES = 4
const NO_WAIT = { waited: -1 }

/** How many calls there were, and how many of them differed. */
function countCalls(rounds: readonly Round[]): string {
  const different = new Set(rounds.map(({ key }) => key)).size
  return different === rounds.length
    ? `${different} different calls`
    : `${rounds.length} calls (${different} different ones)`
}

/** The last rounds with the same answer as the last one, if they asked for different things. */
function sameAnswers(rounds: readonly Round[]): Round[] {
  const last = rounds.at(-1)
  if (!last?.answered || isFailure(last) || !isTelling(last)) return []
  // what a program prints may be made of its own words
  const print = last.effect === 'unknown' ? 'print' : 'news'
  const isSame = (round: Round) => round.answered && !round.changed && round[print] === last[print]
  const after = lastWhile(rounds, (round) => isSame(round) && !isNewPage(round))
  // the first one was news
  const first = rounds.at(-1 - after.length)
  const row = first && isSame(first) ? [first, ...after] : after
  const asked = new Set(row.map(({ key }) => key)).size
  return asked > 1 ? row : []
}

/** Something long of which a new part is shown, though its lines only differ in times and numbers. */
const isNewPage = ({ fresh, novel, lines }: Round) => lines >= 8 && fresh + novel > 0.1 * lines

/** A change or a program that only says "done" tells nothing either way; neither does a wait or a step forward. */
function isTelling(round: Round): boolean {
  if (isWaiting(round) || round.effect === 'moves' || round.accepted) return false
  const isLook = round.effect === 'reads' || round.effect === 'waits'
  if (isFailure(round) || round.newsWords >= (isLook ? 1 : 12) || round.lines >= MANY_LINES)
    return true
  // a program that prints figures has said something, and one that says the same again and again, too
  const isKnown = round.looks > MANY_LOOKS && round.newsWords >= 5
  return (isKnown || (round.amounts !== 0 && round.newsWords >= 3)) && !round.verdict
}

const MANY_LOOKS = 3
// as of a list with one word per line
const MANY_LINES = 5

/** Notes, changes that are undone, and steps that leave the page unchanged lead nowhere. */
const isIdle = ({ effect, note, undoes, screen, changed }: Round) =>
  note || (!changed && (undoes !== 0 || (effect === 'changes' && screen !== 0)))

/** Looking twice is normal; the third look counts. */
const isSecondLook = (round: Round) => !isFailure(round) && round.looks === 2

/** A few words about a place that was not asked about before. */
const isVerdict = (round: Round) =>
  round.looks === 1 &&
  (round.verdict || (round.target !== 0 && round.newsWords < 12)) &&
  !isFailure(round)

/** A short answer to a question that was not asked before says something, even in words that were heard before. */
const isFirstWord = (round: Round) =>
  round.looks === 1 &&
  !isFailure(round) &&
  (round.verdict || (round.newsWords < 12 && round.lines < MANY_LINES))

/** A program that worked on something it had not been called for before. */
const isNewPlace = (round: Round, rounds: readonly Round[]) =>
  round.effect === 'unknown' &&
  round.target !== 0 &&
  !isFailure(round) &&
  rounds.every((other) => other.number >= round.number || other.target !== round.target)

/** The same verdict on one new place after another is information. */
const isSurvey = (rounds: readonly Round[]) => rounds.every(isVerdict) && areNew(rounds)
