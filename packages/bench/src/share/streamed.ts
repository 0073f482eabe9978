import type { Profiler } from 'node:inspector'
import { Session } from 'node:inspector/promises'
import { createAgent, type Model } from '@unloop/agent'

/** What streaming some answers costs, in milliseconds of CPU, and the guard's part of it. */
export interface Share {
  name: string
  events: number
  totalMs: number
  guardMs: number
}

// the first answers compile the code of the SDK and of the guard
const WARM_UPS = 8

/** Streams answers through an agent and counts the samples of the profiler that were taken inside the guard. */
export async function measureShare(model: Model, rounds: number): Promise<Share> {
  const shares: Share[] = []
  for (let round = -WARM_UPS; round < rounds; round++) {
    const share = await profileAnswer(model)
    if (round >= 0) shares.push(share)
  }
  return sumOf(model.name, shares)
}

/** All of them together: one answer has about thirty samples inside the guard, too few to say anything. */
export const sumOf = (name: string, shares: readonly Share[]): Share => ({
  name,
  events: sum(shares, 'events'),
  totalMs: sum(shares, 'totalMs'),
  guardMs: sum(shares, 'guardMs'),
})

const sum = (shares: readonly Share[], field: 'events' | 'totalMs' | 'guardMs') =>
  shares.reduce((total, share) => total + share[field], 0)

async function profileAnswer(model: Model): Promise<Share> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.setSamplingInterval', { interval: 100 })
  await session.post('Profiler.start')
  let events = 0
  let last: string | undefined
  for await (const event of createAgent({ model }).sendMessageStream('Tell me a long story.')) {
    events++
    last = event.type
  }
  const { profile } = await session.post('Profiler.stop')
  session.disconnect()
  if (last !== 'finished') throw new Error(`the answer did not end well, but with ${last}`)
  return { name: model.name, events, ...timesOf(profile) }
}

/** Total time without idle time, and time inside functions of the library. */
function timesOf({ nodes, samples = [], timeDeltas = [] }: Profiler.Profile): {
  totalMs: number
  guardMs: number
} {
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  )
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const isGuards = (id: number | undefined): boolean =>
    id !== undefined &&
    (frames.get(id)?.url.includes('/packages/unloop/') || isGuards(parents.get(id)))
  let total = 0
  let guard = 0
  for (const [index, id] of samples.entries()) {
    if (frames.get(id)?.functionName === '(idle)') continue
    const delta = timeDeltas[index] ?? 0
    total += delta
    if (isGuards(id)) guard += delta
  }
  return { totalMs: total / 1000, guardMs: guard / 1000 }
}
