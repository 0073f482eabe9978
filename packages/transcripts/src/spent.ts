import { numberOf } from './json.js'
import type { Emit } from './stamp.js'

/** Tokens of one answer of a model: `input` holds all that it read, `cached` the part that came from a cache. */
export interface Spent {
  input: number
  cached: number
  output: number
}

export const spent = (input: unknown, cached: unknown, output: unknown): Spent => ({
  input: count(input),
  cached: count(cached),
  output: count(output),
})

/** Tells what was spent since the last time the same answer was told of; programs write it several times. */
export function emitSpent(emit: Emit, now: Spent, before?: Spent, model?: string): void {
  const inputTokens = Math.max(0, now.input - (before?.input ?? 0))
  const cachedTokens = Math.max(0, now.cached - (before?.cached ?? 0))
  const outputTokens = Math.max(0, now.output - (before?.output ?? 0))
  if (inputTokens === 0 && outputTokens === 0) return
  emit({
    type: 'usage',
    inputTokens,
    outputTokens,
    ...(cachedTokens > 0 && { cachedTokens }),
    ...(model !== undefined && { model }),
  })
}

const count = (value: unknown) => Math.max(0, numberOf(value) ?? 0)
