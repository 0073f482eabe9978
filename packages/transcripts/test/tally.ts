import type { TranscriptItem } from '../src/index.js'

/** What a transcript adds up to. Tests count the same in the raw file, without the readers. */
export interface Tally {
  prompts: number
  turns: number
  calls: number
  results: number
  errors: number
  input: number
  cached: number
  written: number
  output: number
  /** dollars that the program recorded, rounded to a hundredth of a cent */
  cost: number
}

export const nothing = (): Tally => ({
  ...{ prompts: 0, turns: 0, calls: 0, results: 0, errors: 0 },
  ...{ input: 0, cached: 0, written: 0, output: 0, cost: 0 },
})

/** Adds up the events that a reader gave. */
export function tallyOf(items: readonly TranscriptItem[]): Tally {
  const tally = nothing()
  for (const { event } of items) {
    if (event.type === 'prompt') tally.prompts++
    if (event.type === 'turn-start') tally.turns++
    if (event.type === 'tool-call') tally.calls++
    if (event.type === 'tool-result') tally.results++
    if (event.type === 'tool-result' && event.isError) tally.errors++
    if (event.type !== 'usage') continue
    tally.input += event.inputTokens ?? 0
    tally.cached += event.cachedTokens ?? 0
    tally.written += event.cacheWriteTokens ?? 0
    tally.output += event.outputTokens ?? 0
    tally.cost += event.cost ?? 0
  }
  return rounded(tally)
}

export const rounded = (tally: Tally): Tally => ({
  ...tally,
  cost: Math.round(tally.cost * 1e4) / 1e4,
})
