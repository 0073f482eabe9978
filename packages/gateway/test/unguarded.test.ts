import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it, test } from 'vitest'
import { type Served, serve, startRecorder } from './serve.js'

// all of them small, so that bodies can be
const LIMITS = {
  guardedBytes: 100_000,
  guardedValues: 3000,
  guardedMessages: 300,
  guardedCalls: 30,
  guardedDepth: 50,
}

const user = (content: unknown) => ({ role: 'user', content })
const call = (id: number) => ({
  role: 'assistant',
  tool_calls: [{ id: `call_${id}`, function: { name: 'read', arguments: `{"page":${id}}` } }],
})
const answer = (id: number) => ({ role: 'tool', tool_call_id: `call_${id}`, content: `page ${id}` })
const rounds = (count: number) =>
  Array.from({ length: count }, (_, id) => [call(id), answer(id)]).flat()
const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)])

// limits of what is inside are for bodies that are not small anyway
const long = user('x'.repeat(20_000))

const CASES: [reason: string, what: string, within: unknown[], beyond: unknown[]][] = [
  ['bytes', 'bytes', [user('x'.repeat(99_000))], [user('x'.repeat(100_000))]],
  ['messages', 'messages', [long, ...Array(299).fill({})], [long, ...Array(300).fill({})]],
  ['calls', 'calls', [long, ...rounds(30)], [long, ...rounds(31)]],
  ['depth', 'levels', [long, user(nested(40))], [long, user(nested(60))]],
  [
    'values',
    'values',
    [long, ...Array(290).fill(user([1, 2]))],
    [long, ...Array(290).fill(user([1, 2, 3, 4, 5, 6, 7, 8]))],
  ],
]

const unguardedOf = async (gateway: Served) =>
  [
    ...(await (await fetch(`${gateway.url}/metrics`)).text()).matchAll(
      /^unloop_gateway_unguarded_total\{reason="(\w+)"\} (\d+)$/gm,
    ),
  ].map(([, reason, count]) => `${reason} ${count}`)

const post = (
  url: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

const chat = (messages: unknown[]) => JSON.stringify({ model: 'm', messages })

describe('a request that is guarded up to a limit', () => {
  test.each(CASES)(
    'of %s passes as it is beyond it, and is counted: %s',
    async (reason, _, within, beyond) => {
      const upstream = await startRecorder()
      const gateway = await serve(upstream.url, { limits: LIMITS })
      const ask = (body: string) => post(`${gateway.url}/v1/chat/completions`, body)
      expect((await ask(chat(within))).headers.get('x-unloop-verdict')).toBe('go')
      expect(await unguardedOf(gateway)).toEqual([])
      const passed = await ask(chat(beyond))
      expect(passed.status).toBe(200)
      expect(passed.headers.get('x-unloop-verdict')).toBe(null)
      expect(upstream.seen.map(({ body }) => body.toString())).toEqual([chat(within), chat(beyond)])
      expect(await unguardedOf(gateway)).toEqual([`${reason} 1`])
    },
  )

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
    ['GZIP', gzipSync],
    ['x-gzip', gzipSync],
    [' Br', brotliCompressSync],
  ])('passes as it is where it unpacks to more: %s', async (encoding, pack) => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url, { limits: LIMITS })
    const packed = [99_000, 20_000_000].map((length) => pack(chat([user(' '.repeat(length))])))
    for (const body of packed)
      await post(`${gateway.url}/v1/chat/completions`, body, { 'content-encoding': encoding })
    expect(upstream.seen.map(({ body }) => body)).toEqual(packed)
    expect(upstream.seen.map(({ headers }) => headers['content-encoding'])).toEqual([
      encoding.trim(),
      encoding.trim(),
    ])
    expect(await unguardedOf(gateway)).toEqual(['bytes 1'])
  })

  test('passes where it unpacks to far more than its own length', async () => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url)
    const packed = gzipSync(chat([user(' '.repeat(9 * 2 ** 20))]))
    await post(`${gateway.url}/v1/chat/completions`, packed, { 'content-encoding': 'gzip' })
    expect(upstream.seen[0]?.body).toEqual(packed)
    expect(await unguardedOf(gateway)).toEqual(['bytes 1'])
  })

  test('passes where it has far more values than bytes when it is packed', async () => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url)
    const ask = async (values: number) => {
      const body = { messages: [user('x')], metadata: Array(values).fill({}) }
      const packed = gzipSync(JSON.stringify(body))
      await post(`${gateway.url}/v1/chat/completions`, packed, { 'content-encoding': 'gzip' })
    }
    await ask(9000)
    expect(await unguardedOf(gateway)).toEqual([])
    await ask(99_000)
    expect(upstream.seen).toHaveLength(2)
    expect(await unguardedOf(gateway)).toEqual(['values 1'])
  })

  test('is counted by what it is where it cannot be read', async () => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url, {
      rules: [{ match: { model: 'free' }, onLoop: 'off' }],
    })
    const url = `${gateway.url}/v1/chat/completions`
    await post(url, '{')
    await post(url, 'x', { 'content-encoding': 'gzip' })
    await post(url, 'x', { 'content-encoding': 'unknown' })
    // not meant to be guarded
    await post(url, JSON.stringify({ model: 'free', messages: [] }))
    expect(upstream.seen).toHaveLength(4)
    expect(await unguardedOf(gateway)).toEqual(['unreadable 1', 'encoding 2'])
  })
})

describe('another spelling is not a way around the guard', () => {
  it.each([
    '/v1/chat/complet%69ons',
    '/v1/chat%2Fcompletions',
    '/v1/chat//completions',
    '//v1/chat/completions/',
    '/openai/v1/%63hat/completions?a=%zz',
    '/v1/mess%61ges',
    '/v1beta/models/m:generate%43ontent',
  ])('%s', async (path) => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url, {
      upstreams: Object.fromEntries(
        ['openai', 'anthropic', 'gemini'].map((name) => [name, { url: upstream.url }]),
      ),
    })
    const contents = [{ role: 'user', parts: [{ text: 'hello' }] }]
    const body = JSON.stringify({ model: 'm', messages: [user('hello')], contents })
    const answered = await post(gateway.url + path, body)
    expect(answered.headers.get('x-unloop-verdict')).toBe('go')
    expect(upstream.seen[0]?.url).toBe(path.replace(/^\/openai/, ''))
  })

  it.each(['GZIP', 'X-Gzip'])('of an answer in %s', async (encoding) => {
    const said = 'I will read the file again. '.repeat(400)
    const event = { choices: [{ index: 0, delta: { content: said } }] }
    const upstream = await startRecorder((response) => {
      response.writeHead(200, {
        'content-type': 'text/event-stream',
        'content-encoding': encoding,
      })
      response.end(gzipSync(`data: ${JSON.stringify(event)}\n\n`.repeat(3)))
    })
    const gateway = await serve(upstream.url)
    const answered = await post(`${gateway.url}/v1/chat/completions`, chat([user('hello')]))
    expect(answered.headers.get('content-encoding')).toBe(null)
    expect(await answered.text()).toMatch(/\[DONE\]/)
  })
})

describe('a guardrail has nothing against what is beyond a limit', () => {
  const GUARDRAILS: [path: string, toBody: (messages: unknown[]) => object, pass: object][] = [
    [
      '/beta/litellm_basic_guardrail_api',
      (structured_messages) => ({ input_type: 'request', structured_messages, texts: [] }),
      { action: 'NONE' },
    ],
    [
      '/guardrails/portkey',
      (messages) => ({
        eventType: 'beforeRequestHook',
        request: { json: { model: 'm', messages } },
      }),
      { verdict: true },
    ],
  ]
  const both = GUARDRAILS.flatMap(([path, toBody, pass]) =>
    CASES.map(([reason, , , beyond]) => [path, reason, toBody(beyond), pass] as const),
  )

  test.each(both)('%s: %s', async (path, reason, body, pass) => {
    const gateway = await serve((await startRecorder()).url, { limits: LIMITS })
    const response = await post(gateway.url + path, JSON.stringify(body))
    expect([response.status, await response.json()]).toEqual([200, pass])
    expect(await unguardedOf(gateway)).toEqual([`${reason} 1`])
  })

  test.each(GUARDRAILS)('%s says that it wants JSON', async (path) => {
    const gateway = await serve((await startRecorder()).url)
    expect((await post(gateway.url + path, '{')).status).toBe(400)
  })
})
