import Anthropic from '@anthropic-ai/sdk'
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod'
import { type Script, startProvider } from '@unloop/testing'
import Anthropic0 from 'anthropic0'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import {
  type Program,
  SPEAKS_AT,
  testAdapter,
  testTitles,
} from '../../../test/adapters/test-adapter.js'
import { createGuard, type Guard } from '../../guard.js'
import { guardClient, guardMiddleware, outcomeOf, refusal } from './index.js'

const model = 'claude-sonnet-5'
const max_tokens = 1000

const optionsOf = (url: string) => ({ apiKey: 'none', baseURL: url, maxRetries: 0 })

function clientOf({ url, guard }: Pick<Program, 'url' | 'guard'>): Anthropic {
  const client = new Anthropic(optionsOf(url))
  return guard ? guardClient(guard, client) : client
}

const paramsOf = ({ prompt, readFile }: Program) => ({
  model,
  max_tokens,
  max_iterations: 30,
  messages: [{ role: 'user' as const, content: prompt }],
  tools: [
    betaZodTool({
      name: 'read_file',
      description: 'Reads a file.',
      inputSchema: z.object({ path: z.string() }),
      run: ({ path }) => readFile(path),
    }),
  ],
})

// the first versions of 1 have none
const hasThreads = 'thread' in new Anthropic(optionsOf('')).beta.messages

const textOf = (content: readonly { type: string; text?: string }[]) =>
  content.map(({ text = '' }) => text).join('')

testAdapter('anthropic, tool runner over a thread', {
  streams: false,
  async run(program) {
    const runner = clientOf(program).beta.messages.toolRunner(paramsOf(program), {
      signal: program.signal,
    })
    return textOf((await runner).content)
  },
})

testAdapter('anthropic, tool runner with a stream', {
  streams: true,
  async run(program) {
    const runner = clientOf(program).beta.messages.toolRunner(
      { ...paramsOf(program), stream: true, thread: false },
      { signal: program.signal },
    )
    let text = ''
    for await (const stream of runner) text = textOf((await stream.finalMessage()).content)
    return text
  },
})

for (const streams of [false, true]) {
  testAdapter(`anthropic, messages ${streams ? 'with' : 'without'} a stream in a loop of its own`, {
    streams,
    async run({ url, guard, prompt, signal, readFile }) {
      const middleware = guard ? [guardMiddleware(guard)] : []
      const client = new Anthropic({ ...optionsOf(url), middleware })
      const messages: Anthropic.MessageParam[] = [{ role: 'user', content: prompt }]
      const input_schema = {
        type: 'object' as const,
        properties: { path: { type: 'string' } },
      }
      const tools = [{ name: 'read_file', description: 'Reads a file.', input_schema }]
      const request = { model, max_tokens, messages, tools }
      for (let turn = 0; turn < 30; turn++) {
        const { content } = streams
          ? await client.messages.stream(request, { signal }).finalMessage()
          : await client.messages.create(request, { signal })
        const calls = content.filter((block) => block.type === 'tool_use')
        if (calls.length === 0) return textOf(content)
        messages.push({ role: 'assistant', content })
        const results = calls.map(({ id, input }) => ({
          type: 'tool_result' as const,
          tool_use_id: id,
          content: (guard && refusal(guard, id)) ?? readFile((input as { path: string }).path),
        }))
        messages.push({ role: 'user', content: results })
      }
      return ''
    },
  })
}

for (const stream of [false, true]) {
  testTitles(`anthropic, streamed ${stream}`, (url, guard) => {
    const client = clientOf({ url, guard })
    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'go' }]
    const input_schema = { type: 'object' as const, properties: { path: { type: 'string' } } }
    const ask = async (request: Pick<Anthropic.MessageCreateParams, 'messages' | 'tools'>) => {
      const whole = { model, max_tokens, ...request }
      return stream
        ? client.messages.stream(whole).finalMessage()
        : client.messages.create({ ...whole, stream: false })
    }
    return {
      async next() {
        const { content } = await ask({
          messages: [...messages],
          tools: [{ name: 'read_file', input_schema }],
        })
        const results = content.flatMap((block) =>
          block.type === 'tool_use'
            ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'content' }]
            : [],
        )
        messages.push({ role: 'assistant', content }, { role: 'user', content: results })
        return textOf(content)
      },
      title: async () =>
        textOf((await ask({ messages: [{ role: 'user', content: 'A title for: go' }] })).content),
    }
  })
}

const THOUGHT = 'I will check the configuration once again. '.repeat(2000)
const go: Anthropic.MessageParam = { role: 'user', content: 'go' }

describe('a thought that was cut, which the provider would not take back', () => {
  const CLIENTS = {
    'the same guard': (url: string, guard: Guard) => clientOf({ url, guard }),
    'another guard': (url: string) => clientOf({ url, guard: createGuard() }),
    'no guard': (url: string) => new Anthropic(optionsOf(url)),
  }
  const STREAMS = {
    messages: (client: Anthropic, messages: Anthropic.MessageParam[]) =>
      client.messages.stream({ model, max_tokens, messages }),
    'beta messages': ({ beta }: Anthropic, messages: Anthropic.MessageParam[]) =>
      beta.messages.stream({ model, max_tokens, messages }),
    ...(hasThreads && {
      'a thread': ({ beta }: Anthropic) =>
        beta.messages.thread({ model, max_tokens }).stream({ role: 'user', content: 'go' }),
    }),
    'a client with options': (client: Anthropic, messages: Anthropic.MessageParam[]) =>
      client.withOptions({ timeout: 9999 }).messages.stream({ model, max_tokens, messages }),
  }

  for (const [kind, stream] of Object.entries(STREAMS)) {
    it.each(Object.entries(CLIENTS))(
      `is not in a message of ${kind} that goes on with %s`,
      async (_, clientFor) => {
        const provider = await startProvider([{ reasoning: THOUGHT }, { text: 'Done.' }])
        const guard = createGuard()
        const { content } = await stream(clientOf({ url: provider.url, guard }), [
          go,
        ]).finalMessage()
        expect(guard.findings.map(({ action }) => action)).toEqual(['cut'])
        expect(content).toMatchObject([{ type: 'text', text: '…' }])
        const answer = { role: 'assistant', content } as Anthropic.MessageParam
        const messages = [go, answer, { ...go, content: 'go on' }]
        const next = clientFor(provider.url, guard).messages.create({ model, max_tokens, messages })
        expect(textOf((await next).content)).toBe('Done.')
        await provider.close()
      },
    )
  }

  it('is not in the last message of a tool runner', async () => {
    const provider = await startProvider([{ reasoning: THOUGHT }])
    const client = clientOf({ url: provider.url, guard: createGuard() })
    const request = { model, max_tokens, messages: [go], tools: [], thread: false as const }
    const runner = client.beta.messages.toolRunner({ ...request, stream: true })
    expect((await runner.runUntilDone()).content).toMatchObject([{ type: 'text', text: '…' }])
    await provider.close()
  })

  it('is left out of a history that the program has put together of the events', async () => {
    const provider = await startProvider([{ reasoning: THOUGHT }, { text: 'Done.' }])
    const plain = { ...optionsOf(provider.url), middleware: [guardMiddleware(createGuard())] }
    const request = { model, max_tokens, messages: [go] }
    const blocks: { type: string; thinking?: string; text?: string }[] = []
    for await (const event of await new Anthropic(plain).messages.create({
      ...request,
      stream: true,
    })) {
      if (event.type === 'content_block_start') blocks[event.index] = { ...event.content_block }
      if (event.type !== 'content_block_delta') continue
      const block = blocks[event.index]
      if (block && event.delta.type === 'text_delta') block.text += event.delta.text
      if (block && event.delta.type === 'thinking_delta') block.thinking += event.delta.thinking
    }
    expect(blocks).toMatchObject([{ type: 'thinking', signature: '' }, { text: '…' }])
    const content = blocks as Anthropic.ContentBlockParam[]
    const messages = [go, { role: 'assistant' as const, content }, go]
    const client = clientOf({ url: provider.url, guard: createGuard() })
    const { content: last } = await client.messages.create({ ...request, messages })
    expect(textOf(last)).toBe('Done.')
    await provider.close()
  })

  it('leaves words behind where the first piece is one too much', async () => {
    const provider = await startProvider([
      { text: 'x', usage: { inputTokens: 1, outputTokens: 1 } },
      { text: 'Done.' },
    ])
    const guard = createGuard()
    const chant = 'I will check it once again. '.repeat(200)
    const send: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      return new Response(
        (await response.text()).replace('"text":"x"', JSON.stringify({ text: chant }).slice(1, -1)),
        response,
      )
    }
    const client = guardClient(guard, new Anthropic({ ...optionsOf(provider.url), fetch: send }))
    const { content } = await client.messages
      .stream({ model, max_tokens, messages: [go] })
      .finalMessage()
    expect(guard.findings.map(({ action }) => action)).toEqual(['cut'])
    expect(content).toMatchObject([{ type: 'text', text: '…' }])
    await provider.close()
  })
})

describe('with a version of the SDK that has no middleware', () => {
  const LOOP: Script = () => ({ calls: [{ name: 'read_file', args: { path: 'a' } }] })

  /** A program with a loop of its own, which goes on for ten turns. */
  async function run(client: Anthropic0, guard: Guard) {
    const messages: Anthropic0.MessageParam[] = [{ role: 'user', content: 'go' }]
    for (let turn = 0; turn < 10; turn++) {
      const { content } = await client.messages.create({ model, max_tokens, messages })
      messages.push({ role: 'assistant', content })
      const results = content.flatMap((block) =>
        block.type === 'tool_use'
          ? [{ tool_use_id: block.id, content: refusal(guard, block.id) ?? 'content' }]
          : [],
      )
      messages.push({
        role: 'user',
        content: results.map((result) => ({ type: 'tool_result', ...result })),
      })
    }
  }

  it.each([
    [
      'a client',
      (url: string, guard: Guard) => guardClient(guard, new Anthropic0(optionsOf(url))),
      'it has no middleware',
    ],
    [
      'middleware that it does not take',
      (url: string, guard: Guard) => {
        const middleware = [guardMiddleware(guard)]
        return new Anthropic0({ ...optionsOf(url), middleware } as never)
      },
      'no request was seen',
    ],
  ])('goes on without a guard, and says so once: %s', async (_, open, why) => {
    const provider = await startProvider(LOOP)
    const told: string[] = []
    const guard = createGuard({ onFault: ({ part, error }) => told.push(`${part}: ${error}`) })
    await run(open(provider.url, guard), guard)
    await provider.close()
    expect(provider.exchanges).toHaveLength(10)
    expect(told).toEqual([expect.stringMatching(`^anthropic: .*${why}`)])
    expect(outcomeOf(guard)).toBe('unguarded')
  })
})

it('stays stopped while the SDK asks again', async () => {
  const guard = createGuard()
  const provider = await startProvider(() => {
    guard.stop()
    return { status: 503, headers: { 'retry-after-ms': '1' } }
  })
  const client = guardClient(guard, new Anthropic({ apiKey: 'none', baseURL: provider.url }))
  const messages = [{ role: 'user' as const, content: 'go' }]
  const { content } = await client.messages.create({ model, max_tokens, messages })
  await provider.close()
  expect(textOf(content)).toContain('Stopped: ')
  expect(provider.exchanges).toHaveLength(1)
})

it('leaves a tool alone that asks the model itself', async () => {
  const provider = await startProvider(({ body }) =>
    JSON.stringify(body.messages).includes('Sum up')
      ? { text: 'In short.' }
      : { calls: [{ name: 'read_file', args: { path: 'a' } }] },
  )
  const guard = createGuard()
  const client = clientOf({ url: provider.url, guard })
  const ask = (content: string) => ({
    model,
    max_tokens,
    messages: [{ role: 'user' as const, content }],
  })
  const tool = betaZodTool({
    name: 'read_file',
    description: 'Reads a file.',
    inputSchema: z.object({ path: z.string() }),
    run: async ({ path }) => textOf((await client.messages.create(ask(`Sum up ${path}.`))).content),
  })
  const request = { ...ask('go'), tools: [tool], max_iterations: 30 }
  const { content } = await client.beta.messages.toolRunner(request)
  await provider.close()
  expect(textOf(content)).toContain('Stopped: ')
  expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop'])
  expect(guard.faults).toEqual([])
})

it('guards the clients that are made of a guarded one, and tools that a thread gets later', async () => {
  const provider = await startProvider(() => ({
    calls: [{ name: 'read_file', args: { path: 'a' } }],
  }))
  const runs: string[] = []
  const tool = betaZodTool({
    name: 'read_file',
    description: 'Reads a file.',
    inputSchema: z.object({ path: z.string() }),
    run: ({ path }) => `${runs.push(path)}`.slice(1),
  })
  const messages = [{ role: 'user' as const, content: 'go' }]
  const request = { model, max_tokens, messages, tools: [tool], max_iterations: 30 }
  const client = clientOf({ url: provider.url, guard: createGuard() })
  await client.withOptions({ timeout: 9999 }).beta.messages.toolRunner(request)
  expect(runs).toHaveLength(SPEAKS_AT)
  if (!hasThreads) return provider.close()
  const { beta } = clientOf({ url: provider.url, guard: createGuard() })
  const thread = beta.messages.thread({ model, max_tokens })
  thread.update({ tools: [tool] })
  thread.append({ role: 'user', content: 'go' })
  await thread.toolRunner({ max_iterations: 30 })
  await provider.close()
  expect(runs).toHaveLength(2 * SPEAKS_AT)
})

it.runIf(hasThreads)('offers no tools where the program offers none', async () => {
  const provider = await startProvider([{ text: 'Done.' }])
  const { beta } = clientOf({ url: provider.url, guard: createGuard() })
  await beta.messages.thread({ model, max_tokens }).send({ role: 'user', content: 'go' })
  await provider.close()
  expect(provider.exchanges[0]?.body).not.toHaveProperty('tools')
})

it('goes on after a stop without its own last words', async () => {
  const provider = await startProvider((_, turn) =>
    turn < 6 ? { calls: [{ name: 'read_file', args: { path: 'a' } }] } : { text: 'Done.' },
  )
  const guard = createGuard()
  const client = clientOf({ url: provider.url, guard })
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'go' }]
  let text = ''
  for (let turn = 0; turn < 10 && text !== 'Done.'; turn++) {
    if (guard.stopped) guard.continueOnce()
    const { content } = await client.messages.create({ model, max_tokens, messages })
    text = textOf(content)
    messages.push({ role: 'assistant', content })
    const calls = content.filter((block) => block.type === 'tool_use')
    if (calls.length === 0) continue
    const toResult = ({ id }: { id: string }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: 'content',
    })
    messages.push({ role: 'user', content: calls.map(toResult) })
  }
  await provider.close()
  expect(text).toBe('Done.')
  const sent = provider.exchanges.at(-1)?.body.messages as Anthropic.MessageParam[]
  expect(sent.at(-1)?.role).toBe('user')
  const said = sent.filter(({ role }) => role === 'assistant')
  expect(JSON.stringify(said)).not.toContain('Stopped: ')
})

it('counts the tokens of a message that was cut as far as they are known', async () => {
  const provider = await startProvider([{ text: 'I will check it once again. '.repeat(2000) }])
  const client = clientOf({ url: provider.url, guard: createGuard() })
  const messages = [{ role: 'user' as const, content: 'go' }]
  const { usage } = await client.messages.stream({ model, max_tokens, messages }).finalMessage()
  await provider.close()
  expect(usage.output_tokens).toBe(1)
})
