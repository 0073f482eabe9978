import type { Provider } from '@unloop/testing'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Agent, type AgentOptions, type AgentProtocol, createAgent } from '../test/agent.js'
import { startCrowd } from './crowd.js'
import {
  type GatewayProcess,
  type Redis,
  startGatewayProcess,
  startRedis,
  until,
} from './processes.js'
import { startScenarios } from './scenarios.js'

let redis: Redis
let provider: Provider
/** two instances that share a Redis, and one on its own */
let fleet: [GatewayProcess, GatewayProcess]
let alone: GatewayProcess

beforeAll(async () => {
  ;[redis, provider] = await Promise.all([startRedis(), startScenarios()])
  const shared = ['--store', redis.url]
  const [a, b, c] = await Promise.all([
    startGatewayProcess(provider.url, ...shared),
    startGatewayProcess(provider.url, ...shared),
    startGatewayProcess(provider.url),
  ])
  fleet = [a, b]
  alone = c
})
afterAll(async () => {
  await Promise.all([...(fleet ?? []), alone, redis].map((one) => one?.stop()))
  await provider?.close()
})

/** makes names that no test has used before, also when one is run again */
let run = 0
beforeEach(() => {
  run++
})

/** A number from 0 to 1 that is the same in each run. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const WAYS: [AgentProtocol, AgentOptions][] = [
  ['openai-chat', {}],
  ['openai-chat', { isStream: true }],
  ['openai-responses', {}],
  ['openai-responses', { isChained: true }],
  ['openai-responses', { isChained: true, isStream: true }],
  ['anthropic', {}],
  ['anthropic', { isStream: true }],
]

describe('requests that go to any instance', () => {
  it.each(['stuck', 'honest', 'alternating', 'parallel', 'repentant', 'late', 'talking'])(
    'are judged as by one: %s',
    async (model) => {
      const random = createRandom(model.length)
      const either = () => fleet[random() < 0.5 ? 0 : 1]

      /** The verdicts of a conversation. */
      async function play(
        name: string,
        way: (typeof WAYS)[number],
        isNamed: boolean,
        to: () => GatewayProcess,
      ) {
        const [protocol, options] = way
        const key = `${run} ${model} ${name} ${protocol} ${JSON.stringify(options)} ${isNamed}`
        const agent = createAgent(protocol, `Please do it: ${key}`, {
          ...options,
          model,
          key,
          ...(isNamed && { session: key }),
        })
        const verdicts: string[] = []
        for (let round = 0; round < 12; round++) {
          const { verdict, status } = await agent.ask(to().url)
          verdicts.push(status === 200 ? verdict : `${status}`)
          // a run that was stopped goes on when the person says something
          if (verdict === 'respond') agent.say(`Go on, but do something else, ${round}.`)
        }
        return verdicts.join(' ')
      }

      const cases = WAYS.flatMap((way) => [true, false].map((isNamed) => ({ way, isNamed })))
      const played = await Promise.all(
        cases.map(async ({ way, isNamed }) => ({
          way: `${way[0]} ${JSON.stringify(way[1])} ${isNamed ? 'named' : 'unnamed'}`,
          alone: await play('alone', way, isNamed, () => alone),
          fleet: await play('fleet', way, isNamed, either),
        })),
      )
      const errors = await Promise.all(fleet.map((one) => one.metric('store_errors_total')))
      for (const one of played) {
        // a difference may be that of a machine so busy that Redis does not answer in time
        expect(one.fleet, `${one.way}; store errors so far: ${errors}`).toBe(one.alone)
        if (model === 'honest') expect(one.alone).toMatch(/^(go ?){12}$/)
        if (model === 'stuck') expect(one.alone).toMatch(/^go go go nudge respond/)
      }
    },
  )
})

describe('requests of one session at the same time', () => {
  const sessionOf = async (id: string) =>
    (await fleet[0].live()).sessions.find((session: { id: string }) => session.id === id)

  it('of a main agent and its sub-agent are all counted, and both are found stuck', async () => {
    const options = { session: `main and sub ${run}`, model: 'stuck' }
    const agents: Agent[] = [
      createAgent('openai-chat', 'Do it.', { ...options, system: 'You are the main agent.' }),
      createAgent('openai-chat', 'Help.', { ...options, system: 'You are a sub-agent.' }),
    ]
    const asked: { verdict: string; session: string }[] = []
    for (let round = 0; round < 5; round++) {
      // the two never go to the same instance at a time
      const both = agents.map((agent, at) => agent.ask(fleet[(round + at) % 2 === 0 ? 0 : 1].url))
      asked.push(...(await Promise.all(both)))
    }
    const id = asked[0]?.session ?? ''
    const count = (verdict: string) => asked.filter((one) => one.verdict === verdict).length
    expect(count('nudge')).toBe(2)
    expect(count('respond')).toBe(2)
    // what is known of a request is stored after its answer
    await until(async () => {
      const known = await sessionOf(id)
      return known?.saved.requests === 2 && known.requests === 8
    })
    const session = await sessionOf(id)
    // each of the two has asked with 0 to 3 answers before
    expect(session.tokens).toBe(2 * (110 + 111 + 112 + 113))
    const actions = session.findings.map(({ action }: { action: string }) => action)
    expect(actions.filter((action: string) => action === 'warn')).toHaveLength(2)
    expect(actions.filter((action: string) => action === 'block')).toHaveLength(2)
  })

  it('a run that was stopped stays stopped, also for those who ask again at once elsewhere', async () => {
    const runs = Array.from({ length: 20 }, async (_, at) => {
      const session = `stopped ${run} ${at}`
      const agent = createAgent('openai-chat', session, { model: 'stuck', session })
      const verdicts: string[] = []
      for (let round = 0; round < 7; round++)
        verdicts.push((await agent.ask(fleet[round % 2 === 0 ? 0 : 1].url)).verdict)
      return verdicts.join(' ')
    })
    expect(new Set(await Promise.all(runs))).toEqual(
      new Set(['go go go nudge respond respond respond']),
    )
  })

  it('that are the same are both counted', async () => {
    const arrived: (() => void)[] = []
    const slow = await startScenarios(
      () =>
        new Promise<void>((resolve) => {
          arrived.push(resolve)
          // both are on their way before either is answered
          if (arrived.length === 2) for (const go of arrived) go()
        }),
    )
    const shared = ['--store', redis.url]
    const both = await Promise.all([
      startGatewayProcess(slow.url, ...shared),
      startGatewayProcess(slow.url, ...shared),
    ])
    try {
      const asked = await Promise.all(
        both.map(({ url }) =>
          createAgent('openai-chat', 'The same.', { session: `twins ${run}`, model: 'stuck' }).ask(
            url,
          ),
        ),
      )
      const id = asked[0]?.session ?? ''
      expect(asked.map(({ verdict, session }) => [verdict, session])).toEqual([
        ['go', id],
        ['go', id],
      ])
      await until(async () => (await sessionOf(id))?.requests === 2)
      expect((await sessionOf(id)).tokens).toBe(220)
    } finally {
      await Promise.all(both.map((one) => one.stop()))
      await slow.close()
    }
  })

  it('many at once add up', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `part ${at}`)
    const asked = await Promise.all(
      names.map((name, at) =>
        createAgent('anthropic', name, {
          session: `many ${run}`,
          model: 'honest',
          system: name,
        }).ask(fleet[at % 2 === 0 ? 0 : 1].url),
      ),
    )
    const id = asked[0]?.session ?? ''
    await until(async () => (await sessionOf(id))?.requests === 40)
    expect((await sessionOf(id)).tokens).toBe(40 * 110)
  })
})

it('an instance that dies breaks only what it was streaming, and the session goes on elsewhere', async () => {
  const slow = await startScenarios(() => undefined)
  const shared = ['--store', redis.url]
  const dying = await startGatewayProcess(slow.url, ...shared)
  const other = await startGatewayProcess(slow.url, ...shared)
  try {
    const agents = [`dies ${run}`, `lives ${run}`].map((session) =>
      createAgent('openai-responses', session, { session, model: 'stuck', isChained: true }),
    )
    const [first, second] = agents as [Agent, Agent]
    const verdicts: string[] = []
    for (let round = 0; round < 4; round++) {
      verdicts.push((await first.ask(dying.url)).verdict)
      await second.ask(other.url)
    }
    expect(verdicts.at(-1)).toBe('nudge')
    const body = JSON.stringify({
      model: 'slow',
      stream: true,
      messages: [{ role: 'user', content: 'x' }],
    })
    const open = async (url: string) => {
      const response = await fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        body,
        headers: { 'x-unloop-session': 'streaming' },
      })
      return response.body?.getReader()
    }
    const [broken, whole] = await Promise.all([open(`${dying.url}`), open(`${other.url}`)])
    await Promise.all([broken?.read(), whole?.read()])
    dying.kill('SIGKILL')
    await dying.stop()
    const rest = async (reader: typeof broken) => {
      let text = ''
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true }
        if (done) return text
        text += Buffer.from(value ?? []).toString()
      }
    }
    await expect(rest(broken)).rejects.toThrow()
    expect(await rest(whole)).toMatch(/\[DONE\]/)
    // it goes on from the id of the last answer, so all that is known of it is in Redis
    const next = await first.ask(other.url)
    expect(next.verdict).toBe('respond')
    const { sessions } = await other.live()
    const session = sessions.find((one: { id: string }) => one.id === next.session)
    expect(session.findings.map(({ action }: { action: string }) => action)).toContain('warn')
    expect((await second.ask(other.url)).verdict).toBe('respond')
  } finally {
    await Promise.all([dying, other].map((one) => one.stop()))
    await slow.close()
  }
})

it('more sessions than have a place in memory are all answered, the first ones once more', async () => {
  const crowd = await startCrowd(redis, `crowd ${run}`)
  try {
    const first = await crowd.come(1200)
    expect(await crowd.gateway.metric('sessions')).toBe(1000)
    const ids = first.slice(0, 50).map(({ id }) => id)
    await Promise.all(first.slice(0, 50).map(crowd.ask))
    expect(first.slice(0, 50).map(({ id }) => id)).toEqual(ids)
    expect(await crowd.gateway.metric('sessions')).toBe(1000)
  } finally {
    await crowd.stop()
  }
})
