import { Command, interrupt, MemorySaver } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { startProvider } from '@unloop/testing'
import { createAgent, createMiddleware, tool } from 'langchain'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { type Program, testAdapter } from '../../test/adapters/test-adapter.js'
import { createGuard } from '../guard.js'
import { guardRun } from './langchain.js'

const modelOf = (url: string) =>
  new ChatOpenAI({
    model: 'gpt-5',
    apiKey: 'none',
    maxRetries: 0,
    configuration: { baseURL: `${url}/v1` },
  })

const readerOf = (readFile: (path: string) => string) =>
  tool(({ path }) => readFile(path), {
    name: 'read_file',
    description: 'Reads a file.',
    schema: z.object({ path: z.string() }),
  })

const agentOf = ({ url, guard, readFile }: Program) =>
  createAgent({
    model: modelOf(url),
    tools: [readerOf(readFile)],
    middleware: guard ? [createMiddleware(guardRun(guard))] : [],
  })

const inputOf = ({ prompt }: Program) => ({ messages: [{ role: 'user', content: prompt }] })
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
  // a middleware sees messages, not how they are written
  streams: false,
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

it.each([
  ['stop', 'Stopped: read_file'],
  ['go-on', 'Done.'],
  ['disable', 'Done.'],
  [{ hint: 'It is in lib.' }, 'Done.'],
])('asks the person where there is one, who says %j', async (resume, end) => {
  const provider = await startProvider((_, turn) =>
    turn < 6 ? { calls: [{ name: 'read_file', args: { path: 'a' } }] } : { text: 'Done.' },
  )
  const guard = createGuard({ attended: true })
  const agent = createAgent({
    model: modelOf(provider.url),
    tools: [readerOf(() => 'content')],
    middleware: [createMiddleware(guardRun(guard, { interrupt }))],
    checkpointer: new MemorySaver(),
  })
  const config = { configurable: { thread_id: 'one' }, recursionLimit }
  const first = await agent.invoke({ messages: [{ role: 'user', content: 'go' }] }, config)
  expect(first).toMatchObject({
    __interrupt__: [{ value: { reason: expect.stringContaining('read_file was called') } }],
  })
  const { messages } = await agent.invoke(new Command({ resume }), config)
  await provider.close()
  expect(messages.at(-1)?.text).toContain(end)
  expect(JSON.stringify(provider.exchanges.at(-1)?.body).includes('It is in lib.')).toBe(
    typeof resume === 'object',
  )
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
