import { on } from 'node:events'
import { PACED_MODEL } from './answers.js'
import type { Candidate } from './candidates.js'
import type { Fleet, FleetRound } from './fleet-child.js'
import { cpuMs, residentMb, startChild, stopProgram } from './processes.js'
import type { Redis } from './redis.js'
import { startLoad } from './throughput.js'

/** What a fleet of agents cost. */
export interface FleetRun {
  store: string
  gateways: number
  requests: number
  perSecond: number
  /** milliseconds of the gateways' CPU per request */
  cpuMs: number
  /** of the last round */
  p50: number
  p99: number
  interventions: number
  /** of the gateway that occupies most, and what a session adds to it */
  residentMb: number
  sessionBytes: number
  /** of Redis, per request and per session; by `MEMORY USAGE` of all keys, too */
  redis?: { cpuMs: number; commands: number; sessionBytes: number; keyBytes: number }
}

/** Every session asks once, then every session asks once more, and so on. */
export async function runFleet(
  store: string,
  gateways: readonly Candidate[],
  fleet: Omit<Fleet, 'ports'>,
  redis?: Redis,
): Promise<FleetRun> {
  const { sessions } = fleet
  const take = () => ({
    cpuMs: gateways.reduce((sum, { pid }) => sum + cpuMs(pid), 0),
    redisMs: redis ? cpuMs(redis.pid) : 0,
    commands: redis?.commands() ?? 0,
  })
  const largest = () => Math.max(...gateways.map(({ pid }) => residentMb(pid)))
  const emptyMb = largest()
  const emptyBytes = redis?.usedBytes() ?? 0
  const rounds: FleetRound[] = []
  let before = take()
  const child = startChild('fleet-child')
  try {
    child.send({ ...fleet, ports: gateways.map(({ port }) => port) } satisfies Fleet)
    for await (const [round] of on(child, 'message') as AsyncIterable<[FleetRound | string]>) {
      if (typeof round === 'string') throw new Error(round)
      // with its first request a gateway reads all that was before: that does not count
      if (round.round === 1) before = take()
      else rounds.push(round)
      if (round.last) break
    }
  } finally {
    await stopProgram(child)
  }
  const after = take()
  const requests = rounds.length * sessions
  const { p50 = Number.NaN, p99 = Number.NaN } = rounds.at(-1) ?? {}
  return {
    store,
    gateways: gateways.length,
    requests,
    perSecond: (requests / rounds.reduce((sum, { ms }) => sum + ms, 0)) * 1000,
    cpuMs: (after.cpuMs - before.cpuMs) / requests,
    p50,
    p99,
    interventions: rounds.reduce((sum, round) => sum + round.interventions, 0),
    residentMb: largest(),
    sessionBytes: ((largest() - emptyMb) * 2 ** 20) / sessions,
    ...(redis && {
      redis: {
        cpuMs: (after.redisMs - before.redisMs) / requests,
        commands: (after.commands - before.commands) / requests,
        sessionBytes: (redis.usedBytes() - emptyBytes) / sessions,
        keyBytes: redis.keyBytes() / sessions,
      },
    }),
  }
}

// as many streams at a time as an instance has that is sized as we do: 30 requests a second, 4 s each
const STREAMS = 100
const TOKENS = 200

/** Milliseconds of CPU per token, when tokens come one by one as from a model. */
export async function tokenCost(gateway: Candidate): Promise<number> {
  const load = startLoad()
  try {
    const options = { connections: STREAMS, model: PACED_MODEL, forMs: 0 }
    await load.run(gateway, { ...options, tokens: TOKENS / 4 })
    const before = cpuMs(gateway.pid)
    const { streams } = await load.run(gateway, { ...options, tokens: TOKENS })
    return (cpuMs(gateway.pid) - before) / (streams * TOKENS)
  } finally {
    await load.stop()
  }
}
