import type { Purpose, UsageSum } from './client-event.js'
import { dollarsOf } from './dollars.js'
import type { TokenUsage } from './model.js'

/** Nothing used yet. */
export const noUsage = (): UsageSum => ({
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  judgeTokens: 0,
  dollars: 0,
})

/** Adds the tokens of one answer of a model, and what they cost; those of the judge are also counted apart. */
export function addUsage(sum: UsageSum, model: string, usage: TokenUsage, purpose?: Purpose): void {
  const { inputTokens = 0, cachedTokens = 0, outputTokens = 0 } = usage
  sum.inputTokens += inputTokens
  sum.cachedTokens += cachedTokens
  sum.outputTokens += outputTokens
  if (purpose === 'judge') sum.judgeTokens += inputTokens + outputTokens
  const dollars = dollarsOf(model, usage)
  sum.dollars =
    dollars === undefined || sum.dollars === undefined ? undefined : sum.dollars + dollars
}

// English prose has about four characters a token in the tokenizers of all large providers
export const CHARACTERS_PER_TOKEN = 4

/** A guess for a model that does not tell. */
export const estimateTokens = (value: unknown): number =>
  Math.ceil((JSON.stringify(value)?.length ?? 0) / CHARACTERS_PER_TOKEN)
