import type { Counts, Tokens } from './run-report.js'

/** The sum of several counts. */
export const countsOf = (all: readonly Counts[]): Counts => ({
  turns: sum(all, ({ turns }) => turns),
  calls: sum(all, ({ calls }) => calls),
  results: sum(all, ({ results }) => results),
  errors: sum(all, ({ errors }) => errors),
})

/** The sum of several amounts of tokens. */
export const tokensIn = (all: readonly Tokens[]): Tokens => ({
  input: sum(all, ({ input }) => input),
  cached: sum(all, ({ cached }) => cached),
  cacheWrite: sum(all, ({ cacheWrite }) => cacheWrite),
  cacheWriteHour: sum(all, ({ cacheWriteHour }) => cacheWriteHour),
  output: sum(all, ({ output }) => output),
})

const sum = <T>(all: readonly T[], pick: (one: T) => number): number =>
  all.reduce((total, one) => total + pick(one), 0)
