import { setTimeout as wait } from 'node:timers/promises'
import { type Asked, createAgent } from '../test/agent.js'
import { type GatewayProcess, type Redis, startGatewayProcess, startRedis } from './processes.js'

/** How a Redis goes away, and how it comes back. */
export const OUTAGES: [
  name: string,
  leave: (redis: Redis) => void,
  comeBack: (redis: Redis) => Promise<void> | void,
][] = [
  ['killed', (redis) => redis.kill('SIGKILL'), (redis) => redis.restart()],
  ['silent', (redis) => redis.kill('SIGSTOP'), (redis) => redis.kill('SIGCONT')],
]

/** Traffic through two instances that share a Redis. */
export interface Outage {
  a: GatewayProcess
  b: GatewayProcess
  redis: Redis
  /** what was answered so far, with the times of the answers */
  asked: (Asked & { at: number })[]
  /** Whether each instance has its Redis. */
  up(): Promise<string>
  /** Ends the traffic. */
  end(): Promise<unknown>
  stop(): Promise<unknown>
}

/** Starts 20 sessions that go on until the end, with a request every 0.4 s each. */
export async function startOutage(upstream: string, name: string): Promise<Outage> {
  const redis = await startRedis()
  const [a, b] = (await Promise.all(
    [0, 1].map(() => startGatewayProcess(upstream, '--store', redis.url)),
  )) as [GatewayProcess, GatewayProcess]
  const asked: Outage['asked'] = []
  let isOver = false
  let count = 0

  /** A session that begins again when it was stopped. */
  async function run(at: number): Promise<void> {
    for (let life = 0; !isOver; life++) {
      const model = at % 3 === 0 ? 'stuck' : 'honest'
      const session = `${name} ${at} ${life}`
      const protocol = at % 2 === 0 ? 'openai-chat' : 'anthropic'
      const agent = createAgent(protocol, session, { model, session, isStream: at % 4 > 1 })
      for (let round = 0; round < 12 && !isOver; round++) {
        const next = wait(400)
        const one = await agent.ask((count++ % 2 === 0 ? a : b).url)
        asked.push({ ...one, at: performance.now() })
        if (one.verdict === 'respond') break
        await next
      }
    }
  }

  const running = Promise.all(Array.from({ length: 20 }, (_, at) => run(at)))
  // a request that fails fails the test when it ends
  running.catch(() => {})
  const end = () => {
    isOver = true
    return running
  }
  return {
    a,
    b,
    redis,
    asked,
    up: async () => (await Promise.all([a.metric('store_up'), b.metric('store_up')])).join(),
    end,
    async stop() {
      await end().catch(() => {})
      await Promise.all([a.stop(), b.stop(), redis.stop()])
    },
  }
}
