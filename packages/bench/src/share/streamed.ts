import { type ClientEvent, createAgent, type Model } from '@unloop/agent'
import { type AgentEvent, createGuard } from 'unloop'
import { medianOf } from '../accuracy/metrics.js'

/** What one streamed answer costs, in microseconds of CPU. */
export interface Share {
  name: string
  events: number
  totalMicroseconds: number
  guardMicroseconds: number
}

/** Streams answers through an agent, and then the same events through a guard alone. */
export async function measureShare(model: Model, rounds: number): Promise<Share> {
  const totals: number[] = []
  const guards: number[] = []
  let events: ClientEvent[] = []
  // the first answers compile the code of the SDK and of the guard
  for (let round = -3; round < rounds; round++) {
    const agent = createAgent({ model })
    const start = process.cpuUsage()
    events = []
    for await (const event of agent.sendMessageStream('Tell me a long story.')) events.push(event)
    const { user, system } = process.cpuUsage(start)
    const last = events.at(-1)
    if (last?.type !== 'finished')
      throw new Error(`the answer did not end well: ${JSON.stringify(last)}`)
    // a program that streams has a guard whose code is compiled
    for (let warmUp = 0; round < 0 && warmUp < 10; warmUp++) guardOnly(events)
    const alone = guardOnly(events)
    if (round < 0) continue
    totals.push(user + system)
    guards.push(alone)
  }
  return {
    name: model.name,
    events: events.length,
    totalMicroseconds: medianOf(totals),
    guardMicroseconds: medianOf(guards),
  }
}

function guardOnly(events: readonly ClientEvent[]): number {
  const guard = createGuard()
  const start = process.cpuUsage()
  for (const event of events) guard.observe(event as AgentEvent)
  const { user, system } = process.cpuUsage(start)
  return user + system
}
