import { saidOf } from '../rounds/log.js'
import type { Round } from '../rounds/round.js'
import {
  areNew,
  isBatch,
  isFailure,
  isProgress,
  isSpoken,
  isWaiting,
  LIKELY_BATCH,
  lastWhile,
  watchfulLimit,
} from '../rounds/rounds.js'
import { defineRowDetector } from '../row.js'

export const sameAnswer = defineRowDetector({
  name: 'same-answer',
  finds: 'different calls that all get the same answer, or nothing new',
  advice:
    'Your last calls told you nothing new. What you are looking for is probably not there, or has a different name. Say what you know, then try a different approach or ask for help.',

  // curves in packages/bench/CURVES.md: 6 and 10 flag no honest run either, so there is some room; at 3 `echoed`
  // flags a run labeled honest
  options: {
    likelySpoken: 5,
    likely: 6,
    limit: 7,
    batch: 40,
    likelyBarren: 10,
    barren: 12,
    echoed: 4,
    unproven: 16,
    waiting: 60,
  },

  rows(log, options) {
    const { limit, batch, barren, echoed, unproven, waiting } = options
    const { rounds } = log
    const same = sameAnswers(rounds)
    const nothing = lastWhile(rounds, (round) => round.answered && !isProgress(round)).filter(
      (round) => isIdle(round) || (isTelling(round) && !isSecondLook(round) && !isVerdict(round)),
    )
    const echoes = lastWhile(rounds, (round) => round.echoed && !round.error && !round.changed)
    const waits = lastWhile(rounds, (round) => isWaiting(round) && !isProgress(round))
    return [
      {
        kind: 'endless-wait',
        rounds: waits,
        limit: watchfulLimit(log, waits.some(({ waited }) => waited > 0) ? waiting : unproven),
        detail: () => `the last ${waits.length} calls only waited, and nothing came of it`,
        identity: 'endless-wait',
      },
      {
        kind: 'same-answer',
        rounds: same,
        limit: watchfulLimit(log, isSurvey(same) || isBatch(same) ? batch : limit),
        ...(!isSurvey(same) && {
          likely: watchfulLimit(
            log,
            isBatch(same) ? LIKELY_BATCH : isSpoken(same) ? options.likelySpoken : options.likely,
          ),
        }),
        detail: () => `${same.length} different calls in a row got the same answer: ${saidOf(log)}`,
        identity: 'same-answer',
      },
      {
        kind: 'nothing-new',
        rounds: nothing,
        limit: watchfulLimit(log, isBatch(nothing) ? batch : barren),
        likely: watchfulLimit(log, options.likelyBarren),
        detail: () => `the last ${nothing.length} calls brought nothing new and changed nothing`,
        identity: 'nothing-new',
      },
      {
        kind: 'self-talk',
        rounds: echoes,
        limit: watchfulLimit(log, echoed),
        detail: () =>
          `the last ${echoes.length} calls only echoed what they were given: ${saidOf(log)}`,
        identity: 'self-talk',
      },
    ]
  },
})

/** The last rounds with the same answer as the last one, if they asked for different things. */
function sameAnswers(rounds: readonly Round[]): Round[] {
  const last = rounds.at(-1)
  if (!last?.answered || isFailure(last) || !isTelling(last)) return []
  const row = lastWhile(
    rounds,
    (round) => round.answered && !round.changed && round.news === last.news,
  )
  const asked = new Set(row.map(({ key }) => key)).size
  return 2 * asked >= row.length ? row : []
}

/** A change or a program that only says "done" tells nothing either way; neither does a wait or a step forward. */
function isTelling(round: Round): boolean {
  if (isWaiting(round) || round.effect === 'moves' || round.accepted) return false
  const isLook = round.effect === 'reads' || round.effect === 'waits'
  if (isFailure(round) || round.newsWords >= (isLook ? 1 : 12)) return true
  // a program that prints figures has said something
  return round.amounts !== 0 && round.newsWords >= 3 && !round.verdict
}

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

/** The same verdict on one new place after another is information. */
const isSurvey = (rounds: readonly Round[]) => rounds.every(isVerdict) && areNew(rounds)
