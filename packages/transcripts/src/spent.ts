import { numberOf } from './json.js'
import type { Emit } from './stamp.js'

/** What one answer of a model took. */
export interface Spent {
  /** all that it read */
  input: number
  /** the part of it that came from a cache */
  cached: number
  output: number
  /** the part of the input that was written to a cache, and the part of that which is kept for an hour */
  written?: number
  writtenHour?: number
  /** dollars, where the program recorded them */
  cost?: number
}

export const spent = (input: unknown, cached: unknown, output: unknown): Spent => ({
  input: count(input),
  cached: count(cached),
  output: count(output),
})

/** A number of tokens, whatever stands there. */
export const count = (value: unknown): number => Math.max(0, numberOf(value) ?? 0)

/** Tells what was spent since the last time the same answer was told of; programs write it several times. */
export function emitSpent(emit: Emit, now: Spent, before?: Spent, model?: string): void {
  const more = (pick: (spent: Spent) => number | undefined) =>
    Math.max(0, (pick(now) ?? 0) - ((before && pick(before)) ?? 0))
  const inputTokens = more(({ input }) => input)
  const outputTokens = more(({ output }) => output)
  const cost = now.cost === undefined ? undefined : more(({ cost }) => cost)
  if (inputTokens === 0 && outputTokens === 0 && !cost) return
  const cachedTokens = more(({ cached }) => cached)
  const cacheWriteTokens = more(({ written }) => written)
  const cacheWriteHourTokens = more(({ writtenHour }) => writtenHour)
  emit({
    type: 'usage',
    inputTokens,
    outputTokens,
    ...(cachedTokens > 0 && { cachedTokens }),
    ...(cacheWriteTokens > 0 && { cacheWriteTokens }),
    ...(cacheWriteHourTokens > 0 && { cacheWriteHourTokens }),
    ...(inputTokens < now.input && { contextTokens: now.input }),
    ...(cost !== undefined && { cost }),
    ...(model !== undefined && { model }),
  })
}

const each =
  (combine: (one: number, other: number) => number) =>
  (one: Spent, other: Spent): Spent => {
    const { input, cached, output, written = 0, writtenHour = 0 } = one
    const cost = one.cost === undefined ? {} : { cost: exact(combine(one.cost, other.cost ?? 0)) }
    return {
      input: combine(input, other.input),
      cached: combine(cached, other.cached),
      output: combine(output, other.output),
      written: combine(written, other.written ?? 0),
      writtenHour: combine(writtenHour, other.writtenHour ?? 0),
      ...cost,
    }
  }

// no price is finer than a millionth of a millionth of a dollar, and sums of fractions leave such crumbs
const exact = (dollars: number) => Math.round(dollars * 1e12) / 1e12

export const sum = each((one, other) => one + other)
export const less = each((one, other) => Math.max(0, one - other))
export const most = each(Math.max)

/** Tells what many answers took together; how much each of them read is not known. */
export function emitTotal(emit: Emit, now: Spent, before?: Spent, model?: string): void {
  const tell: Emit = (event) =>
    emit(event.type === 'usage' ? { ...event, contextTokens: 0 } : event)
  emitSpent(tell, now, before, model)
}
