import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSenders } from '../src/proxy/senders.js'
import {
  answer,
  bodyOf,
  chunk,
  connectTo,
  exchange,
  get,
  post,
  startBareServer,
} from './bare-http.js'
import { type Served, serve, startRecorder } from './serve.js'

// What a gateway holds for requests whose answers have not come.

const PATHS = [
  ['/v1/chat/completions', 'messages'],
  ['/v1/messages', 'messages'],
  ['/v1/responses', 'input'],
  ['/v1beta/models/m:generateContent', 'contents'],
] as const

const CHAT = '/v1/chat/completions'
const LITELLM = '/beta/litellm_basic_guardrail_api'
const OVERHEAD = '{"messages":[{"role":"user","content":""}]}'.length

const head = (path: string, ...lines: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n')

const CHUNKED = 'Transfer-Encoding: chunked'
const announced = (length: number) => `Content-Length: ${length}`
const until = async (isTrue: () => boolean | Promise<boolean>) => {
  while (!(await isTrue())) await new Promise((resolve) => setImmediate(resolve))
}

const metric = async (gateway: Served, name: string) =>
  new RegExp(`^unloop_gateway_${name} (\\d+)$`, 'm').exec(
    await (await fetch(`${gateway.url}/metrics`)).text(),
  )?.[1]

const ask = (url: string, body: BodyInit, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body })

const manyValues = (field: string) => ({
  model: 'm',
  [field]: [{ role: 'user', content: 'x', parts: [{ text: 'x' }] }],
  metadata: Array.from({ length: 20_000 }, () => ({})),
})

function heldAfterGarbage(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return heapUsed + arrayBuffers
}

/** An upstream that drops what it gets, and answers when it is told to. */
async function startSink() {
  const sockets = new Set<Socket>()
  let bytes = 0
  const server = createServer((socket) => {
    sockets.add(socket)
    socket
      .on('error', () => {})
      .on('data', ({ length }) => {
        bytes += length
      })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    has: (length: number) => until(() => bytes >= length),
    answer: () => {
      for (const socket of sockets) socket.write(answer('{}'))
    },
  }
}

const text = (length: number) =>
  JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(length) }] })

describe('what was read of a request is not held while its answer is waited for', () => {
  it.each([
    ...PATHS.map(([path, field]) => [path, JSON.stringify(manyValues(field))] as const),
    [CHAT, text(1_000_000)] as const,
  ])('%s', async (path, body) => {
    const upstream = await startSink()
    const gateway = await serve(upstream.url)
    const bytes = Buffer.from(head(path, announced(body.length)) + body)
    const ask = () => {
      const client = connectTo(gateway.url)
      client.socket.write(bytes)
      return client
    }
    // so that all is loaded
    const clients = [ask()]
    await upstream.has(body.length)
    const before = heldAfterGarbage()
    const count = 30
    for (let at = 0; at < count; at++) clients.push(ask())
    await upstream.has((1 + count) * body.length)
    await until(async () => (await metric(gateway, 'held_bytes')) === '0')
    // 20,000 empty objects take more than a megabyte, as does the text; some code may be compiled meanwhile, and buffers go a little later
    await until(() => (heldAfterGarbage() - before) / count < 300_000)
    upstream.answer()
    for (const client of clients) {
      await client.until(/\r\n\r\n\{\}/)
      expect(client.received).toMatch(/x-unloop-verdict: go/i)
    }
  })
})

describe('what is remembered of a request is short', () => {
  const long = 'x'.repeat(1_000_000)

  it.each<[string, string, (at: number) => object]>([
    ['a model', CHAT, (at) => ({ model: `${at}${long}` })],
    [
      'the name of a session',
      CHAT,
      (at) => ({ metadata: { user_id: `${long}_session_${at}1234567` } }),
    ],
    [
      'the id of an answer',
      '/v1/responses',
      (at) => ({ input: 'x', previous_response_id: `resp_${at}${long}` }),
    ],
    [
      'the words of a person',
      CHAT,
      (at) => ({ messages: [{ role: 'user', content: `${at}${long}` }] }),
    ],
  ])('%s', async (_, path, bodyOf) => {
    const upstream = await startBareServer(({ socket }) => socket.write(answer('{}')))
    const gateway = await serve(upstream.url)
    const askOnce = async (at: number) => {
      const body = JSON.stringify({
        messages: [{ role: 'user', content: `hello ${at}` }],
        ...bodyOf(at),
      })
      const answered = await ask(gateway.url + path, body)
      expect(answered.headers.get('x-unloop-verdict')).toBe('go')
      // what it got is not ours
      for (const peer of upstream.peers) {
        peer.received = ''
        peer.read = 0
      }
    }
    await askOnce(0)
    const before = heldAfterGarbage()
    const count = 20
    for (let at = 1; at <= count; at++) await askOnce(at)
    await until(() => (heldAfterGarbage() - before) / count < 300_000)
  })
})

describe('a request beyond what is held for all', () => {
  it.each([
    ['long', text(20_000), {}],
    ['that unpacks to much', gzipSync(text(40_000)), { 'content-encoding': 'gzip' }],
    ['of many values', JSON.stringify(manyValues('messages')), {}],
  ])('passes as it is, and is counted: one that is %s', async (_, body, headers) => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url, { limits: { heldBytes: 50_000 } })
    const url = `${gateway.url}/v1/chat/completions`
    // it has to be more than this, with what is made of it
    const small = await ask(url, text(10_000))
    expect(small.headers.get('x-unloop-verdict')).toBe('go')
    const large = await ask(url, body, headers)
    expect([large.status, large.headers.get('x-unloop-verdict')]).toEqual([200, null])
    expect(upstream.seen[1]?.body.toString('latin1')).toBe(Buffer.from(body).toString('latin1'))
    expect(await metric(gateway, 'unguarded_total\\{reason="busy"\\}')).toBe('1')
    expect(await metric(gateway, 'held_bytes')).toBe('0')
  })
})

describe('a body that is not whole', () => {
  const beginning = `{"messages":[{"role":"user","content":"${'x'.repeat(60_000)}`
  const ending = `${'y'.repeat(50_000)}"}]}`

  it('is read no further than it could be guarded, and passes as it comes', async () => {
    const upstream = await startBareServer(({ socket }) => socket.write(answer('{}')))
    const gateway = await serve(upstream.url, { limits: { guardedBytes: 50_000 } })
    const client = connectTo(gateway.url)
    client.write(head(CHAT, CHUNKED) + chunk(beginning))
    await until(() => upstream.received.includes('x'.repeat(60_000)))
    await until(async () => (await metric(gateway, 'held_bytes')) === '0')
    client.write(`${chunk(ending)}0\r\n\r\n`)
    await client.until(/\r\n\r\n\{\}/)
    expect(upstream.received.match(/[xy]+/g)?.sort()).toEqual(
      expect.arrayContaining(['x'.repeat(60_000), 'y'.repeat(50_000)]),
    )
    expect(await metric(gateway, 'unguarded_total\\{reason="bytes"\\}')).toBe('1')
  })

  it('is refused once it is longer than allowed, though it has begun to pass', async () => {
    const upstream = await startBareServer(() => {})
    const limits = { guardedBytes: 50_000, bodyBytes: 100_000 }
    const gateway = await serve(upstream.url, { limits })
    const client = connectTo(gateway.url)
    client.write(head(CHAT, CHUNKED) + chunk(beginning) + chunk(ending))
    await client.until('end')
    expect(client.received).toMatch(/^HTTP\/1.1 413 /)
    expect(bodyOf(client.received)).toContain('the request is longer than 100000 bytes')
    await until(async () => (await metric(gateway, 'held_bytes')) === '0')
  })

  it.each([
    ['in chunks', head(CHAT, CHUNKED) + chunk(beginning)],
    ['of a length', head(CHAT, announced(beginning.length + ending.length)) + beginning],
  ])('makes room for others, the largest first: %s', async (_, bytes) => {
    const upstream = await startBareServer(({ socket }) => socket.write(answer('{}')))
    const gateway = await serve(upstream.url, { limits: { heldBytes: 300_000 } })
    const small = connectTo(gateway.url)
    small.write(`${head(CHAT, announced(OVERHEAD))}{"messages":[`)
    for (let count = 0; count < 20; count++) connectTo(gateway.url).write(bytes)
    // three of them are less than three quarters
    await until(() => upstream.received.split('x'.repeat(60_000)).length > 17)
    await until(async () => Number(await metric(gateway, 'held_bytes')) < 250_000)
    small.write('{"role":"user","content":""}]}')
    await small.until(/\r\n\r\n\{\}/)
    expect(small.received).toMatch(/x-unloop-verdict: go/i)
  })

  it('is held no longer when its client goes', async () => {
    const upstream = await startBareServer(() => {})
    const gateway = await serve(upstream.url)
    const clients = Array.from({ length: 5 }, () => connectTo(gateway.url))
    for (const client of clients) client.write(head(CHAT, CHUNKED) + chunk(beginning))
    await until(async () => Number(await metric(gateway, 'held_bytes')) === 5 * beginning.length)
    for (const { socket } of clients) socket.destroy()
    await until(async () => (await metric(gateway, 'held_bytes')) === '0')
  })

  it('of a guardrail is answered when others need the room', async () => {
    const gateway = await serve('http://127.0.0.1:1', { limits: { heldBytes: 300_000 } })
    const clients = Array.from({ length: 10 }, () => connectTo(gateway.url))
    for (const client of clients)
      client.write(head(LITELLM, announced(beginning.length + ending.length)) + beginning)
    const isAnswered = ({ received }: { received: string }) => received.includes('"NONE"')
    await until(() => clients.filter(isAnswered).length >= 6)
    expect(Number(await metric(gateway, 'held_bytes'))).toBeLessThan(300_000)
  })
})

describe('requests that are sent without waiting for answers', () => {
  const one = post(CHAT, { model: 'm', messages: [] })

  it('are open a few at a time on each connection, and others are refused', async () => {
    const upstream = await startBareServer(() => {})
    const gateway = await serve(upstream.url)
    const client = connectTo(gateway.url)
    client.write(one.repeat(2000))
    await upstream.peer(7)
    const other = await exchange(gateway.url, get('/healthz'))
    expect(other.received).toMatch(/^HTTP\/1.1 200 /)
    expect(await metric(gateway, 'open_requests')).toBe('8')
    expect(upstream.peers).toHaveLength(8)
    for (const { socket } of upstream.peers) socket.write(answer('{}'))
    await client.until('end')
    expect(client.received.match(/HTTP\/1.1 200 OK/g)).toHaveLength(8)
    expect(client.received.match(/HTTP\/1.1 429 /g)).toHaveLength(1)
    expect(upstream.peers).toHaveLength(8)
  })

  it.each([get('/healthz'), get('/unloop/api/sessions'), post(LITELLM, {})])(
    'also of the gateway itself: %j',
    async (own) => {
      const upstream = await startBareServer(() => {})
      const gateway = await serve(upstream.url)
      const client = connectTo(gateway.url)
      // the first is not answered
      client.write(one + own.repeat(100))
      await upstream.peer(0)
      upstream.peers[0]?.socket.write(answer('{}'))
      await client.until('end')
      expect(client.received.match(/HTTP\/1.1 \d+/g)).toHaveLength(9)
    },
  )

  it('are all answered where they are few', async () => {
    const upstream = await startBareServer(({ socket }) => socket.write(answer('{}')))
    const gateway = await serve(upstream.url)
    const client = connectTo(gateway.url)
    client.write(one.repeat(8))
    await client.until(/(?:\{\}[^{]*){8}/)
    client.write(one.repeat(8))
    await client.until(/(?:\{\}[^{]*){16}/)
    expect(client.received.match(/HTTP\/1.1 200 OK/g)).toHaveLength(16)
  })
})

describe('who waits', () => {
  const key = (name: string) => ({ authorization: `Bearer ${name}` })
  const requestOf = (name: string) =>
    ({ headers: key(name), method: 'POST', socket: { remoteAddress: '127.0.0.1' } }) as never
  const route = (path: string) => ({ path, target: path }) as never

  it('has a line of their own once a provider has answered them', () => {
    const senders = createSenders()
    const lineOf = (name: string) => senders.lineOf(requestOf(name), CHAT)
    expect(lineOf('a')).toEqual({ name: '127.0.0.1', isKnown: false })
    expect(lineOf('b')).toEqual(lineOf('a'))
    // not every address asks for a key
    senders.accept(requestOf('a'), route('/v1/models'))
    expect(lineOf('a').isKnown).toBe(false)
    senders.accept(requestOf('a'), route(CHAT))
    expect(lineOf('a').isKnown).toBe(true)
    expect(lineOf('b').isKnown).toBe(false)
    senders.accept(requestOf('b'), route(CHAT))
    expect(lineOf('a').name).not.toBe(lineOf('b').name)
    for (let other = 0; other < 10_000; other++)
      senders.accept(requestOf(`key ${other}`), route(CHAT))
    expect(lineOf('a').isKnown).toBe(false)
  })
})
