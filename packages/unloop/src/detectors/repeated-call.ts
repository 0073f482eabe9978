import type { AgentLog } from '../rounds/log.js'
import type { Round } from '../rounds/round.js'
import {
  callsOf,
  isSameAnswer,
  isWaiting,
  lastWhile,
  patientLimit,
  waitLimit,
  watchfulLimit,
} from '../rounds/rounds.js'
import { defineRowDetector, type Row } from '../row.js'

export const repeatedCall = defineRowDetector({
  name: 'repeated-call',
  finds: 'the same call several times in a row with the same answer, or the same change made again',
  advice:
    'You have made this exact call several times and it gave you nothing new. Use the answer you have, change the arguments or the tool, or say what is missing.',
  early: isComingAgain,

  // curves in packages/bench/CURVES.md: at 3 look-alikes and a successful run are flagged, 5 spares no more;
  // `unproven`, `waiting`, `slow` and `moving` are guesses at a person's patience: the corpus does not decide them
  options: {
    likelySameAnswer: 3,
    sameAnswer: 4,
    sameChange: 4,
    unproven: 16,
    waiting: 25,
    slow: 60,
    moving: 30,
    changing: 60,
    unanswered: 5,
  },

  rows(log, options) {
    const last = log.rounds.at(-1)
    if (!last) return []
    const coming = isComingAgain(log)
    if (!coming && log.rounds.at(-2)?.key !== last.key) return []
    const row = rowOf(log, last, options)
    const count = row.rounds.length + (coming ? 1 : 0)
    const { detail } = row
    row.count = count
    row.detail = () => `${callsOf(last)} ${count} times in a row ${detail()}`
    return [row]
  },
})

interface Limits {
  likelySameAnswer: number
  sameAnswer: number
  sameChange: number
  unproven: number
  waiting: number
  slow: number
  moving: number
  changing: number
  unanswered: number
}

const ON_SCREEN = /click|tap|press|select|drag|stdin|keys/i

const SAME = 'with the same arguments'

/** The rounds like the last one, directly before it, and how many of them are allowed. */
function rowOf(log: AgentLog, last: Round, options: Limits): Row {
  const rounds = lastWhile(log.rounds, ({ key }) => key === last.key)
  if (!log.hasResults) {
    // without turns, parallel calls look the same as calls made one after another
    const usual = log.turns > 0 ? options.unanswered : 2 * options.unanswered - 2
    return { kind: 'no-answer', rounds, limit: patientLimit(log, usual), detail: () => SAME }
  }
  if (last.effect === 'changes' && !last.outage) {
    // most of a page or terminal stays the same; a file that gets the same text again shows an extra line
    const share = ON_SCREEN.test(last.name) ? 0.2 : 0.6
    const fruitful = rounds.findLastIndex(({ fresh, lines, screen, amounts }, index) => {
      const before = rounds[index - 1]
      if (screen === 0 || !before) return fresh > share * lines
      return screen !== before.screen || amounts !== before.amounts
    })
    return {
      kind: 'same-change',
      rounds: rounds.slice(Math.max(0, fruitful)),
      limit: patientLimit(log, options.sameChange),
      detail: () => 'and made the same change each time',
    }
  }
  const same = lastWhile(rounds, (round) => isSameAnswer(round, last))
  if (same.length < rounds.length && same.length < options.sameAnswer) {
    return {
      kind: 'endless-poll',
      rounds,
      limit: watchfulLimit(log, options.changing),
      excuse: 'the answer keeps changing',
      detail: () => `${SAME} and never finished`,
    }
  }
  return {
    kind: 'same-answer',
    rounds: same,
    ...limitFor(log, last, options),
    detail: () => `${SAME} and always returned the same answer`,
  }
}

function limitFor(
  log: AgentLog,
  last: Round,
  options: Limits,
): { limit: number; likely?: number; excuse?: string } {
  if (isWaiting(last)) {
    return {
      limit: watchfulLimit(log, waitLimit(last, options)),
      excuse: 'it is waiting for something',
    }
  }
  if (last.outage) {
    const excuse = 'the service is unreachable'
    return { limit: watchfulLimit(log, options.waiting), excuse }
  }
  if (last.effect === 'moves') return { limit: options.moving, excuse: 'it moves on' }
  // a program that succeeds may be run once more to be sure
  const sure = last.effect === 'unknown' && !last.error && !last.nothing ? 1 : 0
  return {
    limit: watchfulLimit(log, options.sameAnswer + sure),
    likely: watchfulLimit(log, options.likelySameAnswer + sure),
  }
}

/**
 * Whether the call that was just made repeats the last one, so that there is no need to wait for its answer.
 * A program may do something different each time; there it is worth waiting.
 */
function isComingAgain({ isOpen, calls, rounds }: AgentLog): boolean {
  const last = rounds.at(-1)
  if (!last || !isOpen || calls.length !== 1 || calls[0]?.key !== last.key) return false
  return last.effect !== 'unknown' || last.error || !last.answered
}
