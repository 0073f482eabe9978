import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import type { Provider } from '@unloop/testing'
import { startProvider } from '@unloop/testing'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { unseal } from '../src/guard/seal.js'
import { createRedisStore } from '../src/store/redis.js'
import { createAgent } from '../test/agent.js'
import { OUTAGES, startOutage } from './outage.js'
import {
  type GatewayProcess,
  type Redis,
  type RedisClient,
  startGatewayProcess,
  startRedis,
  until,
} from './processes.js'
import { startScenarios } from './scenarios.js'

let provider: Provider
beforeAll(async () => {
  provider = await startScenarios()
})
afterAll(() => provider?.close())

/** Starts instances that share a Redis, until the test is over. */
async function startFleet(redis: Redis, count: number, ...args: string[]) {
  const all = await Promise.all(
    Array.from({ length: count }, () =>
      startGatewayProcess(provider.url, '--store', redis.url, ...args),
    ),
  )
  onTestFinished(async () => {
    await Promise.all(all.map((one) => one.stop()))
  })
  return all as [GatewayProcess, ...GatewayProcess[]]
}

async function startOwnRedis(...args: string[]): Promise<Redis> {
  const redis = await startRedis(...args)
  onTestFinished(() => redis.stop())
  return redis
}

/** All keys, as pairs of a name and a type. */
async function keysOf(client: RedisClient): Promise<string[]> {
  const keys: string[] = []
  for await (const some of client.scanIterator({ COUNT: 1000 })) keys.push(...[some].flat())
  return keys
}

// requests that are served by rights while Redis is away
const OUTAGE_REQUESTS = 60

describe('a Redis that is away', () => {
  it.concurrent.each(OUTAGES)('costs no request and no loop: %s', async (name, leave, comeBack) => {
    const outage = await startOutage(provider.url, name)
    const { asked, redis, up } = outage
    try {
      await until(() => asked.length > 60)
      await until(async () => (await up()) === '1,1')
      const before = asked.length
      leave(redis)
      await until(async () => (await up()) === '0,0')
      const away = asked.length
      // some of seven sessions that are stuck, and of those that began after them
      const stopped = () => asked.slice(before).filter(({ verdict }) => verdict === 'respond')
      await until(() => asked.length > away + OUTAGE_REQUESTS && stopped().length > 5)
      await comeBack(redis)
      await until(async () => (await up()) === '1,1')
      const after = asked.length
      await until(() => asked.length > after + 60)
      await outage.end()

      expect(asked.filter(({ status }) => status !== 200)).toEqual([])
      const { a, b } = outage
      expect(await a.metric('store_errors_total')).toBeGreaterThan(0)
      expect(await b.metric('store_errors_total')).toBeGreaterThan(0)

      // afterwards what one instance saw, the other knows: this history is nowhere but in Redis
      const agent = createAgent('openai-responses', `after ${name}`, {
        model: 'stuck',
        session: `after ${name}`,
        isChained: true,
      })
      const verdicts: string[] = []
      for (let round = 0; round < 5; round++)
        verdicts.push((await agent.ask((round % 2 === 0 ? a : b).url)).verdict)
      expect(verdicts).toEqual(['go', 'go', 'go', 'nudge', 'respond'])
    } finally {
      await outage.stop()
    }
  })

  it('at the start does not hold up the gateway, which finds it later', async () => {
    const redis = await startOwnRedis()
    redis.kill('SIGKILL')
    await redis.stop()
    const [gateway] = await startFleet(redis, 1)
    expect(await gateway.metric('store_up')).toBe(0)
    const agent = createAgent('openai-chat', 'early', { model: 'stuck', session: 'early' })
    const verdicts: string[] = []
    for (let round = 0; round < 5; round++) verdicts.push((await agent.ask(gateway.url)).verdict)
    expect(verdicts).toEqual(['go', 'go', 'go', 'nudge', 'respond'])
    await redis.restart()
    onTestFinished(() => redis.stop())
    await until(async () => (await gateway.metric('store_up')) === 1)
    expect(await gateway.end()).toBe(0)
  })

  it('or silent does not keep the gateway from ending', async () => {
    const redis = await startOwnRedis()
    const [first, second] = await startFleet(redis, 2)
    redis.kill('SIGSTOP')
    await createAgent('openai-chat', 'x', { model: 'stuck' }).ask(first.url)
    expect(await first.end()).toBe(0)
    redis.kill('SIGCONT')
    redis.kill('SIGKILL')
    await createAgent('openai-chat', 'x', { model: 'stuck' }).ask(`${second?.url}`)
    expect(await second?.end()).toBe(0)
  })
})

it('a Redis that is full lets traffic pass', async () => {
  const redis = await startOwnRedis('--maxmemory', '1', '--maxmemory-policy', 'noeviction')
  const [a, b] = (await startFleet(redis, 2)) as [GatewayProcess, GatewayProcess]
  for (const protocol of ['openai-chat', 'anthropic', 'openai-responses'] as const) {
    const agent = createAgent(protocol, `full ${protocol}`, { model: 'stuck', session: protocol })
    const verdicts: string[] = []
    for (let round = 0; round < 6; round++) {
      const { status, verdict } = await agent.ask((round % 2 === 0 ? a : b).url)
      expect(status).toBe(200)
      verdicts.push(verdict)
    }
    // nothing is shared, but each request carries its history
    expect(verdicts).toContain('respond')
  }
  expect(await a.metric('store_errors_total')).toBeGreaterThan(0)
  expect(await redis.client.dbSize()).toBe(0)
})

describe('what is in Redis', () => {
  /** Bytes of all keys of a session, those that point to it included. */
  async function sizeOf(client: RedisClient, id: string): Promise<number> {
    let sum = 0
    for (const key of await keysOf(client)) {
      const isPointer = key.startsWith('unloop:at:') && (await client.get(key)) === id
      if (key.includes(`{${id}}`) || isPointer)
        sum += (await client.memoryUsage(key, { SAMPLES: 0 })) ?? 0
    }
    return sum
  }

  const LIMIT = 64 * 2 ** 10
  // three bytes a character, and nothing that a compressor makes small
  const noise = (length: number, seed: number) =>
    Array.from({ length }, (_, at) =>
      String.fromCharCode(
        0x4e00 +
          (((Math.imul(at + 1, 2_654_435_761) ^ Math.imul(seed + 7, 40_503)) >>> 8) % 20_000),
      ),
    ).join('')

  it('is 64 KB a session at most, however long it is', async () => {
    const redis = await startOwnRedis()
    const [gateway] = await startFleet(redis, 1)
    const upstream = await startProvider(({ body }, turn) => {
      const model = String(body.model)
      if (model === 'chant') return { text: `${noise(40, 1)} `.repeat(300) }
      const path = noise(4000, model === 'loop' ? 1 : turn)
      return { text: noise(3000, turn), calls: [{ name: 'read', args: { path } }] }
    })
    onTestFinished(() => upstream.close())
    const own = await startGatewayProcess(
      upstream.url,
      '--store',
      redis.url,
      '--on-loop',
      'observe',
    )
    onTestFinished(() => own.stop())
    const sizes: Record<string, number> = {}

    async function measure(name: string, session: string) {
      await until(async () => (await redis.client.exists(`unloop:{${session}}`)) === 1)
      // nothing is being written any more
      let last = -1
      await until(async () => {
        const now = await sizeOf(redis.client, session)
        const isSame = now === last
        last = now
        return isSame
      })
      sizes[name] = last
    }

    const output = (args: string, round: number) =>
      noise(3000, args.includes(noise(9, 1)) ? 1 : round)
    for (const [protocol, model] of [
      ['openai-chat', 'loop'],
      ['openai-responses', 'busy'],
      ['anthropic', 'loop'],
    ] as const) {
      const name = `${protocol}, ${model}`
      const agent = createAgent(protocol, noise(5000, 3), { model, session: name, output })
      let id = ''
      for (let round = 0; round < 16; round++) id = (await agent.ask(own.url)).session
      await measure(name, id)
    }

    const talker = createAgent('openai-chat', 'sing', {
      model: 'chant',
      session: 'singer',
      isStream: true,
    })
    let singer = ''
    for (let round = 0; round < 12; round++) {
      singer = (await talker.ask(own.url)).session
      talker.say(`once more ${noise(500, round)}`)
    }
    await measure('chants', singer)

    // sub-agents beside each other
    let many = ''
    const agents = Array.from({ length: 12 }, (_, at) =>
      createAgent('anthropic', noise(2000, at), {
        model: at % 2 ? 'loop' : 'busy',
        session: 'many',
        system: `You are number ${'i'.repeat(at)}`,
        output,
      }),
    )
    for (let round = 0; round < 9; round++)
      for (const asked of await Promise.all(agents.map((agent) => agent.ask(own.url))))
        many = asked.session
    await measure('12 sub-agents', many)

    // conversations without a name, which are found by where they stand; ids as long as the real ones
    const unnamed = createAgent('openai-chat', 'unnamed', { model: 'honest', key: 'unnamed' })
    let id = ''
    for (let round = 0; round < 60; round++) id = (await unnamed.ask(gateway.url)).session
    await measure('unnamed chat, 60 requests', id)
    const pointers = (await keysOf(redis.client)).filter((key) => key.startsWith('unloop:at:'))
    expect(pointers.length).toBeLessThan(5)

    console.log(sizes)
    for (const [name, bytes] of Object.entries(sizes))
      expect([name, bytes < LIMIT]).toEqual([name, true])
    // it is about sessions that have much to remember
    expect(Math.max(...Object.values(sizes))).toBeGreaterThan(LIMIT / 8)
    expect(
      (await own.live()).sessions.find((one: { id: string }) => one.id === many).findings.length,
    ).toBe(10)
  })

  it('is no state of an agent that is too large, but all else of its session', async () => {
    const redis = await startOwnRedis()
    let leftOut = 0
    const failures: unknown[] = []
    const store = await createRedisStore({ url: redis.url, isCluster: false }, 60_000, {
      failed: (error) => failures.push(error),
      leftOut: () => leftOut++,
    })
    onTestFinished(() => store.close())
    const save = (version: number, bytes: number) =>
      store.save('s', {
        about: { name: 's', agent: '', protocol: 'openai-chat', model: 'm' },
        at: 1,
        requests: 1,
        tokens: 10,
        dollars: 0,
        saved: { requests: 0, tokens: 0, dollars: 0 },
        over: 0,
        state: 'working',
        pressure: 0,
        findings: [],
        isPrompt: false,
        hasTools: true,
        lane: {
          place: `p${version}`,
          persona: '',
          hasCalls: true,
          at: 1,
          version,
          from: undefined,
          freeze: () => 'x'.repeat(bytes),
        },
      })
    expect(await save(1, 40 * 2 ** 10)).toBe(true)
    expect(leftOut).toBe(0)
    expect(await save(2, 40 * 2 ** 10 + 1)).toBe(true)
    expect(leftOut).toBe(1)
    const { session, lanes } = await store.open('s')
    expect(session).toMatchObject({ requests: 2, tokens: 20 })
    expect(lanes.map(({ place }) => place)).toEqual(['p1'])
    expect(await store.lane('s', 'p2')).toBeUndefined()
    expect(failures).toEqual([])
  })

  it('does not grow with the number of requests that go on by an id', async () => {
    const redis = await startOwnRedis()
    const [gateway] = await startFleet(redis, 1)
    const input: unknown[] = [{ role: 'user', content: 'go' }]
    // sends its history, though the provider keeps the answers as well
    const tools = [{ type: 'function', name: 'read', parameters: {} }]
    for (let round = 0; round < 40; round++) {
      const response = await fetch(`${gateway.url}/v1/responses`, {
        method: 'POST',
        body: JSON.stringify({ model: 'honest', input, tools }),
      })
      const { output } = (await response.json()) as { output: { type: string; call_id?: string }[] }
      input.push(...output)
      for (const { type, call_id } of output)
        if (type === 'function_call')
          input.push({ type: 'function_call_output', call_id, output: `${round}` })
    }
    const pointers = async () =>
      (await keysOf(redis.client)).filter((key) => key.startsWith('unloop:at:')).length
    await until(async () => (await pointers()) < 6).catch(() => {})
    expect(await pointers()).toBeLessThan(6)
  })

  it('expires', async () => {
    const redis = await startOwnRedis()
    const [gateway] = await startFleet(redis, 1)
    await createAgent('openai-chat', 'x', { model: 'stuck', session: 'named' }).ask(gateway.url)
    await createAgent('openai-responses', 'x', { model: 'stuck', isChained: true }).ask(gateway.url)
    await until(async () => (await redis.client.dbSize()) >= 4)
    for (const key of await keysOf(redis.client)) {
      const ms = await redis.client.pTTL(key)
      expect([key, ms > 3_500_000 && ms <= 3_600_000]).toEqual([key, true])
    }
  })

  it('has nothing of what the model said', async () => {
    const redis = await startOwnRedis()
    const upstream = await startProvider((_, turn) => ({
      text: `The admin password is "tulip-9-Fenster", number ${turn}.`,
      calls: [{ name: 'read', args: { path: `file-${turn}` } }],
    }))
    const gateway = await startGatewayProcess(upstream.url, '--store', redis.url)
    onTestFinished(async () => {
      await Promise.all([gateway.stop(), upstream.close()])
    })
    for (const protocol of ['openai-chat', 'anthropic'] as const) {
      const agent = createAgent(protocol, 'go', { session: protocol })
      for (let round = 0; round < 4; round++) await agent.ask(gateway.url)
    }
    const hashes = async () => (await keysOf(redis.client)).filter((key) => key.includes('{'))
    await until(async () => (await hashes()).length === 2)
    for (const key of await hashes()) {
      await until(async () =>
        Object.keys(await redis.client.hGetAll(key)).some((field) => field.startsWith('state:')),
      )
      for (const value of Object.values(await redis.client.hGetAll(key)))
        for (const stored of [value, Buffer.from(value, 'base64').toString('latin1')])
          expect(stored).not.toMatch(/tulip|password|file-/)
    }
  })

  it('has no key of anybody, as it is and opened', async () => {
    const redis = await startOwnRedis()
    const [gateway] = await startFleet(redis, 1)
    const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD'
    const keys = ['openai', 'anthropic', 'named', 'unnamed'].map(
      (name) => `sk-${name}-0123456789abcdef`,
    )
    for (const [at, key] of keys.entries()) {
      const agent = createAgent(
        at === 1 ? 'anthropic' : at === 2 ? 'openai-responses' : 'openai-chat',
        'go',
        {
          model: 'stuck',
          key,
          ...(at < 3 && { session: `session ${at}` }),
          isChained: at === 2,
        },
      )
      for (let round = 0; round < 6; round++) await agent.ask(gateway.url)
    }
    const raw = { model: 'stuck', messages: [{ role: 'user', content: 'x' }] }
    for (const headers of [
      { 'x-api-key': secret },
      { 'api-key': secret },
      { 'x-goog-api-key': secret },
    ])
      await fetch(`${gateway.url}/v1/chat/completions?key=${secret}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(raw),
      })
    await until(async () => (await gateway.live()).totals.saved.requests >= 4)

    const texts: string[] = []
    const states: { id: string; value: string }[] = []
    for (const key of await keysOf(redis.client)) {
      texts.push(key)
      const type = await redis.client.type(key)
      if (type === 'string') texts.push((await redis.client.get(key)) ?? '')
      else if (type === 'zset') texts.push(...(await redis.client.zRange(key, 0, -1)))
      else
        for (const [field, value] of Object.entries(await redis.client.hGetAll(key))) {
          texts.push(field, value)
          if (!field.startsWith('state:')) continue
          expect(() => inflateRawSync(Buffer.from(value, 'base64'))).toThrow()
          states.push({ id: key.replace(/^.*\{(.*)\}$/, '$1'), value })
        }
    }
    const all = texts.join('\n')
    for (const key of [...keys, secret]) expect(all).not.toContain(key)
    // the states of the guards are there, but for those who have the key only; no key is in them either
    const opened = keys.flatMap((key) => states.flatMap((state) => openWith(key, state)))
    expect(opened.length).toBeGreaterThanOrEqual(keys.length)
    for (const text of opened) {
      expect(text).toContain('"snapshot"')
      for (const key of [...keys, secret]) expect(text).not.toContain(key)
    }
    const live = JSON.stringify(await gateway.live())
    const log = JSON.stringify(gateway.log)
    for (const key of [...keys, secret]) expect(live + log).not.toContain(key)
  })
})

/** The state of a lane as JSON, if this is the key of its sender. */
function openWith(key: string, { id, value }: { id: string; value: string }): string[] {
  const hash = createHash('sha256').update(key).digest('hex')
  try {
    return [inflateRawSync(unseal(value, hash, id)).toString()]
  } catch {
    return []
  }
}

it('a Redis Cluster is as good: the keys of a session are in one slot', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'unloop-cluster-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const redis = await startOwnRedis('--cluster-enabled', 'yes', '--dir', folder)
  await redis.client.sendCommand(['CLUSTER', 'ADDSLOTSRANGE', '0', '16383'])
  await until(async () =>
    /cluster_state:ok/.test(String(await redis.client.sendCommand(['CLUSTER', 'INFO']))),
  )
  const config = join(folder, 'gateway.yaml')
  writeFileSync(config, `store: { url: '${redis.url}', cluster: true }\n`)
  const [a, b] = (await Promise.all(
    [0, 1].map(() => startGatewayProcess(provider.url, '--config', config)),
  )) as [GatewayProcess, GatewayProcess]
  onTestFinished(async () => {
    await Promise.all([a.stop(), b.stop()])
  })
  await until(async () => (await a.metric('store_up')) === 1)
  const ids: string[] = []
  for (const isNamed of [true, false]) {
    const agent = createAgent('openai-responses', `cluster ${isNamed}`, {
      model: 'stuck',
      isChained: true,
      ...(isNamed && { session: 'cluster' }),
    })
    const verdicts: string[] = []
    for (let round = 0; round < 5; round++) {
      const { verdict, session } = await agent.ask((round % 2 === 0 ? a : b).url)
      verdicts.push(verdict)
      ids.push(session)
    }
    expect(verdicts).toEqual(['go', 'go', 'go', 'nudge', 'respond'])
  }
  expect(await a.metric('store_errors_total')).toBe(0)
  expect(await b.metric('store_errors_total')).toBe(0)
  for (const id of new Set(ids)) {
    const keys = (await keysOf(redis.client)).filter((key) => key.includes(id))
    expect(keys.length).toBeGreaterThan(0)
    const slots = await Promise.all(
      keys.map((key) => redis.client.sendCommand(['CLUSTER', 'KEYSLOT', key])),
    )
    expect(new Set(slots).size).toBe(1)
  }
  await until(async () => {
    const { totals } = await a.live()
    return totals.sessions === 2 && totals.stuck === 2
  })
})
