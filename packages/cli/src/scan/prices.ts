import type { AgentEvent } from 'unloop'

/** Dollars for a million tokens. */
export interface Price {
  input: number
  cached: number
  output: number
}

/** The day the list below was written; prices change, and so does what a plan includes. */
export const PRICES_DATE = '2025-11-15'

/** List prices by the beginning of the model's name, the longest that fits. */
export const PRICES: Record<string, Price> = {
  'claude-opus-4-5': price(5, 0.5, 25),
  'claude-opus-4': price(15, 1.5, 75),
  'claude-sonnet-4': price(3, 0.3, 15),
  'claude-haiku-4': price(1, 0.1, 5),
  'claude-3-7-sonnet': price(3, 0.3, 15),
  'claude-3-5-sonnet': price(3, 0.3, 15),
  'claude-3-5-haiku': price(0.8, 0.08, 4),
  'claude-3-opus': price(15, 1.5, 75),
  'claude-3-haiku': price(0.25, 0.03, 1.25),
  'gpt-5-mini': price(0.25, 0.025, 2),
  'gpt-5-nano': price(0.05, 0.005, 0.4),
  'gpt-5': price(1.25, 0.125, 10),
  'gpt-4.1-mini': price(0.4, 0.1, 1.6),
  'gpt-4.1-nano': price(0.1, 0.025, 0.4),
  'gpt-4.1': price(2, 0.5, 8),
  'gpt-4o-mini': price(0.15, 0.075, 0.6),
  'gpt-4o': price(2.5, 1.25, 10),
  'o4-mini': price(1.1, 0.275, 4.4),
  'o3-mini': price(1.1, 0.55, 4.4),
  o3: price(2, 0.5, 8),
  'gemini-3-pro': price(2, 0.2, 12),
  'gemini-2.5-pro': price(1.25, 0.125, 10),
  'gemini-2.5-flash-lite': price(0.1, 0.01, 0.4),
  'gemini-2.5-flash': price(0.3, 0.03, 2.5),
  'gemini-2.0-flash': price(0.1, 0.025, 0.4),
}

function price(input: number, cached: number, output: number): Price {
  return { input, cached, output }
}

const NAMES = Object.keys(PRICES).sort((a, b) => b.length - a.length)

/** The price of a model, whoever's prefix its name has (`us.anthropic.…`, `openrouter/…`). */
export function priceOf(model: string | undefined): Price | undefined {
  if (model === undefined) return
  const name = model.toLowerCase().replaceAll('_', '-')
  const known = NAMES.find((one) => {
    const at = name.indexOf(one)
    return at === 0 || (at > 0 && /[/.:@]/.test(name[at - 1] ?? ''))
  })
  return known === undefined ? undefined : PRICES[known]
}

/** What one answer cost, in dollars. */
export function costOfUsage(usage: Extract<AgentEvent, { type: 'usage' }>, price: Price): number {
  const cached = usage.cachedTokens ?? 0
  const fresh = Math.max(0, (usage.inputTokens ?? 0) - cached)
  const tokens =
    fresh * price.input + cached * price.cached + (usage.outputTokens ?? 0) * price.output
  return tokens / 1e6
}
