import {
  Agent,
  handoff,
  OpenAIProvider,
  Runner,
  RunState,
  retryPolicies,
  run,
  setTraceProcessors,
  setTracingDisabled,
  tool,
} from '@openai/agents'
import { type Provider, type Script, startProvider } from '@unloop/testing'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import {
  listening,
  type Program,
  SPEAKS_AT,
  testAdapter,
} from '../../../test/adapters/test-adapter.js'
import type { AgentEvent } from '../../event.js'
import { createGuard } from '../../guard.js'
import { LoopError } from '../../loop-error.js'
import { guardRunner, outcomeOf } from './index.js'

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
  expect(events.filter(({ type }) => type === 'text')).toEqual([{ type: 'text', text: 'Done.' }])
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

it('goes on without a guard, and says so, where a state is read from its text', async () => {
  const { guard, runner } = await start((_, turn) => (turn < 1 ? READ : { text: 'Done.' }))
  const read = { ...readerOf(() => 'content'), needsApproval: async () => true }
  const reader = new Agent({ name: 'reader', model: 'gpt-5', tools: [read] })
  const first = await runner.run(reader, 'Read a.')
  const state = await RunState.fromString(reader, first.state.toString())
  for (const interruption of state.getInterruptions()) state.approve(interruption)
  const second = await runner.run(reader, state)
  expect(second.finalOutput).toBe('Done.')
  expect(String(guard.faults[0]?.error)).toContain('without a guard')
})

it('throws where the end of a run cannot be said in words', async () => {
  const { runner } = await start(() => READ)
  const agent = new Agent({
    name: 'reader',
    model: 'gpt-5',
    tools: [readerOf(() => 'content')],
    outputType: z.object({ cause: z.string() }),
  })
  const error = await runner.run(agent, 'Why?', { maxTurns }).catch((error: unknown) => error)
  expect(LoopError.is(error)).toBe(true)
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
  ['an agent', new Agent({ name: 'reader' }), 'got an object'],
  ['a guard', createGuard(), 'got an object'],
  ['nothing', undefined, 'got undefined'],
  ['null', null, 'got null'],
  ['text', 'gpt-5', 'got "gpt-5"'],
])('says what it takes where it is given %s', (_, given, got) => {
  const call = () => guardRunner(createGuard(), given as never)
  expect(call).toThrow(RangeError)
  expect(call).toThrow(`guardRunner takes a guard and a Runner, ${got}`)
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
