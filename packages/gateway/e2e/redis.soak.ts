import { setTimeout as wait } from 'node:timers/promises'
import type { Provider } from '@unloop/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createAgent } from '../test/agent.js'
import { OUTAGES, startOutage } from './outage.js'
import { startGatewayProcess, startRedis, until } from './processes.js'
import { startScenarios } from './scenarios.js'

let provider: Provider
beforeAll(async () => {
  provider = await startScenarios()
})
afterAll(() => provider?.close())

const OUTAGE_MS = 10_000

it.each(OUTAGES)(
  'a Redis that is away for 10 s costs nobody a second: %s',
  async (name, leave, comeBack) => {
    const outage = await startOutage(provider.url, name)
    const { a, asked, redis, up } = outage
    try {
      await until(() => asked.length > 60)
      const before = asked.length
      const from = performance.now()
      leave(redis)
      await until(async () => (await up()) === '0,0')
      await wait(OUTAGE_MS - (performance.now() - from))
      const to = performance.now()
      await comeBack(redis)
      await until(async () => (await up()) === '1,1')
      await outage.end()

      const during = asked.filter(({ at }) => at > from && at < to)
      const slowestOf = (some: typeof asked) => Math.round(Math.max(...some.map(({ ms }) => ms)))
      const usual = slowestOf(asked.slice(0, before))
      const slowest = slowestOf(asked)
      console.log(
        `${name}: ${during.length / 10} requests a second; ${usual} ms at most before, ${slowest} ms at all`,
      )
      // a slow machine has less than the 50 requests a second that this asks for
      expect(during.length).toBeGreaterThan(200)
      expect(slowest).toBeLessThan(usual + 1000)
      // what is logged is little, whatever the traffic
      expect(a.log.length).toBeLessThan(400)
    } finally {
      await outage.stop()
    }
  },
)

it('a Redis that is full holds up nobody for long', async () => {
  const redis = await startRedis('--maxmemory', '1', '--maxmemory-policy', 'noeviction')
  const gateway = await startGatewayProcess(provider.url, '--store', redis.url)
  try {
    const agent = createAgent('openai-chat', 'full', { model: 'stuck', session: 'full' })
    for (let round = 0; round < 6; round++)
      expect((await agent.ask(gateway.url)).ms).toBeLessThan(1200)
  } finally {
    await Promise.all([gateway.stop(), redis.stop()])
  }
})
