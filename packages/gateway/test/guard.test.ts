import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Provider, type Script, startProvider } from '@unloop/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { type Gateway, type GatewayOptions, startGateway } from '../src/index.js'
import { type AgentProtocol, createAgent } from './agent.js'

const open: { close(): Promise<void> }[] = []

afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close()
})

/** A gateway before a provider that speaks all protocols. */
async function start(
  script: Script,
  options: GatewayOptions = {},
): Promise<{ gateway: Gateway; provider: Provider }> {
  const provider = await startProvider(script)
  const upstreams = Object.fromEntries(
    ['openai', 'anthropic', 'gemini'].map((name) => [name, { url: provider.url }]),
  )
  const gateway = await startGateway({
    upstreams,
    limits: { drainMs: 100 },
    ...options,
    listen: { port: 0 },
  })
  open.push(provider, gateway)
  return { gateway, provider }
}

const stuck: Script = () => ({ calls: [{ name: 'read', args: { path: 'nothing.txt' } }] })
const failing = () => 'cat: nothing.txt: No such file or directory'
const protocols: AgentProtocol[] = ['openai-chat', 'openai-responses', 'anthropic']

const choose = ({ pageUrl, url }: Gateway, session: string, choice: object) =>
  fetch(`${url}/unloop/api/sessions/${session}/choice`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${pageUrl.split('token=')[1]}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(choice),
  })

async function sessionsOf({ pageUrl, url }: Gateway) {
  const headers = { authorization: `Bearer ${pageUrl.split('token=')[1]}` }
  const response = await fetch(`${url}/unloop/api/sessions`, { headers })
  return ((await response.json()) as { sessions: SessionLike[] }).sessions
}

interface SessionLike {
  id: string
  state: string
  requests: number
  tokens: number
  saved: { requests: number; tokens: number }
  findings: { detector: string; outcome: string; detail: string }[]
}

/** The verdicts on the next requests of an agent. */
async function verdicts(agent: ReturnType<typeof createAgent>, url: string, count: number) {
  const heard: string[] = []
  for (let i = 0; i < count; i++) heard.push((await agent.ask(url)).verdict)
  return heard
}

describe.each(protocols)('%s', (protocol) => {
  const EXPECTED = {
    respond: ['go', 'go', 'go', 'nudge', 'respond', 'respond'],
    error: ['go', 'go', 'go', 'nudge', 'error', 'error'],
    nudge: ['go', 'go', 'go', 'nudge', 'nudge', 'respond'],
    observe: ['go', 'go', 'go', 'observe', 'observe', 'observe'],
  } as const

  for (const [mode, expected] of Object.entries(EXPECTED)) {
    it.each([undefined, 'a-session'])(`ends a loop with ${mode}, session %s`, async (session) => {
      const { gateway, provider } = await start(stuck, { onLoop: mode as 'respond' })
      const agent = createAgent(protocol, 'Read it', {
        output: failing,
        ...(session !== undefined && { session }),
      })
      // an answer of ours has no calls, so asking again adds nothing to the history
      expect(await verdicts(agent, gateway.url, 6)).toEqual(expected)
      const sent = expected.filter((one) => !/respond|error/.test(one)).length
      expect(provider.exchanges).toHaveLength(sent)
      agent.say('Try another file')
      const next = await agent.ask(gateway.url)
      expect(next).toMatchObject({ status: 200, verdict: 'go' })
      expect(provider.exchanges).toHaveLength(sent + 1)
    })
  }

  it('passes requests and answers on unchanged while all is well', async () => {
    const { gateway, provider } = await start((_, turn) => ({
      text: `Step ${turn}`,
      calls: [{ name: 'read', args: { path: `${turn}.txt` } }],
    }))
    const direct = createAgent(protocol, 'Read them', { session: 's' })
    const through = createAgent(protocol, 'Read them', { session: 's' })
    for (let i = 0; i < 3; i++) expect((await direct.ask(provider.url)).status).toBe(200)
    const plain = provider.exchanges.splice(0).map(({ body }) => body)
    for (let i = 0; i < 3; i++) expect((await through.ask(gateway.url)).verdict).toBe('go')
    expect(provider.exchanges.map(({ body }) => body)).toEqual(plain)
  })
})

describe('a conversation', () => {
  it('is one session whoever asks in between', async () => {
    const { gateway } = await start(stuck)
    const agents = ['one', 'two', 'three'].map((name) =>
      createAgent('openai-chat', `Read ${name}`, { output: failing }),
    )
    const heard: string[][] = [[], [], []]
    for (let i = 0; i < 5; i++)
      for (const [at, agent] of agents.entries())
        heard[at]?.push((await agent.ask(gateway.url)).verdict)
    expect(heard).toEqual(Array(3).fill(['go', 'go', 'go', 'nudge', 'respond']))
    expect(await sessionsOf(gateway)).toHaveLength(3)
  })

  it('is not mixed up with one that asks the same thing', async () => {
    const { gateway } = await start((_, turn) => ({ text: `Hello, number ${turn}` }))
    const [ada, bob] = [0, 1].map(() => createAgent('openai-chat', 'Hi', { hasTools: false }))
    if (!ada || !bob) throw new Error('two agents')
    await ada.ask(gateway.url)
    await bob.ask(gateway.url)
    ada.say('And now?')
    bob.say('And now?')
    const [first, second] = [await ada.ask(gateway.url), await bob.ask(gateway.url)]
    expect(first.session).not.toBe(second.session)
    const counts = (await sessionsOf(gateway)).map(({ requests }) => requests)
    expect(counts).toEqual([2, 2])
  })

  it('has a guard for each of its sub-agents', async () => {
    const { gateway } = await start(stuck)
    const [main, sub] = ['You lead', 'You explore'].map((system) =>
      createAgent('anthropic', 'Read it', { system, session: 'shared', output: failing }),
    )
    if (!main || !sub) throw new Error('two agents')
    const heard: string[] = []
    for (let i = 0; i < 3; i++) {
      heard.push((await main.ask(gateway.url)).verdict)
      heard.push((await sub.ask(gateway.url)).verdict)
    }
    // six equal calls in one session, but three by each
    expect(heard).toEqual(Array(6).fill('go'))
    expect((await main.ask(gateway.url)).verdict).toBe('nudge')
    expect(await sessionsOf(gateway)).toHaveLength(1)
  })

  it('is not taken for another one of the same session', async () => {
    // each begins with the same call, once, and goes on with its own
    const { gateway } = await start(({ body }, turn) => {
      const isFirst = (body.messages as unknown[]).length === 1
      return { calls: [{ name: 'read', args: { path: isFirst ? 'shared.md' : `${turn}.md` } }] }
    })
    const workers = Array.from({ length: 12 }, (_, at) =>
      createAgent('openai-chat', `Do subtask ${at % 6}`, { session: 'job', output: () => 'notes' }),
    )
    const heard: string[] = []
    for (let i = 0; i < 3; i++)
      for (const worker of workers) heard.push((await worker.ask(gateway.url)).verdict)
    expect(heard.slice(0, 24)).toEqual(Array(24).fill('go'))
  })

  it('is not disturbed by titles and summaries', async () => {
    const { gateway } = await start(({ body }) =>
      body.tools ? { calls: [{ name: 'read', args: {} }] } : { text: 'A title' },
    )
    const agent = createAgent('openai-chat', 'Read it', { session: 'one', output: failing })
    const heard: string[] = []
    for (let i = 0; i < 5; i++) {
      heard.push((await agent.ask(gateway.url)).verdict)
      const title = createAgent('openai-chat', 'Name this', { session: 'one', hasTools: false })
      expect((await title.ask(gateway.url)).verdict).toBe('go')
    }
    expect(heard).toEqual(['go', 'go', 'go', 'nudge', 'respond'])
  })

  it('keeps its counts when its history is compacted', async () => {
    const { gateway } = await start(stuck)
    const before = createAgent('anthropic', 'Read it', { session: 'long', output: failing })
    expect(await verdicts(before, gateway.url, 3)).toEqual(['go', 'go', 'go'])
    const summary = `This is a summary of the work so far: ${'nothing.txt was read. '.repeat(20)}`
    const after = createAgent('anthropic', summary, {
      session: 'long',
      output: failing,
    })
    // the answer to the third call was never seen, so it takes two more to be sure
    expect(await verdicts(after, gateway.url, 4)).toEqual(['nudge', 'go', 'go', 'respond'])
  })

  it('is found by its history where answers could not be heard', async () => {
    const provider = await startProvider(stuck)
    // an encoding that nobody knows, though the bytes are plain
    const deaf = createServer(async (request, response) => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk)
      const answer = await fetch(`${provider.url}${request.url}`, {
        method: 'POST',
        body: Buffer.concat(chunks),
      })
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'x-none' })
      response.end(await answer.text())
    }).listen(0, '127.0.0.1')
    await once(deaf, 'listening')
    const { port } = deaf.address() as AddressInfo
    const { gateway } = await start(stuck, {
      upstreams: { openai: { url: `http://127.0.0.1:${port}` } },
    })
    open.push(provider, { close: async () => void deaf.close() })
    const agent = createAgent('openai-chat', 'Read it', { session: 'deaf', output: failing })
    expect(await verdicts(agent, gateway.url, 5)).toEqual(['go', 'go', 'go', 'nudge', 'respond'])
  })

  it('starts over with another prompt under the same name', async () => {
    const { gateway } = await start(({ body }) =>
      JSON.stringify(body).includes('Read') ? { text: 'Read it.' } : { text: 'Done.' },
    )
    for (const prompt of ['Read a', 'Read b', 'Read c', 'Read d', 'Read e', 'Read f']) {
      const agent = createAgent('anthropic', prompt, { session: 'reused' })
      expect((await agent.ask(gateway.url)).verdict).toBe('go')
    }
  })

  it('goes on from the id of an answer', async () => {
    const { gateway, provider } = await start(stuck)
    const agent = createAgent('openai-responses', 'Read it', { isChained: true, output: failing })
    expect(await verdicts(agent, gateway.url, 5)).toEqual(['go', 'go', 'go', 'nudge', 'respond'])
    agent.say('Try another file')
    expect(await agent.ask(gateway.url)).toMatchObject({ status: 200, verdict: 'go' })
    // the provider has not seen the answer to the last call yet
    const { input, previous_response_id } = (await provider.exchange(4)).body as {
      input: { type?: string; call_id?: string }[]
      previous_response_id: string
    }
    expect(input.map(({ type }) => type)).toEqual(['function_call_output', undefined])
    expect(input[0]?.call_id).toBe('call_3_0')
    expect(previous_response_id).toBe('resp_3')
  })

  it('may ask the same thing again and again', async () => {
    const { gateway } = await start(() => ({ text: 'All systems are up and running.' }))
    const heard: string[] = []
    for (let i = 0; i < 8; i++) {
      const monitor = createAgent('openai-chat', 'Ping', { session: 'monitor', hasTools: false })
      heard.push((await monitor.ask(gateway.url)).verdict)
    }
    expect(heard).toEqual(Array(8).fill('go'))
  })

  it('may have an answer made again and again', async () => {
    const { gateway } = await start((_, turn) =>
      turn === 0 ? { calls: [{ name: 'read' }] } : { text: 'The file says that all is well.' },
    )
    const agent = createAgent('openai-chat', 'Read it', { session: 'again', isForgetful: true })
    const heard: string[] = []
    for (let i = 0; i < 8; i++) heard.push((await agent.ask(gateway.url)).verdict)
    expect(heard).toEqual(Array(8).fill('go'))
  })

  it('counts a request that is sent again once', async () => {
    const { gateway } = await start((_, turn) =>
      turn % 2 === 0 ? { status: 500 } : { calls: [{ name: 'read', args: {} }] },
    )
    const agent = createAgent('openai-chat', 'Read it', { session: 'again', output: failing })
    const heard: string[] = []
    for (let i = 0; i < 6; i++) {
      const { status, verdict } = await agent.ask(gateway.url)
      heard.push(`${status} ${verdict}`)
    }
    expect(heard).toEqual(['500 go', '200 go', '500 go', '200 go', '500 go', '200 go'])
    expect((await agent.ask(gateway.url)).verdict).toBe('nudge')
    // the model was not told, since its provider failed
    expect((await agent.ask(gateway.url)).verdict).toBe('nudge')
    expect((await agent.ask(gateway.url)).verdict).toBe('respond')
  })
})

describe('a person', () => {
  async function stopped() {
    const started = await start(stuck)
    const agent = createAgent('openai-chat', 'Read it', { session: 'mine', output: failing })
    await verdicts(agent, started.gateway.url, 4)
    const { session } = await agent.ask(started.gateway.url)
    return { ...started, agent, session }
  }

  it('lets a session continue once', async () => {
    const { gateway, agent, session } = await stopped()
    expect((await choose(gateway, session, { choice: 'continue-once' })).status).toBe(204)
    expect((await agent.ask(gateway.url)).verdict).toBe('go')
  })

  it('allows a tool for good', async () => {
    const { gateway, agent, session } = await stopped()
    await choose(gateway, session, { choice: 'allow', tool: 'read' })
    expect(await verdicts(agent, gateway.url, 4)).toEqual(['go', 'go', 'go', 'go'])
  })

  it('gives a hint', async () => {
    const { gateway, provider, agent, session } = await stopped()
    await choose(gateway, session, { choice: 'hint', text: 'The file is called other.txt.' })
    expect((await agent.ask(gateway.url)).verdict).toBe('nudge')
    expect(JSON.stringify(provider.exchanges.at(-1)?.body)).toContain('other.txt')
  })

  it('stops a session that is doing fine, until the next message', async () => {
    const { gateway } = await start((_, turn) => ({
      calls: [{ name: 'read', args: { path: `${turn}` } }],
    }))
    const agent = createAgent('openai-chat', 'Read them', { session: 'mine' })
    const { session } = await agent.ask(gateway.url)
    await choose(gateway, session, { choice: 'stop' })
    const { verdict, answer } = await agent.ask(gateway.url)
    expect(verdict).toBe('respond')
    expect(answer.choices[0].message.content).toContain('stopped on the live page')
    expect(await sessionsOf(gateway)).toMatchObject([{ state: 'stopped' }])
    agent.say('Go on')
    expect((await agent.ask(gateway.url)).verdict).toBe('go')
  })

  it('turns the guard off for a session', async () => {
    const { gateway, agent, session } = await stopped()
    await choose(gateway, session, { choice: 'disable' })
    expect(await verdicts(agent, gateway.url, 6)).toEqual(Array(6).fill('go'))
    expect(await sessionsOf(gateway)).toMatchObject([{ state: 'unguarded' }])
  })

  it.each([
    [{ choice: 'allow' }, 400],
    [{ choice: 'hint' }, 400],
    [{ choice: 'dance' }, 400],
  ])('is told that %j is no choice', async (choice, status) => {
    const { gateway, session } = await stopped()
    expect((await choose(gateway, session, choice)).status).toBe(status)
  })

  it('is told of a session that is not there', async () => {
    const { gateway } = await start(stuck)
    expect((await choose(gateway, 'nobody', { choice: 'stop' })).status).toBe(404)
  })
})

describe('a chant', () => {
  const chant = 'I will check the file again. '.repeat(200)
  const ask = async (options: GatewayOptions, stream: boolean) => {
    const { gateway } = await start(() => ({ text: chant, pauseMs: 1 }), options)
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'm', stream, messages: [{ role: 'user', content: 'Hi' }] }),
    })
    const { length } = await response.text()
    return { length, see: async () => (await sessionsOf(gateway))[0] }
  }

  it('is cut, and everybody can see that', async () => {
    const { length, see } = await ask({}, true)
    // each piece of a few characters is an event of 200
    expect(length).toBeLessThan(10 * chant.length)
    await expect.poll(see).toMatchObject({
      state: 'stuck',
      findings: [{ detector: 'chanting', action: 'cut', outcome: 'cut' }],
      saved: { requests: 0, tokens: expect.any(Number) },
    })
    expect((await see())?.saved.tokens).toBeGreaterThan(0)
  })

  it.each([
    [{ onLoop: 'observe' as const }, true],
    [{}, false],
  ])('passes with %j, streamed %s, and is seen', async (options, stream) => {
    const { length, see } = await ask(options, stream)
    expect(length).toBeGreaterThan(chant.length)
    await expect.poll(see).toMatchObject({
      findings: [{ detector: 'chanting', outcome: 'observe' }],
      saved: { requests: 0, tokens: 0 },
    })
  })
})

describe('a budget', () => {
  const walk: Script = (_, turn) => ({
    calls: [{ name: 'read', args: { path: `${turn}.txt` } }],
    usage: { inputTokens: 1_000_000, outputTokens: 0 },
  })

  it.each([
    [{ requests: 5 }, '5 of 5 requests'],
    [{ tokens: 5_000_000 }, '5000000 of 5000000 tokens'],
    [{ dollars: 6.25 }, '$6.25 of $6.25'],
  ])('of %j warns, blocks and stops', async (budget, words) => {
    const { gateway } = await start(walk, { budget, onLoop: 'nudge' })
    const agent = createAgent('openai-chat', 'Read them all', { session: 'dear' })
    const heard = await verdicts(agent, gateway.url, 9)
    expect(heard).toEqual(['go', 'go', 'go', 'go', 'nudge', 'nudge', 'nudge', 'respond', 'respond'])
    const { findings } = (await sessionsOf(gateway))[0] as SessionLike
    expect(findings[1]).toMatchObject({ detector: 'budget', outcome: 'nudge' })
    expect(findings[1]?.detail).toContain(words)
    // another message does not buy more
    agent.say('Go on')
    const { verdict, session, answer } = await agent.ask(gateway.url)
    expect(verdict).toBe('respond')
    expect(answer).toMatchObject({ object: 'chat.completion' })
    expect(answer.choices[0].message.content).toContain('Whoever runs the gateway can continue it')
    await choose(gateway, session, { choice: 'continue-once' })
    agent.say('Go on then')
    expect((await agent.ask(gateway.url)).verdict).toBe('go')
  })
})

describe('a rule', () => {
  it('changes what a loop leads to, by model, path, upstream and key', async () => {
    const { gateway } = await start(stuck, {
      rules: [
        { match: { model: 'gpt-5*', path: '/v1/chat/*' }, onLoop: 'error' },
        { match: { upstream: 'anthropic' }, onLoop: 'off' },
        // the hash of sk-other
        { match: { key: 'sha256:3dcad332' }, onLoop: 'observe' },
      ],
    })
    const last = async (protocol: AgentProtocol, options: object) => {
      const agent = createAgent(protocol, 'Read it', { output: failing, ...options })
      return (await verdicts(agent, gateway.url, 5)).at(-1)
    }
    expect(await last('openai-chat', { model: 'gpt-5-mini' })).toBe('error')
    expect(await last('openai-chat', { model: 'other' })).toBe('respond')
    expect(await last('anthropic', {})).toBe('')
    expect(await last('openai-responses', { key: 'sk-other' })).toBe('observe')
  })
})

describe('a history that nothing is known of', () => {
  const round = (at: number, content: string, after?: string) => [
    {
      role: 'assistant',
      tool_calls: [{ id: `call_${at}`, function: { name: 'status', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: `call_${at}`, content },
    ...(after === undefined ? [] : [{ role: 'user', content: after }]),
  ]

  async function verdictOn(rounds: object[][]) {
    const { gateway } = await start(stuck)
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({
        model: 'm',
        messages: [{ role: 'user', content: 'Do it' }, ...rounds.flat()],
        tools: [{ type: 'function', function: { name: 'status' } }],
      }),
    })
    return response.headers.get('x-unloop-verdict')
  }
  const rounds = (count: number, make: (at: number) => object[]) =>
    Array.from({ length: count }, (_, at) => make(at))

  it('is judged by what it says', async () => {
    expect(await verdictOn(rounds(5, (at) => round(at, 'Not found')))).toBe('respond')
  })

  it('is over where the person has said something since', async () => {
    const words = (at: number) => (at === 4 ? 'Look elsewhere' : undefined)
    expect(await verdictOn(rounds(5, (at) => round(at, 'Not found', words(at))))).toBe('go')
  })

  it('goes on where a program says the same after every answer', async () => {
    const words = (at: number) => `Step ${at} of 100, continue with the task.`
    expect(await verdictOn(rounds(5, (at) => round(at, 'Not found', words(at))))).toBe('respond')
  })

  it.each([
    [
      'goes on where pictures differ',
      (at: number) => `data:image/png;base64,${'abcdefgh'[at]}AAA`,
      'go',
    ],
    ['is stuck where they do not', () => 'data:image/png;base64,AAAA', 'respond'],
  ])('%s', async (_, picture, verdict) => {
    const after = (at: number) => [{ type: 'image_url', image_url: { url: picture(at) } }]
    const look = { name: 'screenshot', arguments: '{}' }
    const seen = rounds(6, (at) => [
      { role: 'assistant', tool_calls: [{ id: `call_${at}`, function: look }] },
      { role: 'tool', tool_call_id: `call_${at}`, content: 'screenshot taken' },
      { role: 'user', content: after(at) },
    ])
    expect(await verdictOn(seen)).toBe(verdict)
  })

  it('is not stuck where old answers were cleared', async () => {
    const answers = rounds(8, (at) =>
      round(at, at < 7 ? '[Old tool result content cleared]' : 'Deploying the last region'),
    )
    expect(await verdictOn(answers)).toBe('go')
  })
})

describe('gateways of others', () => {
  const turn = (id: string) => [
    { role: 'assistant', tool_calls: [{ id, function: { name: 'read', arguments: '{}' } }] },
    { role: 'tool', tool_call_id: id, content: failing() },
  ]
  const talk = (rounds: number) => [
    { role: 'user', content: 'Read it' },
    ...Array.from({ length: rounds }, (_, at) => turn(`call_${at}`)).flat(),
  ]
  const post = async (url: string, body: object) =>
    (
      await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    ).json()

  it('LiteLLM is told what to do', async () => {
    const { gateway } = await start(stuck)
    const url = `${gateway.url}/beta/litellm_basic_guardrail_api`
    const ask = (rounds: number) =>
      post(url, {
        input_type: 'request',
        structured_messages: talk(rounds),
        texts: ['Read it', failing()],
      })
    expect(await ask(2)).toEqual({ action: 'NONE' })
    expect(await ask(3)).toMatchObject({
      action: 'GUARDRAIL_INTERVENED',
      texts: ['Read it', expect.stringContaining('You have made this exact call')],
    })
    expect(await ask(4)).toMatchObject({
      action: 'BLOCKED',
      blocked_reason: expect.stringContaining('read was called 4 times'),
    })
    const chant = 'The same words again and again. '.repeat(100)
    expect(await post(url, { input_type: 'response', texts: [chant] })).toMatchObject({
      action: 'BLOCKED',
    })
    expect(await post(url, { input_type: 'response', texts: ['All done.'] })).toEqual({
      action: 'NONE',
    })
  })

  it('Portkey gets a verdict', async () => {
    const { gateway } = await start(stuck)
    const ask = (rounds: number) =>
      post(`${gateway.url}/guardrails/portkey`, {
        eventType: 'beforeRequestHook',
        request: { json: { model: 'm', messages: talk(rounds) } },
      })
    expect(await ask(2)).toEqual({ verdict: true })
    expect(await ask(3)).toMatchObject({ verdict: true, transformedData: { request: {} } })
    expect(await ask(4)).toMatchObject({ verdict: false })
  })
})

describe('a call with very many arguments', () => {
  it.each(protocols)('is guarded as any other, and is one conversation: %s', async (protocol) => {
    const items = Array.from({ length: 6000 }, (_, at) => ({ at }))
    const { gateway } = await start(() => ({ calls: [{ name: 'write', args: { items } }] }))
    const agent = createAgent(protocol, 'Write all of it', { output: () => 'Error: disk full' })
    const verdicts: string[] = []
    const sessions = new Set<string>()
    while (verdicts.at(-1) !== 'respond' && verdicts.length < 10) {
      const { verdict, session } = await agent.ask(gateway.url)
      verdicts.push(verdict)
      sessions.add(session)
    }
    expect(verdicts.at(-1)).toBe('respond')
    expect(sessions.size).toBe(1)
  })
})
