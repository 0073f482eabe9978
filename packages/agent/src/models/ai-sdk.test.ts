import { type Provider, type Reply, type Script, startProvider } from '@unloop/testing'
import { afterEach, describe, expect, test } from 'vitest'
import type { Message } from '../message.js'
import type { ModelEvent, ModelRequest } from '../model.js'
import { resolveModel } from './resolve-model.js'

let provider: Provider | undefined
afterEach(async () => {
  await provider?.close()
  provider = undefined
})

const KEY = 'sk-test-0123456789'

async function start(spec: string, script: Script, silenceMs = 20_000) {
  provider = await startProvider(script)
  const { url } = provider
  const env = {
    OPENAI_API_KEY: KEY,
    OPENAI_BASE_URL: `${url}/v1`,
    ANTHROPIC_API_KEY: KEY,
    ANTHROPIC_BASE_URL: url,
    GEMINI_API_KEY: KEY,
    GOOGLE_GEMINI_BASE_URL: url,
    OLLAMA_HOST: url.replace('http://', ''),
    LMSTUDIO_BASE_URL: `${url}/v1`,
    VLLM_BASE_URL: `${url}/v1/`,
  }
  return { model: await resolveModel(spec, { env, silenceMs }), server: provider }
}

const ask = (...messages: Message[]): ModelRequest => ({
  system: 'Be brief.',
  messages: messages.length > 0 ? messages : [{ role: 'user', content: 'Hello' }],
  tools: [
    {
      name: 'read_file',
      description: 'Reads a file.',
      parameters: { type: 'object', properties: { path: { type: 'string' } } },
    },
  ],
})

const never = new AbortController().signal

async function readAll(stream: AsyncIterable<ModelEvent>) {
  const events: ModelEvent[] = []
  for await (const event of stream) events.push(event)
  return events
}

const join = (events: ModelEvent[], type: 'text' | 'reasoning') =>
  events.map((event) => (event.type === type ? event.text : '')).join('')

const callsIn = (events: ModelEvent[]) => events.filter((event) => event.type === 'tool-call')

/** The message an agent makes of the events of one turn. */
function toMessage(events: ModelEvent[]): Message {
  const content: Extract<Message, { role: 'assistant' }>['content'] = []
  for (const event of events) {
    if (event.type === 'usage' || event.type === 'finish') continue
    if (event.type === 'call-correction') throw new Error('a call was told with other arguments')
    const last = content.at(-1)
    if (event.type === 'tool-call' || last?.type !== event.type || last.meta) {
      content.push({ ...event })
    } else Object.assign(last, event, { text: last.text + event.text })
  }
  return { role: 'assistant', content }
}

const SPECS = {
  'openai/gpt-5': 'openai-responses',
  'anthropic/claude-sonnet-4-5': 'anthropic',
  'google/gemini-2.5-pro': 'gemini',
  'ollama/qwen3': 'openai-chat',
  'lmstudio/qwen3': 'openai-chat',
  'vllm/meta-llama/Llama-4': 'openai-chat',
  'compatible/some-model': 'openai-chat',
}

const TEXT = 'Grüße aus 東京 🎌! '.repeat(30)

describe.each(Object.entries(SPECS))('%s', (spec, protocol) => {
  test('text, reasoning, usage and the finish, last', async () => {
    const usage = { inputTokens: 120, cachedTokens: 100, outputTokens: 34 }
    const { model, server } = await start(spec, [{ reasoning: 'Let me see.', text: TEXT, usage }])
    const events = await readAll(model.stream(ask(), never))
    expect(join(events, 'text')).toBe(TEXT)
    expect(join(events, 'reasoning')).toBe('Let me see.')
    expect(events.slice(-2)).toEqual([
      { type: 'usage', ...usage },
      { type: 'finish', reason: 'stop' },
    ])
    expect(events.length).toBeGreaterThan(50)
    expect(server.exchanges[0]).toMatchObject({ protocol })
    expect(JSON.stringify(server.exchanges[0]?.body)).toMatch(/Be brief\..*Hello|Hello.*Be brief\./)
    expect(await server.exchanges[0]?.disconnected).toBe(false)
  })

  test('parallel calls', async () => {
    const calls = [
      { name: 'read_file', args: { path: 'größe' } },
      { name: 'read_file', args: { path: 'b' } },
    ]
    const { model } = await start(spec, [{ text: 'I look.', calls }])
    const events = await readAll(model.stream(ask(), never))
    expect(callsIn(events)).toMatchObject([
      { id: 'call_0_0', name: 'read_file', args: { path: 'größe' } },
      { id: 'call_0_1', name: 'read_file', args: { path: 'b' } },
    ])
    expect(events.at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' })
  })

  test('arguments that are no JSON are told', async () => {
    const { model } = await start(spec, [
      { calls: [{ name: 'read_file', rawArgs: '{"path": "a' }] },
    ])
    const [call] = callsIn(await readAll(model.stream(ask(), never)))
    expect(call).toMatchObject({ args: '{"path": "a', invalid: expect.any(String) })
  })

  test('a whole round: its own words and metadata, the results and a note go back', async () => {
    const calls = [{ name: 'read_file', args: { path: 'a' } }, { name: 'read_file' }]
    const { model, server } = await start(spec, [{ reasoning: 'Hm.', calls }, { text: 'Done.' }])
    const first = ask()
    const answer = toMessage(await readAll(model.stream(first, never)))
    const results: Message = {
      role: 'tool',
      content: [0, 1].map((index) => ({
        type: 'tool-result',
        id: `call_0_${index}`,
        name: 'read_file',
        output: `content ${index}`,
        outcome: 'done',
        isError: index === 1,
      })),
    }
    const note: Message = { role: 'user', content: 'You repeat yourself.', from: 'guard' }
    const second = ask(...first.messages, answer, results, note)
    expect(join(await readAll(model.stream(second, never)), 'text')).toBe('Done.')
    expect(rolesOf(server, 1)).toEqual(ROLES[protocol])
    const body = JSON.stringify(server.exchanges[1]?.body)
    for (const part of ['content 0', 'content 1', 'You repeat yourself.'])
      expect(body).toContain(part)
    for (const part of METADATA[protocol] ?? []) expect(body).toContain(part)
  })

  test('an abort in the middle ends the request, which the server sees', async () => {
    const { model, server } = await start(spec, [{ text: TEXT, fault: 'silence' }])
    const controller = new AbortController()
    const events: ModelEvent[] = []
    for await (const event of model.stream(ask(), controller.signal)) {
      events.push(event)
      controller.abort()
    }
    expect(await server.exchanges[0]?.disconnected).toBe(true)
    expect(events).toHaveLength(1)
  })

  test('leaving the loop ends the request too', async () => {
    const { model, server } = await start(spec, [{ text: TEXT, fault: 'silence' }])
    for await (const _ of model.stream(ask(), never)) break
    expect(await server.exchanges[0]?.disconnected).toBe(true)
  })

  test('an abort before the first byte ends the request', async () => {
    const { model, server } = await start(spec, [{ fault: 'silence', after: 0 }])
    const controller = new AbortController()
    const reading = readAll(model.stream(ask(), controller.signal))
    const { disconnected } = await server.exchange(0)
    controller.abort()
    expect(await reading).toEqual([])
    expect(await disconnected).toBe(true)
  })

  test('silence ends the request', async () => {
    const { model, server } = await start(spec, [{ text: TEXT, fault: 'silence' }], 250)
    await expect(readAll(model.stream(ask(), never))).rejects.toMatchObject({
      kind: 'silence',
      message: `nothing new from ${spec} for 0.25 s`,
    })
    expect(await server.exchanges[0]?.disconnected).toBe(true)
  })

  test.each<[string, Reply, string]>([
    ['cut', { text: TEXT, fault: 'cut' }, 'network|malformed'],
    ['unfinished', { text: TEXT, fault: 'unfinished' }, 'network|malformed'],
    ['malformed', { text: TEXT, fault: 'malformed' }, 'malformed'],
    ['reported inside', { text: TEXT, fault: 'error' }, 'overloaded'],
  ])('a stream that is %s', async (_, reply, kinds) => {
    const { model } = await start(spec, [reply])
    const events: ModelEvent[] = []
    const reading = (async () => {
      for await (const event of model.stream(ask(), never)) events.push(event)
    })()
    await expect(reading).rejects.toMatchObject({
      name: 'ModelError',
      kind: expect.stringMatching(new RegExp(`^(?:${kinds})$`)),
      message: expect.stringContaining(spec),
    })
    expect(TEXT.startsWith(join(events, 'text'))).toBe(true)
    expect(events.some((event) => event.type === 'finish')).toBe(false)
  })

  test.each<[Reply & { status: number }, object]>([
    [
      { status: 429, headers: { 'retry-after': '7' } },
      { kind: 'rate-limit', retryAfterMs: 7000 },
    ],
    [{ status: 500 }, { kind: 'overloaded', retryAfterMs: undefined }],
    [
      { status: 503, headers: { 'retry-after-ms': '90' } },
      { kind: 'overloaded', retryAfterMs: 90 },
    ],
    [{ status: 529 }, { kind: 'overloaded' }],
    [
      { status: 400, message: 'bad field' },
      { kind: 'refused', message: /refused.*bad field/ },
    ],
    [
      { status: 401, message: `no such key: ${KEY}` },
      { kind: 'refused', message: /\[key\]/ },
    ],
  ])('%j', async (reply, { message, ...expected }: { message?: RegExp }) => {
    const { model, server } = await start(spec, [reply])
    const error = await readAll(model.stream(ask(), never)).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'ModelError', ...expected })
    expect(String(error)).toContain(`(${reply.status})`)
    if (message) expect(String(error)).toMatch(message)
    expect(JSON.stringify(error) + String(error)).not.toContain(KEY)
    expect(server.exchanges).toHaveLength(1)
  })

  test('a server that is not there', async () => {
    const { model, server } = await start(spec, [])
    await server.close()
    await expect(readAll(model.stream(ask(), never))).rejects.toMatchObject({
      kind: 'network',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('an answer that has to follow a schema', async () => {
    const { model, server } = await start(spec, [{ text: '{"confidence":1}' }])
    const schema = { type: 'object', properties: { confidence: { type: 'number' } } }
    const request = { ...ask(), tools: [], schema }
    expect(join(await readAll(model.stream(request, never)), 'text')).toBe('{"confidence":1}')
    expect(JSON.stringify(server.exchanges[0]?.body)).toMatch(/json/)
  })
})

/** The roles of the second request, in the provider's words. */
function rolesOf({ exchanges }: Provider, turn: number) {
  const body = (exchanges[turn]?.body ?? {}) as Record<string, Item[] | undefined>
  const { contents, messages, input } = body
  return (contents ?? messages ?? input)?.map(({ role, type }) => role ?? type)
}
type Item = { role?: string; type?: string }

const ROLES: Record<string, string[]> = {
  'openai-responses': [
    'developer',
    'user',
    'reasoning',
    'function_call',
    'function_call',
    'function_call_output',
    'function_call_output',
    'user',
  ],
  anthropic: ['user', 'assistant', 'user'],
  gemini: ['user', 'model', 'user'],
  'openai-chat': ['system', 'user', 'assistant', 'tool', 'tool'],
}

const METADATA: Record<string, string[]> = {
  'openai-responses': ['encrypted-of-turn-0', 'rs_0'],
  anthropic: ['signature-of-turn-0'],
  gemini: ['signature-of-turn-0'],
}

test('a key goes where it belongs, and nowhere else', async () => {
  const { model, server } = await start('lmstudio/m', [{ text: 'a' }, { text: 'b' }, { text: 'c' }])
  await readAll(model.stream(ask(), never))
  const env = { OPENAI_API_KEY: KEY }
  const elsewhere = await resolveModel('compatible/m', { env, baseUrl: `${server.url}/v1` })
  await readAll(elsewhere.stream(ask(), never))
  const own = { env: { ...env, OPENAI_BASE_URL: `${server.url}/v1` } }
  await readAll((await resolveModel('compatible/m', own)).stream(ask(), never))
  const keys = server.exchanges.map(({ headers }) => headers.authorization)
  expect(keys).toEqual([undefined, undefined, `Bearer ${KEY}`])
})

test.each<[string, object]>([
  ['openai/gpt-5', { store: false, tools: [{ name: 'read_file', strict: false }] }],
  ['anthropic/claude-sonnet-4-5', { cache_control: { type: 'ephemeral' } }],
  ['google/gemini-2.5-pro', { generationConfig: { thinkingConfig: { includeThoughts: true } } }],
  ['ollama/qwen3', { stream_options: { include_usage: true } }],
])('%s is asked with %j', async (spec, body) => {
  const { model, server } = await start(spec, [{ text: 'a' }])
  await readAll(model.stream(ask(), never))
  expect(server.exchanges[0]?.body).toMatchObject(body)
})

test('two streams of one model do not disturb each other', async () => {
  const { model } = await start('anthropic/m', [{ text: 'one', pauseMs: 1 }, { text: 'two' }])
  const answers = await Promise.all([
    readAll(model.stream(ask(), never)),
    readAll(model.stream(ask(), never)),
  ])
  expect(answers.map((events) => join(events, 'text')).sort()).toEqual(['one', 'two'])
})

test('nothing is asked under a signal that is aborted', async () => {
  const { model, server } = await start('anthropic/m', [{ text: 'one' }])
  expect(await readAll(model.stream(ask(), AbortSignal.abort()))).toEqual([])
  expect(server.exchanges).toEqual([])
})
