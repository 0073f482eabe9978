import type { Outcome } from './replay.js'

/**
 * For each detector the default, or the next more patient value that leaves alone the runs which ended well
 * by themselves. Never a stricter one: the defaults come from runs that people have labelled, and a history
 * without labels cannot tell a loop that was missed from honest work.
 */
export function suggest(outcomes: readonly Outcome[]): Outcome[] {
  return outcomes
    .filter(({ variant }) => variant.isDefault)
    .map((usual) => {
      if (usual.finished === 0) return usual
      const patient = outcomes.filter(
        ({ variant, finished }) =>
          variant.detector === usual.variant.detector &&
          variant.value > usual.variant.value &&
          finished === 0,
      )
      return patient[0] ?? usual
    })
}
