import { AsyncLocalStorage } from 'node:async_hooks'
import { MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { type Script, startProvider } from '@unloop/testing'
import { type BaseMessage, createAgent, createMiddleware, tool } from 'langchain'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { guardModel, guardRun, outcomeOf } from '../../src/adapters/langchain/index.js'
import type { Finding } from '../../src/finding.js'
import { createGuard, type Guard } from '../../src/guard.js'
import { createGuards, type Guards } from '../../src/host/guards.js'
import { createStore, testConversations } from './test-conversations.js'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

const reader = new AsyncLocalStorage<(path: string) => Promise<string>>()
const readFile = tool(({ path }) => reader.getStore()?.(path) ?? 'content', {
  name: 'read_file',
  description: 'Reads a file.',
  schema: z.object({ path: z.string() }),
})

const modelOf = (url: string) =>
  new ChatOpenAI({
    model: 'gpt-5',
    apiKey: 'none',
    maxRetries: 0,
    configuration: { baseURL: `${url}/v1` },
  })

const agentOf = (url: string, guard: Guard | Guards, more: { checkpointer?: MemorySaver } = {}) =>
  createAgent({
    model: guardModel(guard, modelOf(url)),
    tools: [readFile],
    middleware: [createMiddleware(guardRun(guard))],
    ...more,
  })

for (const isThread of [false, true]) {
  testConversations(`langchain, one agent${isThread ? ' with threads' : ''}`, {
    serve(url, guards) {
      const agent = agentOf(url, guards, isThread ? { checkpointer: new MemorySaver() } : {})
      return (prompt, own, conversation) =>
        reader.run(own, async () => {
          const input = { messages: [{ role: 'user', content: prompt }] }
          const config = isThread ? { configurable: { thread_id: conversation } } : {}
          const { messages } = await agent.invoke(input, config)
          return messages.at(-1)?.text ?? ''
        })
    },
  })
}

testConversations('langchain, one agent, streamed', {
  conversations: 20,
  serve(url, guards) {
    const agent = agentOf(url, guards)
    return (prompt, own) =>
      reader.run(own, async () => {
        const input = { messages: [{ role: 'user', content: prompt }] }
        let text = ''
        for await (const [mode, chunk] of await agent.stream(input, {
          streamMode: ['values', 'messages'],
        })) {
          if (mode === 'values') text = chunk.messages.at(-1)?.text ?? ''
        }
        return text
      })
  },
})

async function serve(script: Script) {
  const provider = await startProvider(script)
  closing.push(provider.close)
  return provider
}

const READ_ONCE: Script = (_, turn) =>
  turn % 2 === 0 ? { calls: [{ name: 'read_file', args: { path: 'a' } }] } : { text: 'Done.' }

it.each(['messages', 'a thread'])('goes on in another process, known by %s', async (by) => {
  const { url } = await serve(READ_ONCE)
  const store = createStore()
  const checkpointer = new MemorySaver()
  const found: Finding[] = []
  let messages: BaseMessage[] = []
  for (let turn = 0; turn < 5; turn++) {
    const guards = createGuards({ store, guard: { onFinding: (one) => found.push(one) } })
    const agent = agentOf(url, guards, by === 'a thread' ? { checkpointer } : {})
    const asked = { role: 'user', content: 'continue' }
    const ended = await agent.invoke(
      { messages: by === 'a thread' ? [asked] : [...messages, asked] },
      by === 'a thread' ? { configurable: { thread_id: 'one' } } : {},
    )
    messages = ended.messages
    expect(guards.faults).toEqual([])
  }
  // each run is short; only all of them together are a loop
  expect(found).not.toEqual([])
})

it.each([false, true])(
  'says in the last message how a run ended, with threads %s',
  async (isThread) => {
    const outcomes: unknown[] = []
    const scripts: Record<string, Script> = {
      stopped: () => ({ calls: [{ name: 'read_file', args: { path: 'a' } }] }),
      cut: () => ({ text: 'I will check the configuration once again. '.repeat(200) }),
      ok: READ_ONCE,
    }
    for (const script of Object.values(scripts)) {
      const { url } = await serve(script)
      const agent = agentOf(
        url,
        createGuards(),
        isThread ? { checkpointer: new MemorySaver() } : {},
      )
      const config = isThread ? { configurable: { thread_id: 'one' } } : {}
      const input = { messages: [{ role: 'user', content: 'go' }] }
      const invoked = await agent.invoke(input, config)
      const { messages } = isThread ? (await agent.graph.getState(config)).values : invoked
      outcomes.push(messages.at(-1)?.response_metadata.unloop)
      const others: BaseMessage[] = messages.slice(0, -1)
      expect(others.filter(({ response_metadata }) => 'unloop' in response_metadata)).toEqual([])
    }
    expect(outcomes).toMatchObject([
      { outcome: 'stopped', finding: { detector: 'repeated-call', action: 'stop' } },
      { outcome: 'cut', finding: { detector: 'chanting', action: 'cut' } },
      undefined,
    ])
  },
)

it.each(['messages', 'updates'] as const)(
  'says how a run ended in a stream of %s, too',
  async (streamMode) => {
    const { url } = await serve(() => ({
      text: 'I will check the configuration once again. '.repeat(2000),
      pauseMs: 1,
    }))
    const input = { messages: [{ role: 'user', content: 'go' }] }
    const agent = agentOf(url, createGuards())
    let state: { messages: BaseMessage[] } = { messages: [] }
    for await (const [mode, chunk] of await agent.stream(input, {
      streamMode: ['values', streamMode],
    })) {
      if (mode === 'values') state = chunk as typeof state
    }
    expect(state.messages.at(-1)?.response_metadata.unloop).toMatchObject({ outcome: 'cut' })
  },
)

it('tells users apart that share one guard and never ask at the same time', async () => {
  const { url } = await serve(READ_ONCE)
  const guard = createGuard()
  const agent = agentOf(url, guard)
  const users: BaseMessage[][] = [[], [], []]
  for (const turn of [1, 2])
    for (const [at, messages] of users.entries()) {
      const asked = { role: 'user', content: `question ${turn}` }
      const ended = await agent.invoke({ messages: [...messages, asked] })
      expect(ended.messages.at(-1)?.text).toBe('Done.')
      users[at] = ended.messages
    }
  expect(guard.faults.map(({ error }) => String(error))).toEqual([
    expect.stringMatching(/share this guard/),
  ])
  expect(outcomeOf(guard)).toBe('unguarded')
})

it.each([false, true])(
  'watches an agent inside a tool and the agent around it, each on its own, with threads %s',
  async (isThread) => {
    const { url } = await serve(({ body }) =>
      JSON.stringify(body).includes('inner')
        ? { text: 'Nothing there.' }
        : { calls: [{ name: 'read_file', args: { path: 'a' } }] },
    )
    const found: Finding[] = []
    const guards = createGuards({ guard: { onFinding: (one) => found.push(one) } })
    const agent = agentOf(url, guards, isThread ? { checkpointer: new MemorySaver() } : {})
    const config = isThread ? { configurable: { thread_id: 'one' } } : {}
    const ask = async (content: string) => {
      const { messages } = await agent.invoke(
        { messages: [{ role: 'user', content }] },
        content === 'outer' ? config : {},
      )
      return messages.at(-1)?.text ?? ''
    }
    const text = await reader.run(
      () => ask('inner'),
      () => ask('outer'),
    )
    expect(text).toMatch(/^Stopped: read_file was called/)
    expect(guards.faults).toEqual([])
    expect(found.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
  },
)

it('leaves no mark on an error of the provider', async () => {
  const { url } = await serve(() => ({ status: 400, message: 'no such model' }))
  const failed = await agentOf(url, createGuards())
    .invoke({ messages: [{ role: 'user', content: 'go' }] })
    .catch((error: Error) => error)
  expect(String(failed)).toContain('no such model')
  expect(failed).not.toHaveProperty('is_bubble_up')
})
