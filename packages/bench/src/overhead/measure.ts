import { createGuard, type Guard } from 'unloop'
import { medianOf } from '../accuracy/metrics.js'
import type { Stream } from './sdks.js'

export interface Overhead {
  pieces: number
  /** microseconds of CPU per piece: the SDK alone, with a guard that is fed by hand, and through the adapter */
  plain: number
  byHand: number
  adapter: number
  /** what the adapter takes on top of the guard by hand, round by round */
  onTop: number
}

const WARM_UPS = 3

/**
 * Streams the same answer in the three ways; medians. A machine has slow minutes, so the ways of one round are compared;
 * each leaves garbage for the next, so the order rotates.
 */
export async function measureOverhead(
  stream: Stream,
  url: string,
  rounds: number,
): Promise<Overhead> {
  const ways = {
    plain: () => count(stream(url)),
    byHand: () => count(stream(url), createGuard()),
    adapter: () => guarded(stream, url),
  }
  const names = Object.keys(ways) as (keyof typeof ways)[]
  const times: Record<keyof typeof ways, number[]> = { plain: [], byHand: [], adapter: [] }
  let pieces = 0
  for (let round = -WARM_UPS; round < rounds; round++) {
    names.push(...names.splice(0, 1))
    for (const name of names) {
      const start = process.cpuUsage()
      pieces = await ways[name]()
      const { user, system } = process.cpuUsage(start)
      if (round >= 0) times[name].push((user + system) / pieces)
    }
  }
  const onTop = medianOf(times.adapter.map((time, round) => time - (times.byHand[round] ?? 0)))
  return {
    pieces,
    plain: medianOf(times.plain),
    byHand: medianOf(times.byHand),
    adapter: medianOf(times.adapter),
    onTop,
  }
}

async function count(stream: AsyncIterable<string>, guard?: Guard): Promise<number> {
  let pieces = 0
  for await (const text of stream) {
    guard?.observe({ type: 'text', text })
    pieces++
  }
  return pieces
}

/** An adapter that sees nothing costs nothing, so what it saw is compared with what was sent. */
async function guarded(stream: Stream, url: string): Promise<number> {
  const guard = createGuard()
  const pieces = await count(stream(url, guard))
  if (guard.faults.length > 0) throw guard.faults[0]?.error
  if (guard.events < pieces) throw new Error(`the guard saw ${guard.events} of ${pieces} pieces`)
  return pieces
}
