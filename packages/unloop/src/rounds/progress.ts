import { LAST } from './inverse.js'
import { isSameError, type Round } from './round.js'

/**
 * A change counts once; again only if its answer is new, and never directly after itself. Notes to itself do not count as
 * a change, and neither does a step that leaves a page as it was.
 */
export function isNewChange(round: Round, rounds: readonly Round[]): boolean {
  if (round.effect !== 'changes' || round.error || round.nothing || round.note) return false
  if (round.screen !== 0) return !rounds.some(({ screen }) => screen === round.screen)
  if (!round.repeated) return true
  if (rounds.at(-1)?.key === round.key) return false
  return !rounds.some(({ key, print }) => key === round.key && print === round.print)
}

/** An answer is news if enough of it is new; a short failure message is not. A call without an answer gets credit once. */
export function isNews(round: Round): boolean {
  if (!round.answered) return !round.repeated
  // its change is visible on the screen
  if (round.screen !== 0 && round.effect === 'changes') return false
  if (round.accepted || ((round.error || round.nothing) && round.size < 400)) return false
  return round.fresh > 0.1 * round.lines
}

export function isNewError(round: Round, rounds: readonly Round[]): boolean {
  return (round.error || round.nothing) && !rounds.some((other) => isSameError(round, other))
}

/** The round that this one undoes, if it counted as a change: together they achieved nothing. */
export function undoneBy(round: Round, rounds: readonly Round[]): Round | undefined {
  if (round.undoes === 0 || round.error) return
  return rounds.findLast(
    ({ does, changed, effect }) =>
      (changed || effect === 'moves') && (does === round.undoes || round.undoes === LAST),
  )
}
