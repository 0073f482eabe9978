import type { UsageSum } from './client-event.js'
import type { TokenUsage } from './model.js'

/** Nothing used yet. */
export const noUsage = (): UsageSum => ({
  inputTokens: 0,
  cachedTokens: 0,
  outputTokens: 0,
  judgeTokens: 0,
})

/** Adds the tokens of one answer. */
export function addUsage(sum: UsageSum, usage: TokenUsage): void {
  sum.inputTokens += usage.inputTokens ?? 0
  sum.cachedTokens += usage.cachedTokens ?? 0
  sum.outputTokens += usage.outputTokens ?? 0
}

/** Adds the tokens of one question of the judge, which are the prompt's tokens too. */
export function addJudgeUsage(sum: UsageSum, usage: TokenUsage): void {
  addUsage(sum, usage)
  sum.judgeTokens += (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0)
}

// English prose has about four characters a token in the tokenizers of all large providers
export const CHARACTERS_PER_TOKEN = 4

/** A guess for a model that does not tell. */
export const estimateTokens = (value: unknown): number =>
  Math.ceil((JSON.stringify(value)?.length ?? 0) / CHARACTERS_PER_TOKEN)
