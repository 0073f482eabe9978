import { findModel, namesOf } from './find.js'
import type { Price, Rates } from './price.js'
import { TABLE, TABLE_DATE, TABLE_SOURCE } from './table.js'

/** Prices by model, and where they come from. */
export interface PriceList {
  /** the day or month they are of, where known */
  date: string
  source: string
  /** The price of a model, by any of its names: with a prefix, a date, another spelling. */
  priceOf(model: string): Price | undefined
}

/**
 * A price list of `{ model: { input_cost_per_token, … } }`, the shape that LiteLLM publishes.
 *
 * @example
 * const list = toPriceList(JSON.parse(text), { source: 'prices.json', date: '2026-11-01' })
 */
export function toPriceList(json: unknown, about: { source: string; date: string }): PriceList {
  if (!isObject(json)) throw new RangeError('a price list must be an object of models')
  const models: [string, Price][] = []
  for (const [name, entry] of Object.entries(json)) {
    if (!isObject(entry) || entry.input_cost_per_token === undefined) continue
    models.push([name, toPrice(name, entry)])
  }
  if (models.length === 0)
    throw new RangeError('a price list must have a model with input_cost_per_token')
  return listOf(models, about)
}

/** Public list prices. What a plan includes, and what was agreed on, is not in it. */
export const listPrices: PriceList = {
  date: TABLE_DATE,
  source: TABLE_SOURCE,
  priceOf(model) {
    known ??= listOf(TABLE.trim().split('\n').map(toRow), listPrices)
    return known.priceOf(model)
  },
}

// read when it is needed
let known: PriceList | undefined

function listOf(
  models: readonly (readonly [string, Price])[],
  { source, date }: { source: string; date: string },
): PriceList {
  const byName = new Map<string, Price>()
  // the name itself comes before a name that only leads to it
  for (const place of [0, 1, 2]) {
    for (const [model, price] of models) {
      const name = namesOf(model)[place] as string
      if (!byName.has(name)) byName.set(name, price)
    }
  }
  return { source, date, priceOf: (model) => findModel(byName, model) }
}

/** A line of the table: name, input, output, cache read, cache write, cache write for an hour, long input, long output. */
function toRow(line: string): readonly [string, Price] {
  const [name = '', ...cells] = line.split(' ')
  const [input = 0, output = 0, read, write, hour, longInput, longOutput] = cells.map((cell) =>
    cell === '-' ? undefined : Number(cell),
  )
  const rates = toRates(input, output, read, write, hour)
  if (longInput === undefined) return [name, rates]
  return [name, withLong(rates, 200_000, longInput, longOutput ?? output)]
}

function toPrice(name: string, entry: Record<string, unknown>): Price {
  const dollars = (key: string): number | undefined => {
    const value = entry[key] ?? undefined
    if (value === undefined) return
    if (typeof value === 'number' && value >= 0 && value < Infinity) return value * 1e6
    throw new RangeError(`${key} of ${name} must be a number of at least 0`)
  }
  const rates = toRates(
    dollars('input_cost_per_token') ?? 0,
    dollars('output_cost_per_token') ?? 0,
    dollars('cache_read_input_token_cost'),
    dollars('cache_creation_input_token_cost'),
    dollars('cache_creation_input_token_cost_above_1hr'),
  )
  const [, size] =
    Object.keys(entry)
      .map((key) => key.match(/^input_cost_per_token_above_(\d{1,6})k_tokens$/))
      .find(Boolean) ?? []
  if (size === undefined) return rates
  const long = (key: string) => dollars(`${key}_above_${size}k_tokens`)
  return withLong(
    rates,
    Number(size) * 1000,
    long('input_cost_per_token') ?? rates.input,
    long('output_cost_per_token') ?? rates.output,
    long('cache_read_input_token_cost'),
    long('cache_creation_input_token_cost'),
  )
}

/** Where a long context has no rates of its own for a cache, they grow as those of the input do. */
function withLong(
  rates: Rates,
  above: number,
  input: number,
  output: number,
  read?: number,
  write?: number,
): Price {
  const grown = (rate: number | undefined) =>
    rate === undefined || rates.input === 0 ? rate : (rate * input) / rates.input
  const long = toRates(
    input,
    output,
    read ?? grown(rates.cacheRead),
    write ?? grown(rates.cacheWrite),
    grown(rates.cacheWriteHour),
  )
  return { ...rates, long: { ...long, above } }
}

const toRates = (
  input: number,
  output: number,
  cacheRead?: number,
  cacheWrite?: number,
  cacheWriteHour?: number,
): Rates => ({
  input,
  output,
  ...(cacheRead !== undefined && { cacheRead }),
  ...(cacheWrite !== undefined && { cacheWrite }),
  ...(cacheWriteHour !== undefined && { cacheWriteHour }),
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
