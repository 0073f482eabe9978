import {
  Agent,
  handoff,
  MemorySession,
  OpenAIProvider,
  RunContext,
  Runner,
  RunState,
  retryPolicies,
  run,
  setTraceProcessors,
  setTracingDisabled,
  tool,
} from '@openai/agents'
import { type Provider, type Script, startProvider } from '@unloop/testing'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  listening,
  type Program,
  SPEAKS_AT,
  testAdapter,
} from '../../../test/adapters/test-adapter.js'
import { testConversations } from '../../../test/adapters/test-conversations.js'
import type { AgentEvent } from '../../event.js'
import type { Finding } from '../../finding.js'
import { createGuard, type Guard } from '../../guard.js'
import { createGuards, type Guards } from '../../host/guards.js'
import { LoopError } from '../../loop-error.js'
import { guardOf, guardRunner, outcomeOf } from './index.js'

// the SDK traces unless it is told not to, and it takes a test for such a wish; only where traces go is ours
const traced = new Set<string>()
setTracingDisabled(false)
setTraceProcessors([
  {
    onTraceStart: async () => {},
    onTraceEnd: async () => {},
    onSpanStart: async () => {},
    onSpanEnd: async ({ spanData }) => {
      traced.add(spanData.type)
    },
    shutdown: async () => {},
    forceFlush: async () => {},
  },
])

const providerOf = (url: string, useResponses = true) =>
  new OpenAIProvider({ apiKey: 'none', baseURL: `${url}/v1`, useResponses })

const readerOf = (run: (path: string) => string) =>
  tool({
    name: 'read_file',
    description: 'Reads a file.',
    parameters: z.object({ path: z.string() }),
    execute: ({ path }) => run(path),
  })

function runnerOf({ url, guard }: Pick<Program, 'url' | 'guard'>, useResponses?: boolean): Runner {
  const runner = new Runner({ modelProvider: providerOf(url, useResponses) })
  return guard ? guardRunner(guard, runner) : runner
}

const agentOf = ({ readFile }: Pick<Program, 'readFile'>) =>
  new Agent({ name: 'Reader', model: 'gpt-5', tools: [readerOf(readFile)] })

for (const useResponses of [true, false]) {
  const protocol = useResponses ? 'Responses' : 'chat completions'

  testAdapter(`openai-agents, ${protocol}`, {
    streams: false,
    async run(program) {
      const { prompt, signal } = program
      const runner = runnerOf(program, useResponses)
      const result = await runner.run(agentOf(program), prompt, { maxTurns: 30, signal })
      return result.finalOutput ?? ''
    },
  })

  testAdapter(`openai-agents, ${protocol} with a stream`, {
    streams: true,
    async run(program) {
      const { prompt, signal } = program
      const runner = runnerOf(program, useResponses)
      const options = { maxTurns: 30, signal, stream: true as const }
      const result = await runner.run(agentOf(program), prompt, options)
      let text = ''
      for await (const delta of result.toTextStream()) text += delta
      await result.completed
      return program.signal.aborted ? text : (result.finalOutput ?? '')
    },
  })
}

let provider: Provider | undefined
afterEach(async () => {
  await provider?.close()
  provider = undefined
})

async function start(script: Script, guard = createGuard()) {
  provider = await startProvider(script)
  const { url, exchanges } = provider
  return { guard, url, exchanges, runner: runnerOf({ url, guard }) }
}

const READ = { calls: [{ name: 'read_file', args: { path: 'a' } }] }
const maxTurns = 40

it.each([
  ['as they are', undefined],
  [
    'with a filter that hides the calls',
    (data: { inputHistory: unknown }) => ({ ...data, preHandoffItems: [], newItems: [] }),
  ],
])('ends a task that two agents hand to and fro, %s', async (_, inputFilter) => {
  const { guard, runner, exchanges } = await start(({ body }) => ({
    calls: [{ name: `transfer_to_${body.instructions === 'Sell.' ? 'support' : 'sales'}` }],
  }))
  const sales = new Agent({ name: 'sales', instructions: 'Sell.', model: 'gpt-5' })
  const support = new Agent({ name: 'support', instructions: 'Help.', model: 'gpt-5' })
  const options = inputFilter && { inputFilter: inputFilter as never }
  sales.handoffs = [options ? handoff(support, options) : support]
  support.handoffs = [options ? handoff(sales, options) : sales]
  const { finalOutput, lastAgent } = await runner.run(sales, 'My order is late.', { maxTurns })
  expect(finalOutput).toContain('Stopped: ')
  expect([sales, support]).toContain(lastAgent)
  expect(guard.findings.map(({ detector }) => detector)).toContain('ping-pong')
  expect(guard.findings.at(-1)).toMatchObject({ detector: 'ping-pong', action: 'stop' })
  expect(exchanges.length).toBeLessThan(12)
  expect(guard.faults).toEqual([])
})

it('guards tools and models of the agents that it is handed to', async () => {
  const { guard, url, runner } = await start((_, turn) =>
    turn === 0 ? { calls: [{ name: 'transfer_to_reader' }] } : READ,
  )
  const runs: string[] = []
  const reader = new Agent({
    name: 'reader',
    model: await providerOf(url).getModel('gpt-5'),
    tools: [readerOf((path) => `${runs.push(path)}`.slice(1))],
  })
  const triage = new Agent({ name: 'triage', model: 'gpt-5', handoffs: [reader] })
  const { lastAgent } = await runner.run(triage, 'Why does the login fail?', { maxTurns })
  expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
  expect(runs).toHaveLength(SPEAKS_AT)
  expect(lastAgent).toBe(reader)
})

it.each([false, true])('ends a run of a plain runner, streamed %s', async (stream) => {
  const { guard, url } = await start(() => READ)
  const model = await providerOf(url).getModel('gpt-5')
  const agent = new Agent({ name: 'reader', model, tools: [readerOf(() => 'content')] })
  const runner = guardRunner(guard, new Runner())
  traced.clear()
  const result = stream
    ? await runner.run(agent, 'Why does the login fail?', { stream: true })
    : await runner.run(agent, 'Why does the login fail?')
  if ('completed' in result) await result.completed
  expect(result.finalOutput).toContain('Stopped: read_file was called')
  expect(result.state.usage.requests).toBe(provider?.exchanges.length)
  expect([...traced]).toEqual(expect.arrayContaining(['agent', 'turn', 'function']))
})

it('guards the model of a runner', async () => {
  const { guard, url } = await start(() => READ)
  const model = await providerOf(url).getModel('gpt-5')
  const runner = guardRunner(guard, new Runner({ model }))
  const agent = new Agent({ name: 'reader', tools: [readerOf(() => 'content')] })
  await runner.run(agent, 'Why does the login fail?', { maxTurns })
  expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
})

it('lets an agent that is a tool have a run of its own', async () => {
  const events: AgentEvent[] = []
  const { guard, runner, exchanges } = await start(({ body }, turn) => {
    if (body.instructions === 'Read.') return { text: `Nothing new in ${turn}.` }
    const input = `Look at part ${turn}.`
    return turn < 12 ? { calls: [{ name: 'ask_reader', args: { input } }] } : { text: 'Done.' }
  }, listening(events))
  const reader = new Agent({ name: 'reader', instructions: 'Read.', model: 'gpt-5' })
  const asked = reader.asTool({ toolName: 'ask_reader', toolDescription: 'Asks the reader.' })
  const agent = new Agent({ name: 'main', model: 'gpt-5', tools: [asked] })
  const { finalOutput } = await runner.run(agent, 'Read it all.', { maxTurns })
  expect(finalOutput).toBe('Done.')
  expect(exchanges).toHaveLength(13)
  const said = events.filter(({ type, agent }) => type === 'text' && agent === undefined)
  expect(said).toEqual([{ type: 'text', text: 'Done.' }])
  expect(new Set(events.map(({ agent }) => agent)).size).toBe(7)
  expect(events.filter(({ type }) => type === 'tool-result')).toHaveLength(6)
  expect(guard.faults).toEqual([])
})

it('goes on after the person has approved a call', async () => {
  const { guard, runner, exchanges } = await start((_, turn) =>
    turn < 1 ? READ : { text: 'Done.' },
  )
  const reader = new Agent({
    name: 'reader',
    model: 'gpt-5',
    tools: [{ ...readerOf(() => 'content'), needsApproval: async () => true }],
  })
  const triage = new Agent({ name: 'triage', model: 'gpt-5', handoffs: [reader] })
  const hooks: string[] = []
  reader.on('agent_tool_end', (_, { name }) => hooks.push(name))
  const first = await runner.run(reader, 'Read a.')
  expect(first.interruptions).toHaveLength(1)
  expect(JSON.parse(first.state.toString())).toMatchObject({ currentAgent: { name: 'reader' } })
  for (const interruption of first.interruptions) first.state.approve(interruption)
  const second = await runner.run(triage, first.state as never)
  expect(second.finalOutput).toBe('Done.')
  expect(hooks).toEqual(['read_file'])
  expect(exchanges).toHaveLength(2)
  expect(guard.faults).toEqual([])
})

it('lets another run come between a call and its approval', async () => {
  const { guard, runner } = await start((_, turn) => (turn < 1 ? READ : { text: `Done ${turn}.` }))
  const read = { ...readerOf(() => 'content'), needsApproval: async () => true }
  const reader = new Agent({ name: 'reader', model: 'gpt-5', tools: [read] })
  const first = await runner.run(reader, 'Read a.')
  const other = await runner.run(reader, 'What time is it?')
  for (const interruption of first.interruptions) first.state.approve(interruption)
  const second = await runner.run(reader, first.state)
  expect([other.finalOutput, second.finalOutput]).toEqual(['Done 1.', 'Done 2.'])
  expect(guard.faults).toEqual([])
})

it("closes the program's provider of models", async () => {
  let isClosed = false
  const modelProvider = Object.assign(providerOf('http://127.0.0.1:1'), {
    close: async () => {
      isClosed = true
    },
  })
  const runner = guardRunner(createGuard(), new Runner({ modelProvider }))
  await (runner.config.modelProvider as typeof modelProvider).close()
  expect(isClosed).toBe(true)
})

describe('a state that is read from its text', () => {
  const approved = (run: (path: string) => string) => ({
    ...readerOf(run),
    needsApproval: async () => true,
  })

  /** Runs until nothing is to be approved, through a string each time; gives how often. */
  async function runByString(agent: Agent, runnerOf: () => Runner, prompt: string) {
    let result = await runnerOf().run(agent, prompt, { maxTurns })
    let times = 0
    for (; result.interruptions.length > 0 && times < 20; times++) {
      const state = await RunState.fromString(agent, result.state.toString())
      for (const interruption of state.getInterruptions()) state.approve(interruption)
      result = await runnerOf().run(agent, state as never, { maxTurns })
    }
    return { result, times }
  }

  it.each([
    ['the same guard', (guard: Guard) => guard],
    ['a guard that was restored', (guard: Guard) => createGuard({}, guard.snapshot())],
    ['a new guard', () => createGuard()],
  ])('goes on under %s', async (_, next) => {
    const { url } = await start(() => READ)
    const runs: string[] = []
    const reader = new Agent({
      name: 'reader',
      model: 'gpt-5',
      tools: [approved((path) => `${runs.push(path)}`.slice(1))],
    })
    const triage = new Agent({ name: 'triage', model: 'gpt-5', handoffs: [reader] })
    reader.handoffs = [triage]
    let guard = createGuard()
    const { result } = await runByString(
      reader,
      () => {
        guard = next(guard)
        return runnerOf({ url, guard })
      },
      'Why does the login fail?',
    )
    expect(result.finalOutput).toContain('Stopped: read_file was called')
    expect(result.lastAgent).toBe(reader)
    expect(runs).toHaveLength(SPEAKS_AT)
    expect(guard.faults).toEqual([])
    expect(outcomeOf(guard)).toBe('stopped')
  })

  it('finds its guard among many, by what was said', async () => {
    const found: Finding[] = []
    const guards = createGuards({ guard: { onFinding: (finding) => found.push(finding) } })
    const { url } = await start(() => READ)
    const reader = new Agent({ name: 'reader', model: 'gpt-5', tools: [approved(() => 'content')] })
    const runner = guardRunner(guards, new Runner({ modelProvider: providerOf(url) }))
    const { result } = await runByString(reader, () => runner, 'Why does the login fail?')
    expect(found.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
    const guard = guardOf(result)
    expect(guard && outcomeOf(guard)).toBe('stopped')
    expect(guards.size).toBe(1)
  })

  it('keeps the context of the program', async () => {
    const { runner } = await start((_, turn) => (turn < 1 ? READ : { text: 'Done.' }))
    const reader = new Agent<{ user(): string }>({
      name: 'reader',
      model: 'gpt-5',
      tools: [approved(() => 'content')] as never,
    })
    const context = { user: () => 'ann' }
    const first = await runner.run(reader, 'Read a.', { context })
    const state = await RunState.fromStringWithContext(
      reader,
      first.state.toString(),
      new RunContext(context),
    )
    for (const interruption of state.getInterruptions()) state.approve(interruption)
    const second = await runner.run(reader, state)
    expect(second.finalOutput).toBe('Done.')
    expect(second.runContext.context).toBe(context)
  })
})

describe('an agent inside a tool', () => {
  /** The inner agent reads four files that are new each time, or one file again and again; the outer one asks it. */
  const script =
    (inner: 'works' | 'loops', outer: 'works' | 'loops'): Script =>
    ({ body }) => {
      const answers = JSON.stringify(body).match(/content of /g)?.length ?? 0
      if (body.instructions === 'Read.') {
        const path = inner === 'loops' ? 'a' : `part ${answers}`
        return answers < 4 || inner === 'loops'
          ? { calls: [{ name: 'read_file', args: { path } }] }
          : { text: 'I have found nothing.' }
      }
      const turn = JSON.stringify(body).match(/found nothing|Stopped/g)?.length ?? 0
      const input = outer === 'loops' ? 'Look again.' : `Look at part ${turn}.`
      return turn < 3 || outer === 'loops'
        ? { calls: [{ name: 'ask_reader', args: { input } }] }
        : { text: 'Done.' }
    }

  const kinds = {
    'a tool of the SDK': (reader: Agent) =>
      reader.asTool({ toolName: 'ask_reader', toolDescription: 'Asks the reader.' }),
    'a tool of the program that uses the same runner': (reader: Agent, runner: Runner) =>
      tool({
        name: 'ask_reader',
        description: 'Asks the reader.',
        parameters: z.object({ input: z.string() }),
        execute: async ({ input }) => (await runner.run(reader, input, { maxTurns })).finalOutput,
      }),
  }

  async function ask(kind: keyof typeof kinds, play: Script) {
    const { guard, runner, exchanges } = await start(play)
    const reader = new Agent({
      name: 'reader',
      instructions: 'Read.',
      model: 'gpt-5',
      tools: [readerOf((path) => `content of ${path}`)],
    })
    const agent = new Agent({
      name: 'main',
      model: 'gpt-5',
      tools: [kinds[kind](reader, runner) as never],
    })
    const { finalOutput } = await runner.run(agent, 'Read it all.', { maxTurns })
    return { guard, finalOutput, exchanges }
  }

  for (const kind of Object.keys(kinds) as (keyof typeof kinds)[]) {
    it(`does not disturb a healthy run: ${kind}`, async () => {
      const { guard, finalOutput, exchanges } = await ask(kind, script('works', 'works'))
      expect(finalOutput).toBe('Done.')
      expect(exchanges).toHaveLength(4 + 3 * 5)
      expect(guard.findings).toEqual([])
      expect(guard.faults).toEqual([])
    })

    it(`does not hide the loop of the outer one: ${kind}`, async () => {
      const { guard, finalOutput } = await ask(kind, script('works', 'loops'))
      expect(finalOutput).toContain('Stopped: ')
      expect(guard.findings.at(-1)).toMatchObject({ action: 'stop' })
      expect(guard.findings.at(-1)?.agent).toBeUndefined()
      expect(guard.faults).toEqual([])
    })

    it(`is watched itself: ${kind}`, async () => {
      const { guard, finalOutput, exchanges } = await ask(kind, script('loops', 'works'))
      expect(finalOutput).toContain('Stopped: ')
      expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
      for (const { agent } of guard.findings) expect(agent).toMatch(/reader 1$/)
      expect(exchanges.length).toBeLessThanOrEqual(SPEAKS_AT + 4)
      expect(guard.faults).toEqual([])
    })
  }

  it('has an account of its own where several run side by side', async () => {
    const { guard, runner } = await start(({ body }) => {
      const answers = JSON.stringify(body).match(/content of /g)?.length ?? 0
      if (body.instructions === 'Read.')
        return answers < 3
          ? { calls: [{ name: 'read_file', args: { path: `part ${answers}` } }] }
          : { text: 'Nothing.' }
      if (JSON.stringify(body).includes('Nothing.')) return { text: 'Done.' }
      const calls = Array.from({ length: 6 }, (_, i) => ({
        name: 'ask_reader',
        args: { input: `Question ${i}` },
      }))
      return { calls }
    })
    const tools = [readerOf((path) => `content of ${path}`)]
    const reader = new Agent({ name: 'reader', instructions: 'Read.', model: 'gpt-5', tools })
    const asked = reader.asTool({ toolName: 'ask_reader', toolDescription: 'Asks the reader.' })
    const agent = new Agent({ name: 'main', model: 'gpt-5', tools: [asked] })
    const { finalOutput } = await runner.run(agent, 'Ask them all.', { maxTurns })
    expect(finalOutput).toBe('Done.')
    expect(guard.findings).toEqual([])
    expect(guard.faults).toEqual([])
  })
})

it.each(['beside it', 'after it'])('leaves a title alone that is asked for %s', async (order) => {
  const { guard, runner } = await start(({ body }) =>
    body.instructions === 'Give a title.' ? { text: 'About the login' } : { ...READ, pauseMs: 1 },
  )
  const titler = new Agent({ name: 'titler', instructions: 'Give a title.', model: 'gpt-5' })
  const title = async () => (await runner.run(titler, 'Why does the login fail?')).finalOutput
  const titles: unknown[] = []
  const run = runner.run(
    agentOf({ readFile: () => 'content' }).clone({
      tools: [
        tool({
          name: 'read_file',
          description: 'Reads a file.',
          parameters: z.object({ path: z.string() }),
          async execute() {
            if (order === 'beside it') titles.push(await title())
            return 'content'
          },
        }),
      ],
    }),
    'Why does the login fail?',
    { maxTurns },
  )
  expect((await run).finalOutput).toContain('Stopped: ')
  titles.push(await title())
  expect(new Set(titles)).toEqual(new Set(['About the login']))
  expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
  expect(outcomeOf(guard)).toBe('stopped')
  expect(guard.faults).toEqual([])
})

it('reports two conversations that take turns with one guard', async () => {
  const { guard, runner } = await start(({ body }) =>
    JSON.stringify(body).includes('content') ? { text: 'Done.' } : READ,
  )
  const agent = agentOf({ readFile: () => 'content' })
  const first = await runner.run(agent, 'Ann asks.', { maxTurns })
  const second = await runner.run(agent, 'Bob asks.', { maxTurns })
  await runner.run(agent, [...first.history, { role: 'user', content: 'And now?' }], { maxTurns })
  expect(guard.faults).toEqual([])
  await runner.run(agent, [...second.history, { role: 'user', content: 'And I?' }], { maxTurns })
  expect(String(guard.faults[0]?.error)).toContain('share this guard')
  expect(outcomeOf(guard)).toBe('unguarded')
})

it('knows a conversation by its session', async () => {
  const guards = createGuards()
  const { url } = await start(({ body }) =>
    JSON.stringify(body.input).endsWith('"user"}]') ? READ : { text: 'Done.' },
  )
  const runner = guardRunner(guards, new Runner({ modelProvider: providerOf(url) }))
  const agent = agentOf({ readFile: () => 'content' })
  const sessions = ['ann', 'bob'].map((sessionId) => new MemorySession({ sessionId }))
  for (const session of [...sessions, ...sessions]) {
    const result = await runner.run(agent, 'Why?', { session, maxTurns })
    expect(guardOf(result)).toBe(guards.of(await session.getSessionId()))
  }
  expect(guards.size).toBe(2)
})

testConversations('openai-agents', {
  serve(url, guards) {
    const runner = guardRunner(guards, new Runner({ modelProvider: providerOf(url) }))
    const read = tool({
      name: 'read_file',
      description: 'Reads a file.',
      parameters: z.object({ path: z.string() }),
      execute: ({ path }, context) =>
        (context as RunContext<(path: string) => Promise<string>>).context(path),
    })
    const agent = new Agent({ name: 'Reader', model: 'gpt-5', tools: [read] })
    return async (prompt, readFile) =>
      (await runner.run(agent, prompt, { maxTurns, context: readFile as never })).finalOutput ?? ''
  },
})

describe.each([false, true])(
  'where the end of a run cannot be said in words, streamed %s',
  (stream) => {
    const outputType = z.object({ cause: z.string() })

    async function failWith(given: Guard | Guards, script: Script, maxTurns = 30) {
      const { url } = await start(script)
      const runner = guardRunner(given, new Runner({ modelProvider: providerOf(url) }))
      const tools = [readerOf(() => 'content')]
      const agent = new Agent({ name: 'reader', model: 'gpt-5', tools, outputType })
      try {
        if (!stream) await runner.run(agent, 'Why?', { maxTurns })
        else await (await runner.run(agent, 'Why?', { maxTurns, stream })).completed
      } catch (error) {
        return error as Error
      } finally {
        await provider?.close()
      }
      throw new Error('it did not fail')
    }

    if (stream)
      it('tells who goes through the events which guard it was, at once', async () => {
        const { url } = await start(() => READ)
        const guard = createGuard()
        const runner = guardRunner(guard, new Runner({ modelProvider: providerOf(url) }))
        const tools = [readerOf(() => 'content')]
        const agent = new Agent({ name: 'reader', model: 'gpt-5', tools, outputType })
        const result = await runner.run(agent, 'Why?', { maxTurns: 30, stream })
        let known: unknown
        try {
          for await (const _ of result);
        } catch (error) {
          known = guardOf(error as Error)
        }
        await provider?.close()
        expect(known).toBe(guard)
      })

    it('throws, and tells which guard it was', async () => {
      for (const given of [createGuard(), createGuards()]) {
        const error = await failWith(given, () => READ)
        expect(LoopError.is(error)).toBe(true)
        const guard = guardOf(error)
        expect(guard?.findings.at(-1)?.action).toBe('stop')
        if (guard) expect(outcomeOf(guard)).toBe('stopped')
      }
    })

    it.each<[string, Script]>([
      ['the provider', () => ({ status: 400, message: 'no such model' })],
      [
        'the limit of turns',
        (_, turn) => ({ calls: [{ name: 'read_file', args: { path: `${turn}` } }] }),
      ],
      ['an answer that is no JSON', () => ({ text: 'Done.' })],
    ])('tells which guard it was where the error comes from %s', async (_, script) => {
      const guard = createGuard()
      expect(guardOf(await failWith(guard, script, 2))).toBe(guard)
    })
  },
)

it('knows no guard of anything else', () => {
  for (const other of [new Error('other'), {}, undefined, 'words'])
    expect(guardOf(other as object)).toBeUndefined()
})

it('leaves the agent and the runner as they were', async () => {
  const { guard, url } = await start(() => READ)
  const runner = runnerOf({ url, guard: undefined })
  const agent = agentOf({ readFile: () => 'content' })
  const [read] = agent.tools
  const before = { ...agent }
  await guardRunner(guard, runner).run(agent, 'Why does the login fail?', { maxTurns })
  expect({ ...agent }).toEqual(before)
  expect(agent.tools).toEqual([read])
  const events = guard.events
  await expect(runner.run(agent, 'Again.', { maxTurns: 2 })).rejects.toThrow('Max turns')
  expect(guard.events).toBe(events)
})

it.each([true, false])('cuts a thought that chants, with Responses %s', async (useResponses) => {
  const { guard, url } = await start([
    { reasoning: 'I will check the configuration once again. '.repeat(2000), text: 'Done.' },
  ])
  const runner = runnerOf({ url, guard }, useResponses)
  const agent = agentOf({ readFile: () => 'content' })
  const result = await runner.run(agent, 'Why does the login fail?', { stream: true })
  await result.completed
  expect(guard.findings).toMatchObject([{ detector: 'repeated-thought', action: 'cut' }])
  expect(result.finalOutput).toBe('')
})

it('reports two runs at once through one runner', async () => {
  const { guard, runner } = await start(({ body }) =>
    JSON.stringify(body.input).length < 2000
      ? { calls: [{ name: 'read_file', args: { path: 'a' } }], pauseMs: 2 }
      : { text: 'Done.' },
  )
  const agent = agentOf({ readFile: () => 'content of a file that is not short' })
  const results = await Promise.all(
    ['Why?', 'Where?'].map((prompt) => runner.run(agent, prompt, { maxTurns })),
  )
  expect(results.map(({ finalOutput }) => finalOutput)).toEqual(['Done.', 'Done.'])
  expect(String(guard.faults[0]?.error)).toContain('two runs at once')
})

it('gives back a runner that it does not know how to guard, and says so', () => {
  const told: unknown[] = []
  const guard = createGuard({ onFault: ({ error }) => told.push(error) })
  const runner = { config: undefined as never, run: () => 'ran' }
  expect(guardRunner(guard, runner)).toBe(runner)
  expect(told).toEqual([
    expect.objectContaining({ message: expect.stringContaining('not guarded') }),
  ])
  expect(outcomeOf(guard)).toBe('unguarded')
})

it.each([
  ['the function to run', run, 'got "function run"'],
  ['the class', Runner, 'got "function Runner"'],
  ['an agent', new Agent({ name: 'reader' }), 'got "Agent"'],
  ['a guard', createGuard(), 'got an object'],
  ['nothing', undefined, 'got undefined'],
  ['null', null, 'got null'],
  ['text', 'gpt-5', 'got "gpt-5"'],
])('says what it takes where it is given %s', (_, given, got) => {
  const call = () => guardRunner(createGuard(), given as never)
  expect(call).toThrow(RangeError)
  expect(call).toThrow(`guardRunner of unloop/openai-agents takes a guard and a Runner, ${got}`)
})

it('leaves what is wrong with a program to the SDK', async () => {
  const { runner } = await start([])
  const plain = new Runner()
  const error = await plain.run(undefined as never, 'go').catch(String)
  expect(await runner.run(undefined as never, 'go').catch(String)).toBe(error)
})

it.each([false, true])(
  'tells the model again what a request that failed should have, streamed %s',
  async (stream) => {
    let isFailed = false
    const guard = createGuard()
    const { runner, exchanges } = await start(() => {
      if (guard.findings.length !== 1 || isFailed) return READ
      isFailed = true
      return { status: 500 }
    }, guard)
    const retry = { maxRetries: 1, policy: retryPolicies.httpStatus([500]) }
    const agent = agentOf({ readFile: () => 'content' }).clone({ modelSettings: { retry } })
    if (stream) await (await runner.run(agent, 'go', { maxTurns, stream: true })).completed
    else await runner.run(agent, 'go', { maxTurns })
    const advice = JSON.stringify(guard.findings[0]?.advice).slice(1, -1)
    const told = exchanges.map(({ body }) => JSON.stringify(body).includes(advice))
    expect(told.slice(0, SPEAKS_AT + 2)).toEqual([...Array(SPEAKS_AT).fill(false), true, true])
  },
)

it('goes on from the answer before the last one after a stop', async () => {
  const { runner, guard } = await start([{ text: 'Done.' }])
  const agent = agentOf({ readFile: () => 'content' })
  guard.stop()
  const call = { type: 'function_call' as const, callId: 'a', name: 'read_file', arguments: '{}' }
  const input = [
    call,
    {
      type: 'function_call_result' as const,
      callId: 'a',
      name: 'read_file',
      status: 'completed' as const,
      output: 'content',
    },
  ]
  const options = { previousResponseId: 'resp_1' }
  const result = await runner.run(agent, input, options)
  expect(result.finalOutput).toBe('Stopped: the person ended the run.')
  expect(result.lastResponseId).toBe('resp_1')
})
