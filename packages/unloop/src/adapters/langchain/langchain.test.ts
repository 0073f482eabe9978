import { BaseChatModel } from '@langchain/core/language_models/chat_models'
import {
  AIMessage,
  AIMessageChunk,
  HumanMessage,
  type ToolCall,
  ToolMessage,
} from '@langchain/core/messages'
import { ChatGenerationChunk } from '@langchain/core/outputs'
import { RunnableBinding } from '@langchain/core/runnables'
import {
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
import { type Script, startProvider } from '@unloop/testing'
import { createAgent, createMiddleware, initChatModel, modelRetryMiddleware, tool } from 'langchain'
import { expect, it } from 'vitest'
import { z } from 'zod'
import {
  listening,
  type Program,
  SPEAKS_AT,
  testAdapter,
} from '../../../test/adapters/test-adapter.js'
import type { AgentEvent } from '../../event.js'
import { createGuard, type Guard } from '../../guard.js'
import { createGuards } from '../../host/guards.js'
import { guardFetch } from '../openai/index.js'
import { guardModel, guardRun } from './index.js'

const optionsOf = (url: string) => ({
  apiKey: 'none',
  maxRetries: 0,
  configuration: { baseURL: `${url}/v1` },
})

const modelOf = (url: string) => new ChatOpenAI({ model: 'gpt-5', ...optionsOf(url) })

const readerOf = (readFile: (path: string) => string) =>
  tool(({ path }) => readFile(path), {
    name: 'read_file',
    description: 'Reads a file.',
    schema: z.object({ path: z.string() }),
  })

const agentOf = ({ url, guard, readFile }: Program) =>
  createAgent({
    model: guard ? guardModel(guard, modelOf(url)) : modelOf(url),
    tools: [readerOf(readFile)],
    middleware: guard ? [createMiddleware(guardRun(guard))] : [],
  })

const inputOf = ({ prompt }: Program) => ({ messages: [{ role: 'user', content: prompt }] })
// the suite has runs of twenty rounds
const recursionLimit = 200

testAdapter('langchain, invoke', {
  streams: false,
  async run(program) {
    const { messages } = await agentOf(program).invoke(inputOf(program), {
      recursionLimit,
      signal: program.signal,
    })
    return messages.at(-1)?.text ?? ''
  },
})

testAdapter('langchain, stream', {
  streams: true,
  async run(program) {
    const stream = await agentOf(program).stream(inputOf(program), {
      recursionLimit,
      signal: program.signal,
      // with the second of them the model is streamed
      streamMode: ['values', 'messages'],
    })
    let text = ''
    for await (const [mode, chunk] of stream) {
      if (mode === 'values') text = chunk.messages.at(-1)?.text ?? ''
    }
    return text
  },
})

testAdapter('langchain, streamed events', {
  streams: true,
  async run(program) {
    const { signal } = program
    const options = { recursionLimit, signal, version: 'v3' as const }
    const stream = await agentOf(program).streamEvents(inputOf(program), options)
    const { messages } = await stream.output
    return messages.at(-1)?.text ?? ''
  },
})

testAdapter('langchain, a graph of its own', {
  streams: true,
  async run({ url, guard, readFile, signal, ...program }) {
    const read = readerOf(readFile)
    const run = guard && guardRun(guard)
    const model = guard ? guardModel(guard, modelOf(url)) : modelOf(url)

    async function callModel({ messages }: typeof MessagesAnnotation.State) {
      const request = { messages, model }
      const ask = ({ messages, model }: typeof request) =>
        model.bindTools([read]).invoke(messages, { signal })
      return { messages: [await (run ? run.wrapModelCall(request, ask) : ask(request))] }
    }

    async function callTools(state: typeof MessagesAnnotation.State) {
      const { tool_calls = [] } = state.messages.at(-1) as AIMessage
      const call = async ({ tool, toolCall }: { tool: typeof read; toolCall: ToolCall }) => {
        const content: string = await tool.invoke(toolCall.args as { path: string })
        return new ToolMessage({ content, tool_call_id: `${toolCall.id}`, name: toolCall.name })
      }
      const messages = tool_calls.map((toolCall) => {
        const request = { toolCall, tool: read, state }
        return run ? run.wrapToolCall(request, call) : call(request)
      })
      return { messages: await Promise.all(messages) }
    }

    const graph = new StateGraph(MessagesAnnotation)
      .addNode('agent', callModel)
      .addNode('tools', callTools)
      .addEdge(START, 'agent')
      .addEdge('tools', 'agent')
      .addConditionalEdges('agent', ({ messages }) =>
        (messages.at(-1) as AIMessage).tool_calls?.length ? 'tools' : END,
      )
      .compile()
    const input = { messages: [new HumanMessage(program.prompt)] }
    const options = { recursionLimit, signal, streamMode: ['values' as const, 'messages' as const] }
    let text = ''
    for await (const [mode, chunk] of await graph.stream(input, options)) {
      if (mode === 'values') text = chunk.messages.at(-1)?.text ?? ''
    }
    return text
  },
})

it.each(
  [false, true].flatMap((isRestarted) => [
    { resume: 'stop', isRestarted, end: 'Stopped: read_file' },
    { resume: 'continue-once', isRestarted, end: 'Done.' },
    { resume: 'allow', isRestarted, end: 'Done.' },
    { resume: 'disable', isRestarted, end: 'Done.' },
    { resume: { hint: 'It is in lib.' }, isRestarted, end: 'Done.' },
  ]),
)('asks the person where there is one: %j', async ({ resume, isRestarted, end }) => {
  const provider = await startProvider((_, turn) =>
    turn < 6 ? { calls: [{ name: 'read_file', args: { path: 'a' } }] } : { text: 'Done.' },
  )
  const checkpointer = new MemorySaver()
  const agentOf = (guard: Guard) =>
    createAgent({
      model: modelOf(provider.url),
      tools: [readerOf(() => 'content')],
      middleware: [createMiddleware(guardRun(guard, { interrupt }))],
      checkpointer,
    })
  const before = createGuard({ attended: true })
  const config = { configurable: { thread_id: 'one' }, recursionLimit }
  const agent = agentOf(before)
  const first = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] }, config)
  const choices = ['continue-once', 'allow', 'hint', 'stop', 'disable']
  expect(first).toMatchObject({
    __interrupt__: [
      { value: { reason: expect.stringContaining('read_file was called'), choices } },
    ],
  })
  const guard = isRestarted ? createGuard({ attended: true }, before.snapshot()) : before
  const { messages } = await (isRestarted ? agentOf(guard) : agent).invoke(
    new Command({ resume }),
    config,
  )
  await provider.close()
  expect(messages.at(-1)?.text).toContain(end)
  expect(JSON.stringify(provider.exchanges.at(-1)?.body).includes('It is in lib.')).toBe(
    typeof resume === 'object',
  )
  expect(guard.faults).toEqual([])
})

it('adds no step to the graph: what fits into the default limit still does', async () => {
  const roundsOf = async (guard: Guard | undefined, rounds: number) => {
    const provider = await startProvider((_, turn) =>
      turn < rounds
        ? { calls: [{ name: 'read_file', args: { path: `src/part-${turn}.ts` } }] }
        : { text: 'Done.' },
    )
    const agent = createAgent({
      model: modelOf(provider.url),
      tools: [readerOf((path) => `content of ${path}`)],
      middleware: guard ? [createMiddleware(guardRun(guard))] : [],
    })
    const end = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] }).then(
      ({ messages }) => messages.at(-1)?.text,
      (error: Error) => error.name,
    )
    await provider.close()
    return end
  }
  let rounds = 9
  while ((await roundsOf(undefined, rounds + 1)) === 'Done.') rounds++
  const events: AgentEvent[] = []
  expect(await roundsOf(listening(events), rounds)).toBe('Done.')
  const told = events.map(({ type }) => type)
  const ask = ['turn-start']
  const end = ['usage', 'turn-end']
  const round = [...ask, 'tool-call', ...end, 'tool-result']
  expect(told).toEqual(['prompt', ...Array(rounds).fill(round).flat(), ...ask, 'text', ...end])
})

it('hears what is said to the model in each run', async () => {
  const provider = await startProvider((_, turn) =>
    turn === 2 ? { status: 400 } : { text: `Done ${turn}.` },
  )
  const events: AgentEvent[] = []
  const guard = listening(events)
  const nudge = createMiddleware({
    name: 'nudge',
    afterModel: {
      canJumpTo: ['model'],
      hook: ({ messages }) =>
        messages.length === 2
          ? { jumpTo: 'model' as const, messages: [new HumanMessage('Are you sure?')] }
          : undefined,
    },
  })
  const agent = createAgent({
    model: modelOf(provider.url),
    tools: [],
    middleware: [createMiddleware(guardRun(guard)), nudge],
    checkpointer: new MemorySaver(),
  })
  const config = { configurable: { thread_id: 'one' } }
  for (const content of ['one', 'two', 'three']) {
    await agent.invoke({ messages: [{ role: 'user', content }] }, config).catch(() => {})
  }
  await provider.close()
  const said = events.flatMap((event) => ('text' in event ? `${event.type} ${event.text}` : []))
  expect(said).toEqual([
    'prompt one',
    'text Done 0.',
    'prompt Are you sure?',
    'text Done 1.',
    'prompt two',
    'prompt two\nthree',
    'text Done 3.',
  ])
  expect(guard.faults).toEqual([])
})

it.each([
  ['throws', { path: 'a' }],
  ['is called with wrong arguments', { file: 'a' }],
])('lets the model read what a tool says that %s, as without it', async (_, args) => {
  const told: string[] = []
  for (const middleware of [[], [createMiddleware(guardRun(createGuard()))]]) {
    const provider = await startProvider([
      { calls: [{ name: 'read_file', args }] },
      { text: 'Done.' },
    ])
    const failing = readerOf(() => {
      throw new TypeError('no such file')
    })
    const agent = createAgent({ model: modelOf(provider.url), tools: [failing], middleware })
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] })
    await provider.close()
    const all = [messages.map(({ text }) => text), provider.exchanges.map(({ body }) => body)]
    // LangChain tells the model the stack of its own functions too
    told.push(JSON.stringify(all).replace(/\\n +at [^\\]*/g, ''))
  }
  expect(told[0]).toMatch(/no such file|expected string/)
  expect(told[1]).toEqual(told[0])
})

it('lets the model read a refusal, whatever other middleware keeps', async () => {
  const provider = await startProvider((_, turn) =>
    turn <= SPEAKS_AT ? { calls: [{ name: 'read_file', args: { path: 'a' } }] } : { text: 'Done.' },
  )
  const kept = new Map<string, ToolMessage>()
  const cache = createMiddleware({
    name: 'cache',
    async wrapToolCall(request, handler) {
      const { id, name, args } = request.toolCall
      const key = JSON.stringify(args)
      const known = kept.get(key)
      if (known) return new ToolMessage({ content: known.content, tool_call_id: `${id}`, name })
      const message = (await handler(request)) as ToolMessage
      kept.set(key, message)
      return message
    },
  })
  const guard = createGuard()
  const agent = createAgent({
    model: modelOf(provider.url),
    tools: [readerOf(() => 'content')],
    middleware: [createMiddleware(guardRun(guard)), cache],
  })
  const input = { messages: [{ role: 'user', content: 'go' }] }
  const { messages } = await agent.invoke(input, { recursionLimit })
  await provider.close()
  const answers = messages.filter((message) => ToolMessage.isInstance(message))
  expect(answers.map(({ text }) => text)).toEqual([
    ...Array(SPEAKS_AT).fill('content'),
    guard.findings[1]?.advice,
  ])
  expect(answers.at(-1)?.status).toBe('error')
  expect([...kept.values()].map(({ text }) => text)).toEqual(['content'])
  expect(guard.faults).toEqual([])
})

const chant = { text: 'I will check the configuration once again. '.repeat(500) }

it.each([
  ['a name', (url: string) => initChatModel('openai:gpt-5', optionsOf(url))],
  [
    'options',
    (url: string) => new RunnableBinding({ bound: modelOf(url), kwargs: {}, config: {} }),
  ],
])('cuts a chant of a model with %s', async (_, make) => {
  const provider = await startProvider([chant])
  const guard = createGuard()
  const agent = createAgent({
    model: guardModel(guard, (await make(provider.url)) as never),
    tools: [readerOf(() => 'content')],
    middleware: [createMiddleware(guardRun(guard))],
  })
  const input = { messages: [{ role: 'user', content: 'go' }] }
  let text = ''
  for await (const [message] of await agent.stream(input, { streamMode: 'messages' }))
    text += message.text
  await provider.close()
  expect(guard.findings).toMatchObject([{ detector: 'chanting', action: 'cut' }])
  expect(text.length).toBeLessThan(chant.text.length / 2)
  expect(guard.faults).toEqual([])
})

const answer =
  'The login fails because the session cookie is never set after the redirect. Look at the handler first, then at the middleware that strips headers.'

it('takes back the words of a stream that broke and is asked for again', async () => {
  const provider = await startProvider((_, turn) =>
    turn < 5 ? { text: answer, fault: 'cut', after: 35, pauseMs: 1 } : { text: answer },
  )
  const events: AgentEvent[] = []
  const guard = listening(events)
  const retry: unknown = modelRetryMiddleware({ maxRetries: 6, initialDelayMs: 1, jitter: false })
  const agent = createAgent({
    model: guardModel(guard, modelOf(provider.url)),
    middleware: [createMiddleware(guardRun(guard)), retry as ReturnType<typeof createMiddleware>],
  })
  const input = { messages: [{ role: 'user', content: 'go' }] }
  let text = ''
  for await (const [mode, chunk] of await agent.stream(input, {
    streamMode: ['values', 'messages'],
  })) {
    if (mode === 'values') text = chunk.messages.at(-1)?.text ?? ''
  }
  await provider.close()
  expect(text).toBe(answer)
  expect(guard.findings).toEqual([])
  expect(events.filter(({ type }) => type === 'retry')).toHaveLength(5)
})

const readAll = async (model: ChatOpenAI) => {
  let text = ''
  for await (const chunk of await model.stream('Why?')) text += chunk.text
  return text
}

it('hears each stream of a model alone on its own', async () => {
  const provider = await startProvider(() => ({ text: answer }))
  const guard = createGuard()
  const model = guardModel(guard, modelOf(provider.url))
  for (let i = 0; i < 12; i++) expect(await readAll(model)).toBe(answer)
  expect(guard.findings).toEqual([])
  expect(guard.faults).toEqual([])
  await provider.close()
})

it('reports a model that is streamed twice at once, and leaves both as they are', async () => {
  const provider = await startProvider(async (_, turn) => {
    if (turn === 0) await provider.exchange(11)
    return { text: answer, pauseMs: 1 }
  })
  const guard = createGuard()
  const model = guardModel(guard, modelOf(provider.url))
  const texts = await Promise.all(Array.from({ length: 12 }, () => readAll(model)))
  expect(new Set(texts)).toEqual(new Set([answer]))
  expect(guard.findings).toEqual([])
  expect(guard.faults.map(({ error }) => String(error))).toEqual([
    expect.stringContaining('two runs at once'),
  ])
  await provider.close()
})

it('tells runs apart that begin with the same message', async () => {
  const script: Script = async ({ body }, turn) => {
    if (turn === 0) await provider.exchange(1)
    const { length } = body.messages as unknown[]
    return length < 8
      ? { calls: [{ name: 'read_file', args: { path: `src/part-${length}.ts` } }] }
      : { text: 'Done.' }
  }
  const provider = await startProvider(script)
  const guard = createGuard()
  const agent = createAgent({
    model: modelOf(provider.url),
    tools: [readerOf(() => 'content')],
    middleware: [createMiddleware(guardRun(guard))],
  })
  const first = new HumanMessage('You help with logins.')
  const ask = (words: string) =>
    agent.invoke({ messages: [first, new HumanMessage(words)] }, { recursionLimit })
  const ends = await Promise.all(['one', 'two', 'three'].map(ask))
  await provider.close()
  expect(ends.map(({ messages }) => messages.at(-1)?.text)).toEqual(Array(3).fill('Done.'))
  expect(guard.faults.map(({ error }) => String(error))).toEqual([
    expect.stringContaining('two runs at once'),
  ])
})

it('does not ask a model for a stream that has none', async () => {
  class Whole extends BaseChatModel {
    _llmType() {
      return 'whole'
    }
    override bindTools() {
      return this
    }
    async _generate() {
      return { generations: [{ text: 'Done.', message: new AIMessage('Done.') }] }
    }
  }
  const guard = createGuard()
  const agent = createAgent({
    model: guardModel(guard, new Whole({})),
    middleware: [createMiddleware(guardRun(guard))],
  })
  const input = { messages: [{ role: 'user', content: 'go' }] }
  const texts: string[] = []
  for await (const [message] of await agent.stream(input, { streamMode: 'messages' }))
    texts.push(message.text)
  expect(texts).toEqual(['Done.'])
  expect(guard.faults).toEqual([])
})

it('hears each word once, also where tools are bound around the model', async () => {
  const words = ['I ', 'have ', 'read ', 'it.']
  class Spoken extends BaseChatModel {
    _llmType() {
      return 'spoken'
    }
    override bindTools() {
      return this.withConfig({ tags: ['bound'] })
    }
    async _generate(): Promise<never> {
      throw new Error('this one streams')
    }
    override async *_streamResponseChunks() {
      for (const text of words)
        yield new ChatGenerationChunk({ text, message: new AIMessageChunk(text) })
    }
  }
  const events: AgentEvent[] = []
  const guard = listening(events)
  const agent = createAgent({
    model: guardModel(guard, new Spoken({})),
    tools: [readerOf(() => 'content')],
    middleware: [createMiddleware(guardRun(guard))],
  })
  const input = { messages: [{ role: 'user', content: 'go' }] }
  const texts: string[] = []
  for await (const [message] of await agent.stream(input, { streamMode: 'messages' }))
    texts.push(message.text)
  expect(texts.join('')).toBe('I have read it.')
  const heard = events.flatMap((event) => (event.type === 'text' ? [event.text] : []))
  expect(heard).toEqual(words)
})

it.each([createGuard, createGuards])(
  'ends a prebuilt graph by the fetch of its model: %o',
  async (create) => {
    const provider = await startProvider(() => ({
      calls: [{ name: 'read_file', args: { path: 'a' } }],
    }))
    const guard = create()
    const { configuration, ...options } = optionsOf(provider.url)
    const fetch = guardFetch(guard)
    const llm = new ChatOpenAI({
      model: 'gpt-5',
      ...options,
      configuration: { ...configuration, fetch },
    })
    const agent = createReactAgent({ llm, tools: [readerOf(() => 'content')] })
    const { messages } = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] })
    await provider.close()
    expect(messages.at(-1)?.text).toContain('Stopped: read_file was called')
    expect(provider.exchanges).toHaveLength(SPEAKS_AT + 2)
    expect(guard.faults).toEqual([])
  },
)
