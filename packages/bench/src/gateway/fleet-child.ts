// Many agents at once, in a process of their own: each asks once, then each asks a second time, and so on.
import { type Conversation, createConversation } from './history.js'
import { rankOf } from './rounds.js'
import { message, openWire } from './wire.js'

export interface Fleet {
  /** of the gateways; a session's requests take turns */
  ports: number[]
  sessions: number
  /** messages of a session's first request, and how many requests follow it at most */
  start: number
  requests: number
  connections: number
  /** no round begins that would end after that */
  forMs: number
}

/** One request of every session. */
export interface FleetRound {
  round: number
  ms: number
  p50: number
  p99: number
  /** requests that were not simply passed on */
  interventions: number
  last: boolean
}

process.on('message', (fleet: Fleet) => {
  run(fleet).catch((error) => process.send?.(`${error}`))
})

async function run(fleet: Fleet): Promise<void> {
  const agents = Array.from({ length: fleet.sessions }, (_, n) =>
    createConversation(n + 1, fleet.start),
  )
  const open = () => Promise.all(fleet.ports.map((port) => openWire(port)))
  const lines = await Promise.all(Array.from({ length: fleet.connections }, open))
  const end = performance.now() + fleet.forMs
  for (let round = 1, last = false; !last; round++) {
    const times: number[] = []
    let interventions = 0
    let next = 0
    const ask = async (agent: Conversation, wires: (typeof lines)[number], n: number) => {
      const wire = wires[(n + round) % wires.length]
      const request = message(agent.next(), { 'x-unloop-session': agent.session })
      const reply = await wire?.send(request)
      if (reply?.status !== 200) throw new Error(`answered with ${reply?.status}`)
      if (reply.verdict !== 'go') interventions++
      times.push(reply.ms)
    }
    const start = performance.now()
    await Promise.all(
      lines.map(async (wires) => {
        for (let n = next++; n < agents.length; n = next++) {
          await ask(agents[n] as Conversation, wires, n)
        }
      }),
    )
    const now = performance.now()
    last = round > fleet.requests || (round > 1 && now + (now - start) >= end)
    const [p50, p99] = [rankOf(times, 50), rankOf(times, 99)]
    process.send?.({ round, ms: now - start, p50, p99, interventions, last } satisfies FleetRound)
  }
  for (const wires of lines) for (const wire of wires) wire.close()
}
