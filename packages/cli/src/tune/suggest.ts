import type { Level } from './limits.js'
import type { Outcome } from './replay.js'

// advice that was not needed costs a sentence; more often than this it is noise
const NEEDLESS_ADVICE = 0.02

/**
 * For each limit the default, or the next more patient value that stops no run which ended well by itself, and
 * advises few of them. Never a stricter one: the defaults come from runs that people have labelled, and a history
 * without labels cannot tell a loop that was missed from honest work.
 */
export function suggest(outcomes: readonly Outcome[], runs: number): Outcome[] {
  return outcomes
    .filter(({ variant }) => variant.isDefault)
    .map((usual) => {
      if (isCalm(usual, runs)) return usual
      const patient = outcomes.filter(
        (other) =>
          other.variant.detector === usual.variant.detector &&
          other.variant.option === usual.variant.option &&
          other.variant.value > usual.variant.value &&
          isCalm(other, runs),
      )
      return patient[0] ?? usual
    })
}

/** Whether it leaves alone what ended well, as far as its limit decides that. */
function isCalm(outcome: Outcome, runs: number): boolean {
  const allowed: Record<Level, number> = { advice: NEEDLESS_ADVICE * runs, stops: 0 }
  return outcome.variant.levels.every((level) => outcome[level].finished <= allowed[level])
}
