import { LAST } from './inverse.js'
import { isSameError, type Round } from './round.js'

/**
 * A change counts once; again only if its answer is new, and never directly after itself. Notes to itself do not count as
 * a change, and neither does a step that leaves a page as it was.
 */
export function isNewChange(round: Round, rounds: readonly Round[]): boolean {
  if (round.effect !== 'changes' || round.error || round.nothing || round.note) return false
  // the page looks as it did before
  if (round.lines >= PAGE && round.fresh === 0) return false
  if (round.screen !== 0) return !rounds.some(({ screen }) => screen === round.screen)
  if (!round.repeated) return true
  if (rounds.at(-1)?.key === round.key) return false
  return !rounds.some(({ key, print }) => key === round.key && print === round.print)
}

/**
 * An answer is news if enough of it is new; a short failure is not, and neither is a rejection that shows what it rejects, or
 * an error that was there before. A call without an answer gets credit once.
 */
export function isNews(round: Round): boolean {
  if (!round.answered) return !round.repeated
  const { screen, effect, error, nothing, size, lines, fresh } = round
  // its change is visible on the screen
  if (screen !== 0 && effect === 'changes') return false
  if (round.accepted || ((error || nothing) && size < SHORT)) return false
  if (error && effect === 'changes') return false
  return fresh + (isPage(round) ? round.novel : 0) > 0.1 * lines
}

// an answer of this many characters says more than that it failed
const SHORT = 400

/** A new place of something long, such as a log, in which only times and numbers differ from the one before. */
const isPage = ({ looks, effect, lines }: Round) =>
  looks === 1 && effect === 'reads' && lines >= PAGE

// fewer lines are an acknowledgement
const PAGE = 8

export function isNewError(round: Round, rounds: readonly Round[]): boolean {
  return (round.error || round.nothing) && !rounds.some((other) => isSameError(round, other))
}

/** Whether a step forward shows numbers or lines that were not shown before. */
export function isElsewhere(round: Round, rounds: readonly Round[]): boolean {
  const { name, amounts, novel, lines } = round
  if (novel > 0.1 * lines) return true
  return amounts !== 0 && !rounds.some((other) => other.name === name && other.amounts === amounts)
}

/** Whether a new call got numbers that its tool had not given before. */
export function hasNewFigures(round: Round, rounds: readonly Round[]): boolean {
  const { looks, effect, amounts, name, lines } = round
  if (looks > 1 || amounts === 0 || lines > FEW_LINES || effect === 'changes') return false
  if (round.error || round.nothing) return false
  return !rounds.some((other) => other.name === name && other.amounts === amounts)
}

// the numbers of a longer answer may be those of its lines
const FEW_LINES = 8

/** Whether its answer was given before, apart from numbers: to this call, or at length to several others. */
export function isStale(round: Round, rounds: readonly Round[]): boolean {
  const { answered, effect, fresh, lines, key, name, unspoken, newsWords } = round
  if (!answered || effect === 'moves' || fresh > 0.1 * lines) return false
  const isTelling = newsWords >= TELLING && !round.accepted && !round.verdict
  let alike = 0
  for (const other of rounds) {
    if (other.name !== name || other.unspoken !== unspoken) continue
    if (other.key === key || (isTelling && ++alike === SEVERAL)) return true
  }
  return false
}

// fewer words are an acknowledgement
const TELLING = 6
const SEVERAL = 3

/** Whether a call that has only failed so far succeeds, as after a retry. */
export function isRecovery(round: Round, rounds: readonly Round[]): boolean {
  if (!round.repeated || !round.answered || round.error || round.nothing) return false
  const before = rounds.filter(({ key }) => key === round.key)
  return before.length > 0 && before.every(({ error }) => error)
}

/** The round that this one undoes, if it counted as a change: together they achieved nothing. */
export function undoneBy(round: Round, rounds: readonly Round[]): Round | undefined {
  if (round.undoes === 0 || round.error) return
  return rounds.findLast(
    ({ does, changed, effect }) =>
      (changed || effect === 'moves') && (does === round.undoes || round.undoes === LAST),
  )
}
