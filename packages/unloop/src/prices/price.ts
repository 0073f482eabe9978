import type { AgentEvent } from '../event.js'

/** Dollars for a million tokens. */
export interface Rates {
  input: number
  output: number
  /** what is read from a cache; as dear as other input if not given */
  cacheRead?: number
  /** what is written to a cache and kept for five minutes; as dear as other input if not given */
  cacheWrite?: number
  /** what is kept for an hour; as dear as `cacheWrite` if not given */
  cacheWriteHour?: number
}

/** The price of a model. */
export interface Price extends Rates {
  /** rates of an answer that read more than `above` tokens; they hold for all of it */
  long?: Rates & { above: number }
}

export type Usage = Omit<Extract<AgentEvent, { type: 'usage' }>, 'type'>

/** What an answer costs, in dollars, by this price. */
export function costOf(usage: Usage, price: Price): number {
  const input = usage.inputTokens ?? 0
  const { long } = price
  const rates = long && (usage.contextTokens ?? input) > long.above ? long : price
  const read = Math.min(usage.cachedTokens ?? 0, input)
  const written = Math.min(usage.cacheWriteTokens ?? 0, input - read)
  const hour = Math.min(usage.cacheWriteHourTokens ?? 0, written)
  const { cacheRead = rates.input, cacheWrite = rates.input } = rates
  const { cacheWriteHour = cacheWrite } = rates
  const paid =
    (input - read - written) * rates.input +
    read * cacheRead +
    (written - hour) * cacheWrite +
    hour * cacheWriteHour +
    (usage.outputTokens ?? 0) * rates.output
  return paid / 1e6
}
