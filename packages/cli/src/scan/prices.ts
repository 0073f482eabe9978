import type { AgentEvent } from 'unloop'

/** Dollars for a million tokens. */
export interface Price {
  input: number
  cached: number
  output: number
}

/** The day the list below was written; prices change, and so does what a plan includes. */
export const PRICES_DATE = '2025-11-15'

/** List prices by the model's name. A model that is not in it has none: `o3-pro` is ten times as dear as `o3`. */
export const PRICES: Record<string, Price> = {
  'claude-opus-4-5': price(5, 0.5, 25),
  'claude-opus-4-1': price(15, 1.5, 75),
  'claude-opus-4-0': price(15, 1.5, 75),
  'claude-opus-4': price(15, 1.5, 75),
  'claude-sonnet-4-5': price(3, 0.3, 15),
  'claude-sonnet-4-0': price(3, 0.3, 15),
  'claude-sonnet-4': price(3, 0.3, 15),
  'claude-haiku-4-5': price(1, 0.1, 5),
  'claude-3-7-sonnet': price(3, 0.3, 15),
  'claude-3-5-sonnet': price(3, 0.3, 15),
  'claude-3-5-haiku': price(0.8, 0.08, 4),
  'claude-3-opus': price(15, 1.5, 75),
  'claude-3-haiku': price(0.25, 0.03, 1.25),
  'gpt-5.1-codex-mini': price(0.25, 0.025, 2),
  'gpt-5.1-codex': price(1.25, 0.125, 10),
  'gpt-5.1': price(1.25, 0.125, 10),
  'gpt-5-codex': price(1.25, 0.125, 10),
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

/** `claude-opus-4.1` is `claude-opus-4-1`. */
const plain = (name: string) => name.toLowerCase().replace(/[_.](?=\d)/g, '-')

const BY_NAME = new Map(Object.entries(PRICES).map(([name, price]) => [plain(name), price]))

// when and how it was published: -20250929, @20250929, -2025-08-07, -05-06, -09-2025, -001, -v1:0
const EDITION =
  /(?:[-@](?:\d{8}|\d{4}-\d\d-\d\d|\d\d-(?:\d{4}|\d\d)|\d{3,4}|v\d(?::\d)?|latest|preview))$/

/** The price of a model, whoever's prefix its name has (`us.anthropic.…`, `openrouter/…`), in any edition. */
export function priceOf(model: string | undefined): Price | undefined {
  // there is more before a name and behind it, but not that much
  let name = plain((model ?? '').slice(-100))
  for (;;) {
    for (let from = 0; from >= 0; from = after(name, from)) {
      const price = BY_NAME.get(name.slice(from))
      if (price) return price
    }
    const shorter = name.replace(EDITION, '')
    if (shorter === name) return
    name = shorter
  }
}

/** Where the next part of a name begins; -1 if there is none. */
function after(name: string, from: number): number {
  const at = name.slice(from).search(/[/.:@]/)
  return at < 0 ? -1 : from + at + 1
}

/** What one answer cost, in dollars. */
export function costOfUsage(usage: Extract<AgentEvent, { type: 'usage' }>, price: Price): number {
  const cached = usage.cachedTokens ?? 0
  const fresh = Math.max(0, (usage.inputTokens ?? 0) - cached)
  const tokens =
    fresh * price.input + cached * price.cached + (usage.outputTokens ?? 0) * price.output
  return tokens / 1e6
}
