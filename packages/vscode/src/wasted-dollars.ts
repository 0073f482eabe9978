import type { Agent } from '@unloop/agent'
import type { Finding } from 'unloop'

/** What a loop has cost: its share of what the session has cost, where all prices are known. */
export function wastedDollars(
  { wasted }: Pick<Finding, 'wasted'>,
  { usage }: Pick<Agent, 'usage'>,
): { dollars?: number } {
  const { inputTokens, outputTokens, dollars } = usage.session
  const all = inputTokens + outputTokens
  if (!wasted.tokens || !dollars || all === 0) return {}
  return { dollars: dollars * Math.min(1, wasted.tokens / all) }
}
