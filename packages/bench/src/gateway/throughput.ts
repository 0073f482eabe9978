import { once } from 'node:events'
import { INSTANT_MODEL } from './answers.js'
import type { Candidate } from './candidates.js'
import type { Load, Loaded } from './load-child.js'
import { cpuMs, startChild, stopProgram } from './processes.js'
import { addTo, type Rounds } from './rounds.js'

export interface Throughput {
  perSecond: Rounds
  megabytes: Rounds
  /** milliseconds of CPU per stream */
  cpu: Rounds
}

const CONNECTIONS = 16

/** Complete streams a second, over 16 connections at a time, one candidate after the other in each round. */
export async function measureThroughput(
  candidates: readonly Candidate[],
  rounds: number,
  forMs: number,
): Promise<Throughput> {
  const result: Throughput = { perSecond: new Map(), megabytes: new Map(), cpu: new Map() }
  const generator = startLoad()
  const order = [...candidates]
  try {
    for (let round = -1; round < rounds; round++) {
      order.push(...order.splice(0, 1))
      for (const candidate of order) {
        const before = cpuMs(candidate.pid)
        const load = { connections: CONNECTIONS, forMs: round < 0 ? forMs / 2 : forMs }
        const { streams, bytes, ms } = await generator.run(candidate, load)
        if (round < 0) continue
        const { name } = candidate
        addTo(result.perSecond, name, round, (streams / ms) * 1000)
        addTo(result.megabytes, name, round, bytes / ms / 1000)
        addTo(result.cpu, name, round, (cpuMs(candidate.pid) - before) / streams)
      }
    }
  } finally {
    await generator.stop()
  }
  return result
}

/** The load generator's process. */
export function startLoad() {
  const child = startChild('load-child')
  // questions of other measurements have lower numbers
  let firstQuestion = 100_000_000
  return {
    async run(
      { name, port, headers }: Candidate,
      options: Pick<Load, 'connections' | 'forMs'> & Partial<Load>,
    ): Promise<Loaded> {
      const load: Load = { model: INSTANT_MODEL, port, headers, firstQuestion, ...options }
      child.send(load)
      const [loaded] = (await once(child, 'message')) as [Loaded | string]
      if (typeof loaded === 'string') throw new Error(`${name}: ${loaded}`)
      firstQuestion += loaded.streams + load.connections
      return loaded
    },
    stop: () => stopProgram(child),
  }
}
