import { type Entry, tokensOf } from './entry.js'
import type { Part } from './run-report.js'
import { isWithin, type Span } from './spans.js'

/** What a run spent by day, model and tool, and what of that in these stretches. */
export function partsOf(entries: readonly Entry[], stuck: readonly Span[]): Part[] {
  const parts = new Map<string, Part>()
  let day: string | undefined
  for (const entry of entries) {
    if (entry.at !== undefined) day = dayOf(entry.at)
    const name = JSON.stringify([day, entry.model, entry.tool])
    const part = parts.get(name) ?? startPart(day, entry)
    parts.set(name, part)
    const tokens = tokensOf(entry)
    const isWasted = isWithin(stuck, entry.event)
    part.calls += entry.calls
    part.errors += entry.errors
    part.tokens += tokens
    if (isWasted) part.wastedTokens += tokens
    if (entry.cost === undefined) continue
    part.cost = (part.cost ?? 0) + entry.cost
    if (isWasted) part.wastedCost = (part.wastedCost ?? 0) + entry.cost
  }
  return [...parts.values()]
}

const startPart = (day: string | undefined, { model, tool }: Entry): Part => ({
  ...(day !== undefined && { day }),
  ...(model !== undefined && { model }),
  ...(tool !== undefined && { tool }),
  calls: 0,
  errors: 0,
  tokens: 0,
  wastedTokens: 0,
})

/** The day of a moment, where the person is. */
export function dayOf(at: number): string {
  const date = new Date(at)
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
  return parts.map((part) => `${part}`.padStart(2, '0')).join('-')
}
