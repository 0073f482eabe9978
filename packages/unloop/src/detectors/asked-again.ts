import { overlap } from '../reading/prose.js'
import { MAX_REQUESTS } from '../rounds/log.js'
import { isSameError, type Round } from '../rounds/round.js'
import { isChange, isFailure, isWaiting, patientLimit } from '../rounds/rounds.js'
import { defineRowDetector, type Row } from '../row.js'

export const askedAgain = defineRowDetector({
  name: 'asked-again',
  finds:
    'the same thing asked in other words with the same answer, and answers that were given before',
  advice:
    'You have asked for this in several ways, and the answers tell you nothing new. Ask somebody or something else, find another way, or say what is missing.',

  options: { limit: 4 },

  rows(log, { limit }) {
    const likely = limit - 1
    const last = log.rounds.at(-1)
    if (!last || last.request.length === 0) return []
    const asked = log.rounds.slice(-MAX_REQUESTS)
    const tries = asked.filter((round) => isLike(round, last))
    // numbers that differ may be getting somewhere
    const vain = inOtherWords(
      tries
        .slice(tries.findLastIndex((round) => !isFailure(round) || isWaiting(round)) + 1)
        .filter(({ amounts }) => amounts === last.amounts),
    )
    const inVain: Row = {
      kind: 'asked-in-vain',
      rounds: vain,
      limit: patientLimit(log, limit + 2, last),
      likely: patientLimit(log, limit, last),
      detail: () =>
        `${last.name} was asked for nearly the same ${vain.length} times in other words, each time in vain`,
      identity: `reworded:${last.name}`,
    }
    if (!isRequest(last)) return [inVain]
    const recent = asked.filter(isRequest)
    const reworded = inOtherWords(recent.filter((round) => isReworded(round, last)))
    const similar = inOtherWords(recent.filter((round) => isSimilar(round, last)))
    const known = recent.filter((round) => isKnown(round))
    return [
      inVain,
      {
        kind: 'reworded',
        rounds: reworded,
        limit: patientLimit(log, limit, last),
        likely: patientLimit(log, likely, last),
        detail: () =>
          `${last.name} was asked for nearly the same ${reworded.length} times in other words and ${last.error ? 'failed in the same way' : 'gave the same answer'}`,
        identity: `reworded:${last.name}`,
      },
      {
        kind: 'similar-answers',
        rounds: similar,
        // what looks the same to a rule may still be getting somewhere, as in a form that is filled in
        limit: NEVER,
        likely: patientLimit(log, likely + 1, last),
        detail: () =>
          `${last.name} was asked for nearly the same ${similar.length} times in other words, did the same and gave nearly the same answer`,
        identity: `reworded:${last.name}`,
      },
      {
        kind: 'known-answers',
        rounds: isKnown(last) ? known : [],
        limit: patientLimit(log, limit, last),
        likely: patientLimit(log, likely, last),
        detail: () =>
          `at least ${known.length} of the last ${Math.min(MAX_REQUESTS, log.rounds.length)} calls got answers that had been given before`,
        identity: 'known-answers',
        advice:
          'You were given these answers before. Use them, look elsewhere, or say what is missing.',
      },
    ]
  },
})

/** The same request in the same words is a repeated call. */
const inOtherWords = (rounds: readonly Round[]) =>
  rounds.some(({ key }) => key !== rounds[0]?.key) ? rounds : []

/** A request in prose whose answer says more than "done". */
const isRequest = (round: Round) =>
  round.request.length > 0 &&
  round.answered &&
  !isWaiting(round) &&
  !round.accepted &&
  !isChange(round) &&
  !round.nothing &&
  (round.error || (!round.verdict && round.newsWords >= TELLING))

// fewer words are an acknowledgement
const TELLING = 8

const isReworded = (round: Round, last: Round) =>
  isLike(round, last) &&
  (round.print === last.print ||
    (round.error && last.error && round.amounts === last.amounts && isSameError(round, last)))

// of the words of two requests, and of two answers to them that begin with the same line
const ALIKE = 0.3
const SIMILAR = 0.5
const NEVER = 1000

/** Nearly the same request to the same tool. */
const isLike = (round: Round, last: Round) =>
  round.name === last.name && overlap(round.request, last.request) >= ALIKE

/** Whether the helper did the same and showed nearly the same, as a page that it describes anew each time. */
const isSimilar = (round: Round, last: Round) =>
  isLike(round, last) && round.first === last.first && overlap(round.reply, last.reply) >= SIMILAR

/** Whether nearly every line of the answer was there before. */
const isKnown = (round: Round) =>
  round.newsWords >= AT_LENGTH && !isFailure(round) && round.fresh <= FRESH * round.lines

const FRESH = 0.05
// a short answer may be right for many questions
const AT_LENGTH = 12
