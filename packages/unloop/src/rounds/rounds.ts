import type { AgentLog } from './log.js'
import { isSameError, type Round } from './round.js'

/** The questions that call detectors ask about rounds. */

/** Whether two rounds got the same answer; for errors, the kind counts, not the wording. */
export function isSameAnswer(one: Round, other: Round): boolean {
  if (one.answered !== other.answered) return false
  // fewer failures are progress, so the numbers in an error count here
  const sameError = one.error && other.error && one.amounts === other.amounts
  return one.print === other.print || (sameError && isSameError(one, other))
}

export const isFailure = (round: Round): boolean => round.error || round.nothing

/** Whether a round achieved anything: a new change, or news. */
export const isAchievement = (round: Round): boolean => round.changed || round.learned

/** The same, or it failed in a new way. */
export const isProgress = (round: Round): boolean => isAchievement(round) || round.newError

/** Whether a round waited for something that happens elsewhere, as far as can be seen. A failure ends the wait. */
export const isWaiting = ({ waited, error }: Round): boolean => waited !== 0 && !error

/** The round that waited the longest, if any did. */
export const longestWait = (rounds: readonly Round[]): Round | undefined =>
  rounds
    .filter(isWaiting)
    .reduce<Round | undefined>(
      (most, round) => (most && most.waited >= round.waited ? most : round),
      undefined,
    )

interface WaitLimits {
  unproven: number
  waiting: number
  slow: number
}

/** How often a wait may repeat: few times if it only says so, more if time passes, and most if each takes half a minute. */
export const waitLimit = ({ waited }: Round, { unproven, waiting, slow }: WaitLimits): number =>
  waited < 0 ? unproven : waited < 30 ? waiting : slow

/** Whether it changed something, even if not for the first time. */
export const isChange = (round: Round): boolean => round.effect === 'changes' && !isFailure(round)

/** A limit, or what the person asked for if that is more. */
export const patientLimit = ({ patience }: AgentLog, limit: number): number =>
  Math.max(limit, patience.times > 0 ? patience.times + 1 : 0)

/** The same for repeated looks: an agent that is asked to watch something has to. */
export const watchfulLimit = (log: AgentLog, limit: number): number =>
  patientLimit(log, log.patience.until ? Math.max(limit, WATCHING) : limit)

// even a person who said "until" has lost patience by then
const WATCHING = 40

/** Whether the model said something before each try after the first, which means they are not a batch. */
export const isSpoken = (rounds: readonly Round[]): boolean =>
  rounds.length > 1 && rounds.every(({ spoke }, index) => spoke || index === 0)

/** Whether nearly all of them were made for the first time. */
export const areNew = (rounds: readonly Round[]): boolean =>
  new Set(rounds.map(({ key }) => key)).size >= 0.8 * rounds.length

/** How many rounds of a batch lead to advice. */
export const LIKELY_BATCH = 8

// every limit is higher, so there is no need to look
const FEW = 3

/** Whether it looks like work on a list: one tool, a new item each time, and no words in between. */
export const isBatch = (rounds: readonly Round[]): boolean =>
  rounds.length > FEW &&
  areNew(rounds) &&
  !isSpoken(rounds) &&
  rounds.every(
    ({ name, effect, pending }) => name === rounds[0]?.name && effect !== 'waits' && !pending,
  )

/** The rounds at the end for which the test holds, oldest first. */
export const lastWhile = (rounds: readonly Round[], test: (round: Round) => boolean): Round[] =>
  rounds.slice(rounds.findLastIndex((round) => !test(round)) + 1)

/** The calls of a round, in words. */
export const callsOf = ({ name, calls }: Round): string =>
  calls === 1
    ? `${name} was called`
    : `${name} and ${calls - 1} other call${calls > 2 ? 's' : ''} were made`

/** How close a count is to its limit. */
export const toPressure = (count: number, limit: number, excuse?: string) => ({
  pressure: Math.min(1, Math.max(0, count - 1) / Math.max(1, limit - 1)),
  count,
  limit,
  ...(excuse === undefined ? {} : { excuse }),
})
