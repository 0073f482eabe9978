import type { AgentLog } from './log.js'
import { PROVEN, type Round } from './round.js'

/** The questions that call detectors ask about rounds. */

/** Whether two rounds got the same answer; for errors, the kind counts, not the wording. */
export function isSameAnswer(one: Round, other: Round): boolean {
  if (one.answered !== other.answered) return false
  // fewer failures are progress, so the numbers in an error count here
  const sameError = one.error && other.error && one.amounts === other.amounts
  return one.print === other.print || (sameError && one.loose === other.loose)
}

export const isFailure = (round: Round): boolean => round.error || round.nothing

/** Whether a round achieved anything: a new change, or news. */
export const isAchievement = (round: Round): boolean => round.changed || round.learned

/** The same, or it failed in a new way. */
export const isProgress = (round: Round): boolean => isAchievement(round) || round.newError

/**
 * Whether a round waited for something that happens elsewhere, as far as can be seen. A failure ends the wait, unless time
 * has passed or the answer says that it goes on: a check that is not green yet often exits with an error.
 */
export const isWaiting = ({ waited, error, pending }: Round): boolean =>
  waited > 0 || (waited !== 0 && (!error || pending))

/** The round that waited the longest, if any did. */
export const longestWait = (rounds: readonly Round[]): Round | undefined =>
  rounds
    .filter(isWaiting)
    .reduce<Round | undefined>(
      (most, round) => (most && most.waited >= round.waited ? most : round),
      undefined,
    )

// guesses at the patience of a person; recorded runs do not decide them
export const WAITS = 40

/** How often a wait may repeat: few times if it only says so, more if time passes, and most if each takes half a minute. */
export const waitLimit = ({ waited }: Pick<Round, 'waited'>, waits = WAITS): number =>
  Math.round(waits * (waited < PROVEN ? UNPROVEN : waited < 30 ? 1 : SLOW))

const UNPROVEN = 0.4
const SLOW = 1.2

/** Whether it changed something, even if not for the first time. */
export const isChange = (round: Round): boolean => round.effect === 'changes' && !isFailure(round)

/** A limit, or what the person asked for if that is more and these are the calls they meant. */
export function patientLimit({ patience }: AgentLog, limit: number, round?: Round): number {
  const { times, about } = patience
  if (times === 0 || !round) return limit
  // an order that names nothing, as "ten times", is not about looking at a file ten times
  const isLook = round.effect === 'reads' || round.effect === 'moves'
  const isMeant = about.length > 0 ? round.named : round.awaitable || !isLook
  return isMeant ? Math.max(limit, times + 1) : limit
}

/** The same for repeated looks: an agent that is asked to watch something has to. */
export function watchfulLimit(log: AgentLog, limit: number, round?: Round): number {
  const patient = patientLimit(log, limit, round)
  if (!log.patience.until || !round) return patient
  const isNamed = log.patience.about.length === 0 ? round.effect !== 'reads' : round.named
  const isMeant = round.awaitable || (isNamed && !isFailure(round))
  return isMeant ? Math.max(patient, WATCHING) : patient
}

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

/** How long a batch may be: one that counts goes to the end of its range, and answers that alternate tell one bit each. */
export const batchLimit = (rounds: readonly Round[], batch: number): number =>
  rounds.every(({ newsWords }) => newsWords < FEW_WORDS) && (isCounting(rounds) || isMixed(rounds))
    ? RANGE
    : batch

/** Whether something works now and then, and no answer is nearly the only one. */
function isMixed(rounds: readonly Round[]): boolean {
  if (rounds.every(isFailure)) return false
  const times = new Map<number, number>()
  for (const { news } of rounds) times.set(news, (times.get(news) ?? 0) + 1)
  return Math.max(...times.values()) <= MOSTLY * rounds.length
}

const MOSTLY = 0.8

// as of two digits
const RANGE = 100
// "no", "wrong", "not free": a page that comes again is longer
const FEW_WORDS = 6

/** Whether the calls go through a range of numbers, step by step. */
function isCounting(rounds: readonly Round[]): boolean {
  const [first, second] = rounds
  const step = (second?.ordinal ?? 0) - (first?.ordinal ?? 0)
  return (
    step !== 0 &&
    rounds.every(
      ({ ordinal }, i) =>
        ordinal !== 0 && (i === 0 || ordinal - (rounds[i - 1]?.ordinal ?? 0) === step),
    )
  )
}

/** Whether it looks like work on a list: one tool, a new item each time, and neither words nor programs in between. */
export const isBatch = (rounds: readonly Round[]): boolean =>
  rounds.length > FEW &&
  areNew(rounds) &&
  !isSpoken(rounds) &&
  rounds.every(
    ({ name, effect, pending, script }) =>
      name === rounds[0]?.name && effect !== 'waits' && !pending && !script,
  )

/** Whether the answers get shorter or their numbers move in one direction, which means that something gets somewhere. */
export const isMoving = (rounds: readonly Round[]): boolean =>
  goesOneWay(rounds.map(({ figure }) => figure)) ||
  goesOneWay(
    rounds.map(({ lines }) => -lines),
    1,
  )

function goesOneWay(figures: readonly number[], only = 0): boolean {
  let up = 0
  let down = 0
  for (const [index, figure] of figures.entries()) {
    const before = figures[index - 1] ?? figure
    if (figure > before) up++
    if (figure < before) down++
  }
  const most = only > 0 ? up : Math.max(up, down)
  // it may rest, but then it never goes back
  const share = Math.min(up, down) > 0 ? ONE_WAY : NEVER_BACK
  return most >= share * (figures.length - 1) && figures.length > 3
}

// a step back now and then is normal
const ONE_WAY = 0.7
const NEVER_BACK = 0.3

/** The rounds at the end for which the test holds, oldest first. */
export const lastWhile = (rounds: readonly Round[], test: (round: Round) => boolean): Round[] =>
  rounds.slice(rounds.findLastIndex((round) => !test(round)) + 1)

/** The calls of a round, in words. */
export const callsOf = ({ name, calls }: Round): string =>
  calls === 1
    ? `${name} was called`
    : `${name} and ${calls - 1} other call${calls > 2 ? 's' : ''} were made`

/** Whether it is the same call to the letter, or only in what matters. */
export const sameArguments = (rounds: readonly Round[], { exact }: Round) =>
  rounds.every((round) => round.exact === exact)
    ? 'with the same arguments'
    : 'with arguments that only differ in explanations or time limits'

/** How close a count is to its limit. */
export const toPressure = (count: number, limit: number, excuse?: string) => ({
  pressure: Math.min(1, Math.max(0, count - 1) / Math.max(1, limit - 1)),
  count,
  limit,
  ...(excuse === undefined ? {} : { excuse }),
})
