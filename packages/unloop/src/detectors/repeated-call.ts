import type { AgentLog } from '../rounds/log.js'
import type { Round } from '../rounds/round.js'
import {
  callsOf,
  isSameAnswer,
  isWaiting,
  lastWhile,
  patientLimit,
  sameArguments,
  WAITS,
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

  // curves in packages/bench/CURVES.md: at 3 look-alikes and a successful run are flagged, 5 spares no more; how long an
  // answer may change is a guess at a person's patience
  options: { likely: 3, limit: 4, polls: 60, waits: WAITS },

  rows(log, options) {
    const last = log.rounds.at(-1)
    if (!last) return []
    const coming = isComingAgain(log)
    if (!coming && log.rounds.at(-2)?.key !== last.key) return []
    const row = rowOf(log, last, options)
    const count = row.rounds.length + (coming ? 1 : 0)
    const { detail } = row
    row.count = count
    // the answer to the call that was just made is not known
    const soFar = coming && log.hasResults && row.kind === 'same-answer' ? ' so far' : ''
    row.detail = () => `${callsOf(last)} ${count} times in a row ${detail()}${soFar}`
    return [row]
  },
})

interface Limits {
  likely: number
  limit: number
  polls: number
  waits: number
}

const ON_SCREEN = /click|tap|press|select|drag|stdin|keys/i

/** The rounds like the last one, directly before it, and how many of them are allowed. */
function rowOf(log: AgentLog, last: Round, options: Limits): Row {
  const rounds = lastWhile(log.rounds, ({ key }) => key === last.key)
  if (!log.hasResults) {
    // without turns, parallel calls look the same as calls made one after another
    const usual = log.turns > 0 ? options.limit + 1 : 2 * options.limit
    return {
      kind: 'no-answer',
      rounds,
      limit: patientLimit(log, usual, last),
      detail: () => sameArguments(rounds, last),
    }
  }
  // a change that is rejected is a failure like any other
  if (last.effect === 'changes' && !last.error) {
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
      limit: patientLimit(log, options.limit, last),
      detail: () =>
        `${sameArguments(rounds, last)}, ${last.note ? 'to note' : 'to change'} the same thing`,
      advice:
        'You have made this exact change several times. Look at what it did, undo what is too much, and do something else.',
    }
  }
  const same = lastWhile(rounds, (round) => isSameAnswer(round, last))
  if (same.length < rounds.length && same.length < restLimit(rounds, options.limit)) {
    return {
      kind: 'endless-poll',
      rounds,
      limit: watchfulLimit(log, options.polls, last),
      excuse: 'the answer keeps changing',
      detail: () => `${sameArguments(rounds, last)} and never finished`,
    }
  }
  return {
    kind: 'same-answer',
    rounds: same,
    ...limitFor(log, last, options),
    detail: () => `${sameArguments(same, last)} and ${outcomeOf(last)}`,
    ...(last.error && {
      advice:
        'You have made this exact call several times, and it failed in the same way. Find the cause, change the arguments or the tool, or say what is missing.',
    }),
  }
}

const outcomeOf = ({ nothing, error }: Round) =>
  nothing
    ? 'found nothing each time'
    : error
      ? 'failed in the same way each time'
      : 'always returned the same answer'

/** How often a value may stay the same: longer if it has moved several times before. */
function restLimit(rounds: readonly Round[], limit: number): number {
  const values = new Set(rounds.map(({ print, amounts }) => print ^ amounts)).size
  return limit + Math.min(2 * limit, Math.max(0, values - 2))
}

function limitFor(
  log: AgentLog,
  last: Round,
  options: Limits,
): { limit: number; likely?: number; excuse?: string } {
  if (isWaiting(last)) {
    return {
      limit: watchfulLimit(log, waitLimit(last, options.waits), last),
      excuse: 'it is waiting for something',
    }
  }
  if (last.outage) {
    const excuse = 'the service is unreachable'
    return { limit: watchfulLimit(log, OUTAGE, last), excuse }
  }
  // rows that are changed a thousand at a time are counted
  if (last.effect === 'moves' && last.screen === 0)
    return { limit: last.amounts === 0 ? MOVES : options.polls, excuse: 'it moves on' }
  // a program that succeeds may be run once more to be sure
  const sure = last.effect === 'unknown' && !last.error && !last.nothing ? 1 : 0
  return {
    limit: watchfulLimit(log, options.limit + sure, last),
    likely: watchfulLimit(log, options.likely + sure, last),
  }
}

// guesses at a person's patience with a service that is down, and at the length of a list to scroll through
const OUTAGE = 25
const MOVES = 30

/**
 * Whether the call that was just made repeats the last one, so that there is no need to wait for its answer.
 * A program may do something different each time; there it is worth waiting.
 */
function isComingAgain({ isOpen, calls, rounds }: AgentLog): boolean {
  const last = rounds.at(-1)
  if (!last || !isOpen || calls.length !== 1 || calls[0]?.key !== last.key) return false
  return last.effect !== 'unknown' || last.error || !last.answered
}
