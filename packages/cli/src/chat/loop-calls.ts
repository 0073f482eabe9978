import type { Finding } from 'unloop'
import type { Item, LoopCall } from './state.js'

// what fits beside each other on a screen
const LAPS = 3
const MOST = 9

/** The calls of a loop as the transcript has them, of its last few laps; none if the loop is in the text. */
export function loopCalls(items: readonly Item[], { tool, period, count }: Finding): LoopCall[] {
  if (tool === undefined) return []
  const begun = items.findLastIndex(({ type }) => type === 'person')
  const calls = items.slice(begun + 1).flatMap((item) => (item.type === 'call' ? [item] : []))
  const shown = Math.min(MOST, Math.max(1, period) * Math.min(LAPS, Math.max(1, count)))
  return calls.slice(-shown).map(({ name, args, output }) => ({
    name,
    args,
    ...(output !== undefined && { output }),
  }))
}
