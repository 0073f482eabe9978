import { AsyncLocalStorage } from 'node:async_hooks'
import { startProvider } from '@unloop/testing'
import { guardRun, outcomeOf } from 'unloop/mastra'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/finding.js'
import { createGuard } from '../../src/guard.js'
import { createGuards } from '../../src/host/guards.js'
import type { GuardOptions } from '../../src/settings.js'
import { type Program, testAdapter } from '../../test/adapters/test-adapter.js'
import { createStore, testConversations } from '../../test/adapters/test-conversations.js'
import { findSdk } from '../sdks.js'

/** What the tests need of one version. */
async function load(folder: string, core = '@mastra/core') {
  const sdk = findSdk(folder)
  const { Agent } = await sdk.load(`${core}/agent`)
  const { createTool } = await sdk.load(`${core}/tools`)
  const { RequestContext } = await sdk.load(`${core}/request-context`)
  const { z } = await sdk.load('zod')

  const agentOf = ({ url, readFile }: Program, more = {}) =>
    new Agent({
      id: 'coder',
      name: 'coder',
      instructions: 'You read files.',
      model: { id: 'openai/gpt-5', url: `${url}/v1`, apiKey: 'none' },
      maxRetries: 0,
      tools: {
        read_file: createTool({
          id: 'read_file',
          description: 'Reads a file.',
          inputSchema: z.object({ path: z.string() }),
          execute: async ({ path }: { path: string }) => readFile(path),
        }),
      },
      ...more,
    })

  return { agentOf, RequestContext }
}

const optionsOf = ({ guard, signal }: Program) => {
  const options = { maxSteps: 50, abortSignal: signal }
  return guard ? guardRun(guard, options) : options
}

const reader = new AsyncLocalStorage<(path: string) => Promise<string>>()

const program = (url: string): Program => ({
  url,
  guard: createGuard(),
  prompt: 'Why does the login fail?',
  signal: new AbortController().signal,
  readFile: (path) => `content of ${path}`,
})

const LOOP = () => ({ calls: [{ name: 'read_file', args: { path: 'login.ts' } }] })

describe.each(['mastra', 'mastra-oldest'])('%s', async (version) => {
  const { agentOf, RequestContext } = await load(version)

  testAdapter('mastra, generate', {
    streams: false,
    outcomeOf,
    async run(program) {
      const { text } = await agentOf(program).generate(program.prompt, optionsOf(program))
      return text
    },
  })

  testAdapter('mastra, stream', {
    streams: true,
    outcomeOf,
    async run(program) {
      const stream = await agentOf(program).stream(program.prompt, optionsOf(program))
      let text = ''
      for await (const { type, payload } of stream.fullStream) {
        if (type === 'error') throw payload.error
        if (type === 'text-delta') text += payload.text
      }
      return text
    },
  })

  for (const isThread of [false, true]) {
    testConversations(`mastra, one agent${isThread ? ' with threads' : ''}`, {
      serve(url, guards) {
        const readFile = (path: string) => reader.getStore()?.(path) as never
        const agent = agentOf({ ...program(url), readFile })
        return (prompt, own, conversation) =>
          reader.run(own, async () => {
            const requestContext = new RequestContext()
            if (isThread) requestContext.set('mastra__threadId', conversation)
            const options = guardRun(guards, { maxSteps: 50, requestContext })
            const { text } = await agent.generate(prompt, options)
            return text
          })
      },
    })
  }

  // the messages that old versions give back are not those that they take
  const names = version === 'mastra' ? ['messages', 'a thread'] : ['a thread']
  it.each(names)('goes on in another process, known by %s', async (by) => {
    const provider = await startProvider((_, turn) => (turn % 2 === 0 ? LOOP() : { text: 'Done.' }))
    const store = createStore()
    const found: Finding[] = []
    let messages: unknown[] = []
    for (let turn = 0; turn < 5; turn++) {
      const guards = createGuards({ store, guard: { onFinding: (one) => found.push(one) } })
      const requestContext = new RequestContext()
      if (by === 'a thread') requestContext.set('mastra__threadId', 'one')
      const options = guardRun(guards, { maxSteps: 50, requestContext })
      messages = [...messages, { role: 'user', content: 'continue' }]
      const result = await agentOf(program(provider.url)).generate(messages, options)
      messages = result.messages
      expect(guards.faults).toEqual([])
    }
    await provider.close()
    // each run is short; only all of them together are a loop
    expect(found).not.toEqual([])
  })

  it('ends with a tripwire that says why, and asks the model no more', async () => {
    const provider = await startProvider(LOOP)
    const of = program(provider.url)
    const { tripwire } = await agentOf(of).generate(of.prompt, optionsOf(of))
    const stop = of.guard?.findings.at(-1)
    expect(tripwire).toMatchObject({
      processorId: 'unloop',
      reason: `Stopped: ${stop?.detail}.`,
      metadata: { action: 'stop', detector: 'repeated-call' },
    })
    const asked = provider.exchanges.length
    const refusal = JSON.stringify(provider.exchanges.at(-1)?.body.messages)
    expect(refusal).toContain(JSON.stringify(of.guard?.findings[1]?.advice).slice(1, -1))
    await provider.close()
    expect(provider.exchanges).toHaveLength(asked)
  })

  it('tells the model for one step, and leaves nothing in what is remembered', async () => {
    const provider = await startProvider((_, turn) => (turn < 3 ? LOOP() : { text: 'Done.' }))
    const of = program(provider.url)
    const { text, messages } = await agentOf(of).generate(of.prompt, optionsOf(of))
    await provider.close()
    const advice = JSON.stringify(of.guard?.findings[0]?.advice).slice(1, -1)
    const told = provider.exchanges.map(({ body }) => JSON.stringify(body).includes(advice))
    expect(told).toEqual([false, false, false, true])
    expect(text).toBe('Done.')
    expect(JSON.stringify(messages)).not.toContain(advice)
  })

  it('goes on with what you had', async () => {
    const provider = await startProvider((_, turn) => (turn < 2 ? LOOP() : { text: 'Done.' }))
    const of = program(provider.url)
    const heard: string[] = []
    const hear = (name: string) => () => void heard.push(name)
    const pass = (name: string) => (args: { messages: unknown }) => {
      heard.push(name)
      return args.messages
    }
    const options = guardRun(createGuard(), {
      hooks: { beforeToolCall: hear('before'), afterToolCall: hear('after') },
      inputProcessors: [{ id: 'own', processInput: pass('input') }],
      outputProcessors: [{ id: 'own', processOutputResult: pass('output') }],
      onIterationComplete: hear('iteration'),
      maxSteps: 10,
    })
    await agentOf(of).generate(of.prompt, options)
    await provider.close()
    const turn = ['before', 'after', 'iteration']
    expect(heard).toEqual(['input', ...turn, ...turn, 'iteration', 'output'])
  })

  it('lets the model read what a tool throws, as without it', async () => {
    const told: string[] = []
    for (const guard of [createGuard(), undefined]) {
      const provider = await startProvider((_, turn) => (turn < 1 ? LOOP() : { text: 'Done.' }))
      const of: Program = {
        ...program(provider.url),
        guard,
        readFile() {
          throw new TypeError('no such file')
        },
      }
      await agentOf(of).generate(of.prompt, optionsOf(of))
      await provider.close()
      told.push(JSON.stringify(provider.exchanges.map(({ body }) => body)))
      if (guard) expect(guard.faults).toEqual([])
    }
    expect(told[0]).toContain('no such file')
    expect(told[0]).toBe(told[1])
  })

  it('ends a chant with a tripwire, too, and the request behind it', async () => {
    const chant = 'I will check the configuration once again. '.repeat(2000)
    const provider = await startProvider([{ text: chant, calls: LOOP().calls, pauseMs: 1 }])
    const of = program(provider.url)
    const stream = await agentOf(of).stream(of.prompt, optionsOf(of))
    const types = new Set<string>()
    for await (const { type } of stream.fullStream) types.add(type)
    expect(stream.tripwire).toMatchObject({ metadata: { detector: 'chanting', action: 'cut' } })
    expect(types).toContain('tripwire')
    expect(types).not.toContain('error')
    expect((await stream.text).length).toBeLessThan(chant.length / 2)
    expect(await (await provider.exchange(0)).disconnected).toBe(true)
    await provider.close()
    expect(provider.exchanges).toHaveLength(1)
  })
})

it.each(['generate', 'stream'])('stops nothing where no hook is called: %s', async (method) => {
  const { agentOf } = await load('mastra-oldest', 'too-old')
  for (const create of [createGuard, (guard: GuardOptions) => createGuards({ guard })]) {
    const faults: string[] = []
    const guard = create({ onFault: ({ error }) => faults.push(String(error)) })
    const provider = await startProvider((_, turn) => (turn < 12 ? LOOP() : { text: 'Done.' }))
    const runs: string[] = []
    const readFile = (path: string) => `content ${runs.push(path)} of ${path}`
    const options = guardRun(guard, { maxSteps: 20 })
    const result = await agentOf({ ...program(provider.url), readFile })[method]('go', options)
    expect(await result.text).toBe('Done.')
    await provider.close()
    expect(runs).toHaveLength(12)
    expect(faults).toEqual([expect.stringContaining('1.42 or newer is needed')])
    if ('findings' in guard) {
      expect(guard.findings).toEqual([])
      expect(outcomeOf(guard)).toBe('unguarded')
    }
  }
})
