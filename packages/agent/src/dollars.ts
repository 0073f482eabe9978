import { costOf, listPrices } from 'unloop/prices'
import type { TokenUsage } from './model.js'

/** What an answer of this model costs by list prices; nothing if its price is not known. */
export function dollarsOf(model: string, usage: TokenUsage): number | undefined {
  if (FREE.has(providerOf(model))) return 0
  const price = listPrices.priceOf(model)
  return price && costOf(usage, price)
}

/** those that run on the person's own machine */
const FREE = new Set(['ollama', 'lmstudio', 'vllm', 'embedded'])

const providerOf = (model: string) => model.split('/', 1)[0] ?? ''
