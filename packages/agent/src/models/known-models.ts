import { listPrices } from 'unloop/prices'

/** Names of a provider's models whose price is known, the strongest first; none for servers that have models of their own. */
export const knownModels = (provider: string): string[] =>
  (Object.hasOwn(NAMES, provider) ? (NAMES[provider] ?? []) : []).filter(
    (name) => listPrices.priceOf(`${provider}/${name}`) !== undefined,
  )

const NAMES: Record<string, readonly string[]> = {
  openai: [
    'gpt-5.6',
    'gpt-5.6-terra',
    'gpt-5.6-luna',
    'gpt-5.5',
    'gpt-5.4',
    'gpt-5.4-mini',
    'gpt-5.3-codex',
    'gpt-5',
    'gpt-5-mini',
    'gpt-4.1',
  ],
  anthropic: [
    'claude-fable-5',
    'claude-opus-5',
    'claude-sonnet-5',
    'claude-opus-4-8',
    'claude-sonnet-4-6',
    'claude-haiku-4-5',
  ],
  google: [
    'gemini-3.1-pro-preview',
    'gemini-3-flash-preview',
    'gemini-2.5-pro',
    'gemini-2.5-flash',
  ],
}
