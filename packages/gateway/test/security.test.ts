import { gzipSync } from 'node:zlib'
import { startProvider } from '@unloop/testing'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { createAgent } from './agent.js'
import {
  answer,
  bodyOf,
  chunk,
  chunkedHead,
  connectTo,
  exchange,
  get,
  headOf,
  post,
  startBareServer,
} from './bare-http.js'
import { type Served, serve, startRecorder, TOKEN } from './serve.js'

const SMUGGLED = 'GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n'
const ASKS = ['POST /v1/chat/completions', 'POST /v1/files', 'GET /v1/models', 'DELETE /v1/files/1']

/** Sends a request that is written badly, in several ways, and a good one after each: the upstream sees the good ones as they are. */
async function attack(lines: string[], body: string) {
  const upstream = await startRecorder()
  const gateway = await serve(upstream.url)
  const statuses: string[] = []
  for (const [at, ask] of ASKS.entries()) {
    const { received } = await exchange(
      gateway.url,
      [`${ask} HTTP/1.1`, 'Host: localhost', ...lines, '', body].join('\r\n'),
    )
    statuses.push(/^HTTP\/1.1 (\d+)/.exec(received)?.[1] ?? 'closed')
    await fetch(`${gateway.url}/v1/good/${at}`, { method: 'POST', body: `intact ${at}` })
  }
  const seen = upstream.seen.map(({ method, url, body }) => `${method} ${url} ${body}`)
  const isGood = (line: string) => line.startsWith('POST /v1/good/')
  expect(seen.filter(isGood)).toEqual(ASKS.map((_, at) => `POST /v1/good/${at} intact ${at}`))
  expect(seen.filter((line) => line.startsWith('GET /smuggled'))).toEqual([])
  return { statuses, passed: seen.filter((line) => !isGood(line)) }
}

const chunked = (text: string) => `${chunk(text)}0\r\n\r\n`
const length = (text: string) => `Content-Length: ${text.length}`

describe('a request whose end is unclear is refused', () => {
  test.each<[string, string[], string]>([
    [
      'a length and chunks',
      [length('0\r\n\r\n'), 'Transfer-Encoding: chunked'],
      `0\r\n\r\n${SMUGGLED}`,
    ],
    [
      'chunks and a length',
      ['Transfer-Encoding: chunked', length(SMUGGLED)],
      `0\r\n\r\n${SMUGGLED}`,
    ],
    ['two lengths', ['Content-Length: 0', length(SMUGGLED)], SMUGGLED],
    ['two lengths in one', [`Content-Length: 0, ${SMUGGLED.length}`], SMUGGLED],
    ['a length with a sign', [`Content-Length: +${SMUGGLED.length}`], SMUGGLED],
    ['a negative length', ['Content-Length: -1'], SMUGGLED],
    ['a hexadecimal length', ['Content-Length: 0x0'], SMUGGLED],
    ['a length with a space in it', ['Content-Length: 0 0'], SMUGGLED],
    ['a length that is no number', ['Content-Length: ten'], SMUGGLED],
    ['a length beyond all numbers', [`Content-Length: ${'9'.repeat(30)}`], SMUGGLED],
    ['an unknown encoding', ['Transfer-Encoding: xchunked'], chunked(SMUGGLED)],
    ['chunks that are not last', ['Transfer-Encoding: chunked, identity'], chunked(SMUGGLED)],
    ['identity', ['Transfer-Encoding: identity'], SMUGGLED],
    ['a vertical tab before chunked', ['Transfer-Encoding: \x0bchunked'], chunked(SMUGGLED)],
    ['a space before the colon', ['Transfer-Encoding : chunked'], chunked(SMUGGLED)],
    [
      'chunked and then identity',
      ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'],
      chunked(SMUGGLED),
    ],
    ['a length with a space before the colon', [`Content-Length : ${SMUGGLED.length}`], SMUGGLED],
    ['a line that begins with a space', [' Content-Length: 0', length(SMUGGLED)], SMUGGLED],
    ['a header without a colon', ['Content-Length'], SMUGGLED],
    ['a null byte in a header', ['X-A: a\0b', 'Content-Length: 0'], SMUGGLED],
    ['a carriage return alone', [`X-A: a\rContent-Length: ${SMUGGLED.length}`], SMUGGLED],
    [
      'a chunk whose size is no number',
      ['Transfer-Encoding: chunked'],
      `xyz\r\n${SMUGGLED}\r\n0\r\n\r\n`,
    ],
    ['a chunk whose size has a prefix', ['Transfer-Encoding: chunked'], `0x0\r\n\r\n${SMUGGLED}`],
    ['a chunk of negative size', ['Transfer-Encoding: chunked'], `-1\r\n\r\n${SMUGGLED}`],
    ['a chunk of no size', ['Transfer-Encoding: chunked'], `\r\n\r\n${SMUGGLED}`],
    [
      'a chunk beyond all sizes',
      ['Transfer-Encoding: chunked'],
      `${'f'.repeat(20)}\r\n${SMUGGLED}`,
    ],
    [
      'a chunk that is longer than its size',
      ['Transfer-Encoding: chunked'],
      `1\r\nabc\r\n0\r\n\r\n${SMUGGLED}`,
    ],
    [
      'a chunk whose size ends with a line feed alone',
      ['Transfer-Encoding: chunked'],
      `0\n\n${SMUGGLED}`,
    ],
    [
      'a line feed alone in the parameters of a chunk',
      ['Transfer-Encoding: chunked'],
      `0;a\n\r\n${SMUGGLED}`,
    ],
  ])('%s', async (_, lines, body) => {
    const { statuses, passed } = await attack(lines, body)
    expect(statuses).toEqual(ASKS.map(() => '400'))
    expect(passed).toEqual([])
  })

  test.each<[string, string]>([
    ['line feeds alone', 'GET /v1/models HTTP/1.1\nHost: localhost\n\n'],
    [
      'a line feed alone in a header',
      `GET /v1/models HTTP/1.1\r\nHost: localhost\r\nX-A: b\n${length(SMUGGLED)}\r\n\r\n${SMUGGLED}`,
    ],
    ['two hosts', 'GET /v1/models HTTP/1.1\r\nHost: localhost\r\nHost: other\r\n\r\n'],
    ['no host', 'GET /v1/models HTTP/1.1\r\n\r\n'],
    ['another protocol', 'GET /v1/models HTTX/1.1\r\nHost: localhost\r\n\r\n'],
    ['a tab in the path', 'GET /v1\tmodels HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    ['bytes of a TLS connection', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url)
    const client = await exchange(gateway.url, bytes)
    await client.until('end')
    expect(client.received).toMatch(/^HTTP\/1.1 400 /)
    expect(upstream.seen).toEqual([])
  })
})

describe('a body stays the body of its request', () => {
  const many = Array.from({ length: 1100 }, () => 'a:b')

  test.each<[string, string[], string]>([
    [
      'whose length is said to be of the connection',
      ['Connection: content-length', length(SMUGGLED)],
      SMUGGLED,
    ],
    [
      'whose chunks are said to be of the connection',
      ['Connection: transfer-encoding', 'Transfer-Encoding: chunked'],
      chunked(SMUGGLED),
    ],
    ['whose length comes after a thousand headers', [...many, length(SMUGGLED)], SMUGGLED],
    [
      'whose chunks come after a thousand headers',
      [...many, 'Transfer-Encoding: chunked'],
      chunked(SMUGGLED),
    ],
    [
      'that comes with an upgrade',
      ['Connection: Upgrade', 'Upgrade: websocket', length(SMUGGLED)],
      SMUGGLED,
    ],
    [
      'that comes in chunks with an upgrade',
      ['Connection: Upgrade', 'Upgrade: websocket', 'Transfer-Encoding: chunked'],
      chunked(SMUGGLED),
    ],
    [
      'that comes with an upgrade to HTTP/2',
      [
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABk',
        length(SMUGGLED),
      ],
      SMUGGLED,
    ],
    ['that the upstream never asked for', [length(SMUGGLED)], SMUGGLED],
    ['in chunks', ['Transfer-Encoding: chunked'], chunked(SMUGGLED)],
    ['with two encodings', ['Transfer-Encoding: gzip, chunked'], chunked(SMUGGLED)],
    ['with a folded header', ['Transfer-Encoding:\r\n chunked'], chunked(SMUGGLED)],
  ])('%s', async (_, lines, body) => {
    const { passed } = await attack(lines, body)
    const whole = ASKS.map((ask) => `${ask} ${SMUGGLED}`)
    for (const line of passed) expect(whole).toContain(line)
  })

  test('a second request on the same connection is a request like any other', async () => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url)
    const client = connectTo(gateway.url)
    client.write(get('/v1/models') + post('/v1/files', {}) + get('/v1/last', 'Connection: close'))
    await client.until('end')
    expect(client.received.match(/HTTP\/1.1 200 OK/g)).toHaveLength(3)
    const lines = upstream.seen.map(({ method, url }) => `${method} ${url}`)
    expect(lines.toSorted()).toEqual(['GET /v1/last', 'GET /v1/models', 'POST /v1/files'])
  })

  test('an upgrade is not a way around the guard', async () => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url)
    const body = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }
    const client = await exchange(
      gateway.url,
      post('/v1/chat/completions', body, 'Connection: Upgrade', 'Upgrade: h2c'),
    )
    const wasRefused = /^HTTP\/1.1 4\d\d /.test(client.received) && upstream.seen.length === 0
    expect(wasRefused || /x-unloop-verdict: go/.test(client.received)).toBe(true)
  })
})

describe('headers', () => {
  test('of the connection are dropped, all others keep their order and spelling', async () => {
    const upstream = await startBareServer(({ socket }) => socket.write(answer('{}')))
    const gateway = await serve(upstream.url)
    const kept = [
      'AUTHORIZATION: Bearer k',
      'x-one: 1',
      'X-Two: a',
      'x-TWO: b',
      'accept-encoding: gzip',
      'Anthropic-Beta: a,b',
      'Cookie: a=1',
      'cookie: b=2',
      'Empty:',
    ]
    const dropped = [
      'Connection: close, X-Private , x-hop',
      'X-Private: a',
      'X-Hop: b',
      'Keep-Alive: timeout=5',
      'Proxy-Connection: keep-alive',
      'Proxy-Authorization: Basic x',
      'TE: trailers',
      'Trailer: X-A',
      'x-unloop-session: s',
    ]
    const lines = kept.flatMap((line, at) => [line, dropped[at] ?? ''])
    await exchange(gateway.url, get('/v1/models?a=b%20c&a', ...lines))
    const [first, host, ...rest] = headOf(upstream.received)
    expect([first, host]).toEqual([
      'GET /v1/models?a=b%20c&a HTTP/1.1',
      `Host: 127.0.0.1:${upstream.port}`,
    ])
    expect(rest).toEqual([...kept.slice(0, -1), 'Empty: ', 'Connection: keep-alive'])
  })

  test('of an answer too', async () => {
    const lines = [
      'Connection: X-Private',
      'Content-Type: application/json',
      'X-Private: a',
      'Keep-Alive: timeout=1',
      'Proxy-Authenticate: Basic',
      'Set-Cookie: a=1',
      'X-RateLimit-Left: 7',
      'set-cookie: b=2',
      'Upgrade: h2c',
      'Date: Thu, 01 Jan 2026 00:00:00 GMT',
      'Trailer: X-A',
      'Content-Length: 2',
    ]
    const upstream = await startBareServer(({ socket }) =>
      socket.write(['HTTP/1.1 203 Well, yes', ...lines, '', '{}'].join('\r\n')),
    )
    const gateway = await serve(upstream.url)
    const { received } = await exchange(gateway.url, get('/v1/models', 'Connection: close'))
    expect(headOf(received)).toEqual([
      'HTTP/1.1 203 Well, yes',
      'Content-Type: application/json',
      'Set-Cookie: a=1',
      'X-RateLimit-Left: 7',
      'set-cookie: b=2',
      'Date: Thu, 01 Jan 2026 00:00:00 GMT',
      'Content-Length: 2',
      'Connection: close',
    ])
  })
})

describe('only the configured upstreams are reached', () => {
  test.each<[string, (evil: number) => string]>([
    ['an absolute address', (evil) => get(`http://127.0.0.1:${evil}/v1/models`)],
    ['an absolute address with the own host', (evil) => get(`http://gateway@127.0.0.1:${evil}/`)],
    [
      'an absolute address of a model',
      (evil) => post(`http://127.0.0.1:${evil}/v1/chat/completions`, { messages: [] }),
    ],
    ['an address without a scheme', (evil) => get(`//127.0.0.1:${evil}/v1/models`)],
    ['one after a name', (evil) => get(`/openai//127.0.0.1:${evil}/v1/models`)],
    ['one in the place of a path', (evil) => get(`/openai/http://127.0.0.1:${evil}/v1/models`)],
    ['a user', (evil) => get(`/openai@127.0.0.1:${evil}/v1/models`)],
    ['backslashes', (evil) => get(`/\\127.0.0.1:${evil}\\v1`)],
    ['steps up', (evil) => get(`/../../127.0.0.1:${evil}/v1/models`)],
    ['steps up after a name', (evil) => get(`/openai/../../127.0.0.1:${evil}/`)],
    ['a fragment', (evil) => get(`/v1/models#@127.0.0.1:${evil}`)],
    ['another host', (evil) => `GET /v1/models HTTP/1.1\r\nHost: 127.0.0.1:${evil}\r\n\r\n`],
    [
      'another host of a proxy',
      (evil) =>
        get(
          '/v1/models',
          `X-Forwarded-Host: 127.0.0.1:${evil}`,
          `Forwarded: host=127.0.0.1:${evil}`,
          `X-Original-URL: http://127.0.0.1:${evil}/`,
        ),
    ],
    ['CONNECT', (evil) => `CONNECT 127.0.0.1:${evil} HTTP/1.1\r\nHost: 127.0.0.1:${evil}\r\n\r\n`],
    ['the options of all', () => 'OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n'],
    [
      'a WebSocket',
      (evil) => get(`http://127.0.0.1:${evil}/`, 'Connection: Upgrade', 'Upgrade: websocket'),
    ],
  ])('%s', async (_, toBytes) => {
    const evil = await startBareServer(({ socket }) => socket.end(answer('{}')))
    const upstream = await startBareServer(({ socket }) => socket.end(answer('{}')))
    const gateway = await serve(upstream.url, {
      upstreams: { openai: { url: upstream.url }, other: { url: upstream.url } },
    })
    const { received } = await exchange(gateway.url, toBytes(evil.port))
    expect(evil.peers).toEqual([])
    const [first, host] = headOf(upstream.received)
    if (upstream.received === '') expect(received).toMatch(/^(HTTP\/1.1 4\d\d |$)/)
    else {
      expect(first).toMatch(/^GET \/.* HTTP\/1.1$/)
      expect(host).toBe(`Host: 127.0.0.1:${upstream.port}`)
    }
  })

  test('an address that is not a path says why', async () => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url)
    const { received } = await exchange(gateway.url, get('http://example.com/v1/models'))
    expect(received).toMatch(/^HTTP\/1.1 404 /)
    expect(bodyOf(received)).toContain('this is not an open proxy: the address must be a path')
    expect(upstream.seen).toEqual([])
  })

  test('the paths of an upstream stay below its own', async () => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url, {
      upstreams: { inner: { url: `${upstream.url}/base/`, protocol: 'openai' } },
    })
    for (const path of ['/v1/models', '/inner/v1/models', '//v1/models', '/inner'])
      await exchange(gateway.url, get(path))
    expect(upstream.seen.map(({ url }) => url)).toEqual([
      '/base/v1/models',
      '/base/v1/models',
      '/base//v1/models',
      '/base/inner',
    ])
  })
})

describe('a foreign name for this machine', () => {
  const ask = async (gateway: Served, head: string, host: string) => {
    const body = head.startsWith('POST') ? '{}' : ''
    const lines = [`${head} HTTP/1.1`, `Host: ${host}`, `Content-Length: ${body.length}`]
    const { received } = await exchange(gateway.url, [...lines, '', body].join('\r\n'))
    return received
  }

  test.each([
    'POST /v1/chat/completions',
    'GET /v1/models',
    'GET /unloop',
    'GET /metrics',
    'POST /guardrails/portkey',
  ])('is refused, and nothing passes: %s', async (head) => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url)
    const received = await ask(gateway, head, 'evil.example')
    expect(received).toMatch(/^HTTP\/1.1 421 /)
    expect(bodyOf(received)).toContain("'evil.example' is not a name of this gateway")
    expect(upstream.seen).toEqual([])
    expect(await ask(gateway, head, 'localhost:1')).not.toMatch(/^HTTP\/1.1 421 /)
    expect(await ask(gateway, 'GET /healthz', 'evil.example')).toMatch(/^HTTP\/1.1 200 /)
  })

  test('is refused a WebSocket, and the live page on a port of its own', async () => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url, { admin: { token: TOKEN, port: 0 } })
    const upgrade = [
      'GET /v1/realtime HTTP/1.1',
      'Host: evil.example',
      'Connection: Upgrade',
      'Upgrade: websocket',
    ]
    const { received } = await exchange(gateway.url, `${upgrade.join('\r\n')}\r\n\r\n`)
    expect(received).toMatch(/^HTTP\/1.1 421 /)
    const page = { ...gateway, url: new URL(gateway.pageUrl).origin }
    expect(await ask(page, 'GET /unloop', 'evil.example')).toMatch(/^HTTP\/1.1 421 /)
    expect(await ask(page, 'GET /unloop', 'localhost')).toMatch(/^HTTP\/1.1 200 /)
    expect(upstream.seen).toEqual([])
  })
})

describe('a path with dot segments is refused', () => {
  test.each(
    ['..', '.', '%2e%2e', '%2E.', '.%2e', '%2e'].flatMap((dots) => [
      `/openai/${dots}/tenant-b/v1/files`,
      `/${dots}/tenant-b/v1/files`,
      `/openai/v1/files/${dots}`,
      `/openai/v1/files/${dots}?after=1`,
      `/openai/v1\\${dots}\\tenant-b`,
      `/openai/v1%2f${dots}%2Ftenant-b`,
      `/openai/v1%5C${dots}%5ctenant-b`,
      `/openai/v1/${dots};a=b/tenant-b`,
    ]),
  )('%s', async (path) => {
    const upstream = await startRecorder()
    const gateway = await serve(`${upstream.url}/base/tenant-a`)
    const { received } = await exchange(gateway.url, post(path, { messages: [] }))
    expect(received).toMatch(/^HTTP\/1.1 404 /)
    expect(bodyOf(received)).toContain("a path must not have '.' or '..' between its slashes")
    const socket = await exchange(
      gateway.url,
      get(path, 'Connection: Upgrade', 'Upgrade: websocket'),
    )
    expect(socket.received).toMatch(/^HTTP\/1.1 404 /)
    expect(upstream.seen).toEqual([])
  })

  test.each([
    '/v1/files/a..b',
    '/v1/files/...',
    '/v1/files/.hidden',
    '/v1beta/models/gemini-2.5-pro',
    '/v1/files?path=/../x',
  ])('%s has none', async (path) => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url)
    await exchange(gateway.url, get(path))
    expect(upstream.seen.map(({ url }) => url)).toEqual([path])
  })
})

describe('the live page', () => {
  const CHOICE = JSON.stringify({ choice: 'stop' })
  let upstream: Awaited<ReturnType<typeof startProvider>>
  let gateway: Served
  let id: string

  beforeAll(async () => {
    upstream = await startProvider(() => ({ text: 'Done.' }))
    const { startGateway } = await import('@unloop/gateway')
    const started = await startGateway({
      listen: { port: 0 },
      admin: { token: TOKEN },
      upstreams: { openai: { url: upstream.url } },
      limits: { drainMs: 1 },
    })
    gateway = { ...started, log: [] }
    const agent = createAgent('openai-chat', 'Say hello', { session: 'page' })
    id = (await agent.ask(gateway.url)).session
  })
  afterAll(async () => {
    await gateway.close()
    await upstream.close()
  })

  const ask = (path: string, options: RequestInit = {}) =>
    fetch(`${gateway.url}/unloop${path}`, options)
  const choices = async () => {
    const headers = { authorization: `Bearer ${TOKEN}` }
    const { sessions } = (await (await ask('/api/sessions', { headers })).json()) as {
      sessions: { id: string; choices: unknown[]; state: string }[]
    }
    return sessions.find((session) => session.id === id)
  }
  const chooseWith = (headers: Record<string, string>, body = CHOICE) =>
    ask(`/api/sessions/${id}/choice`, { method: 'POST', headers, body })

  test.each<[string, Record<string, string>]>([
    ['no token', {}],
    ['an empty one', { authorization: 'Bearer ' }],
    ['a wrong one', { authorization: 'Bearer token-of-the-live-pagE' }],
    ['a part of it', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
    ['more than it', { authorization: `Bearer ${TOKEN}x` }],
    ['a long one', { authorization: `Bearer ${'x'.repeat(20_000)}` }],
    ['the token many times', { authorization: `Bearer ${TOKEN.repeat(100)}` }],
    ['another scheme', { authorization: `Basic ${TOKEN}` }],
    ['the bare token', { authorization: TOKEN }],
    ['a cookie', { cookie: `token=${TOKEN}` }],
    ['a header of another name', { 'x-token': TOKEN }],
  ])('%s opens nothing', async (_, headers) => {
    for (const path of ['/api/sessions', '/api/live', `/api/sessions?token=${TOKEN}`]) {
      const response = await ask(path, { headers })
      expect(response.status).toBe(401)
      expect(await response.text()).not.toContain(id)
    }
    const asked = { 'content-type': 'application/json', ...headers }
    expect((await chooseWith(asked)).status).toBe(401)
    expect(await choices()).toMatchObject({ state: 'working', choices: [] })
  })

  test('says nothing that lets another origin read or call it', async () => {
    const headers = { origin: 'https://evil.example', authorization: `Bearer ${TOKEN}` }
    const preflight = { 'access-control-request-method': 'POST', ...headers }
    const answers = [
      await ask('', { headers }),
      await ask('/api/sessions', { headers }),
      await ask('/api/sessions', { headers: { origin: 'null' } }),
      await ask(`/api/sessions/${id}/choice`, { method: 'OPTIONS', headers: preflight }),
      await fetch(`${gateway.url}/metrics`, { headers }),
      await fetch(`${gateway.url}/healthz`, { headers }),
    ]
    for (const { headers: given } of answers)
      expect([...given.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect(answers[3]?.ok).toBe(false)
  })

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
  ])('a form of another site is refused: %s', async (type) => {
    const authorization = `Bearer ${TOKEN}`
    const headers = { authorization, 'content-type': type }
    expect((await chooseWith(headers)).status).toBe(415)
    expect((await chooseWith({ 'content-type': type })).status).toBe(401)
    expect(await choices()).toMatchObject({ state: 'working', choices: [] })
  })

  test('nothing but POST changes anything', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const body = method === 'GET' || method === 'HEAD' ? {} : { body: CHOICE }
      const path = `/api/sessions/${id}/choice?choice=stop`
      expect((await ask(path, { method, headers, ...body })).status).toBe(404)
    }
    expect(await choices()).toMatchObject({ state: 'working', choices: [] })
  })

  test('a choice that is not one, or too long, is refused', async () => {
    const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' }
    for (const body of [
      '',
      'null',
      '[]',
      '{"choice":"delete"}',
      '{"choice":"stop","__proto__":{}}',
      '{"choice":"hint"}',
    ])
      expect([body, (await chooseWith(headers, body)).status]).toEqual([body, 400])
    const long = JSON.stringify({ choice: 'hint', text: 'x'.repeat(70_000) })
    expect([400, 413]).toContain((await chooseWith(headers, long)).status)
    const elsewhere = `/api/sessions/${encodeURIComponent('}nobody{')}/choice`
    expect((await ask(elsewhere, { method: 'POST', headers, body: CHOICE })).status).toBe(404)
    expect(await choices()).toMatchObject({ state: 'working', choices: [] })
  })

  test('runs no scripts but its own, and in no frame', async () => {
    for (const path of ['', '/page.js', '/page.css', '/api/sessions', '/nothing']) {
      const { headers } = await ask(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("script-src 'self'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("form-action 'none'")
      expect(policy).not.toContain('unsafe')
      expect(headers.get('x-frame-options')).toBe('DENY')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
    }
    expect(await (await ask('')).text()).not.toMatch(/<script>|<script [^>]*>[^<]|\son\w+=|style="/)
  })

  test('the token works, and the answer is kept by nobody', async () => {
    const headers = { authorization: `bearer ${TOKEN}` }
    const response = await ask('/api/sessions', { headers })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const stop = { 'content-type': 'application/json; charset=utf-8', ...headers }
    expect((await chooseWith(stop)).status).toBe(204)
    expect(await choices()).toMatchObject({ state: 'stopped', choices: [{ choice: 'stop' }] })
  })

  test('with a port of its own it is not on the port of the agents', async () => {
    const own = await serve(upstream.url, { admin: { port: 0, token: TOKEN } })
    const headers = { authorization: `Bearer ${TOKEN}` }
    const before = upstream.exchanges.length
    for (const path of ['/unloop', '/unloop/api/sessions', '/unloop/api/live', '/metrics'])
      expect((await fetch(`${own.url}${path}`, { headers })).status).toBe(404)
    expect(upstream.exchanges).toHaveLength(before)
    const { origin } = new URL(own.pageUrl)
    expect(origin).not.toBe(own.url)
    expect((await fetch(`${origin}/unloop/api/sessions`, { headers })).status).toBe(200)
    // and the other way round: this port is not a proxy
    const body = JSON.stringify({ model: 'm', messages: [] })
    const asked = await fetch(`${origin}/v1/chat/completions`, { method: 'POST', body })
    expect(asked.status).toBe(404)
    expect(upstream.exchanges).toHaveLength(before)
  })

  test('other spellings of its paths are not its paths, and need no token to fail', async () => {
    const recorder = await startRecorder()
    const own = await serve(recorder.url)
    for (const path of [
      '//unloop/api/sessions',
      '/./unloop/api/sessions',
      '/UNLOOP/api/sessions',
      '/unloop%2fapi/sessions',
    ])
      await exchange(own.url, get(path, `Authorization: Bearer ${TOKEN}x`))
    for (const { url } of recorder.seen) expect(url).not.toMatch(/^\/unloop\//)
    const { received } = await exchange(own.url, get('/unloop/../unloop/api/sessions'))
    expect(received).toMatch(/^HTTP\/1.1 4\d\d /)
    expect(received).not.toContain('"sessions"')
  })
})

describe('limits', () => {
  test('headers up to 64 KB pass, and longer ones are refused', async () => {
    const upstream = await startBareServer(({ socket }) => socket.write(answer('{}')))
    const gateway = await serve(upstream.url)
    const long = await exchange(gateway.url, get('/v1/models', `X-Long: ${'x'.repeat(60_000)}`))
    expect(long.received).toMatch(/^HTTP\/1.1 200 /)
    expect(upstream.received).toContain('x'.repeat(60_000))
    const before = upstream.received.length
    const longer = await exchange(gateway.url, get('/v1/models', `X-Long: ${'x'.repeat(70_000)}`))
    await longer.until('end')
    expect(longer.received).toMatch(/^HTTP\/1.1 431 /)
    const many = await exchange(gateway.url, get('/v1/models', ...Array(40_000).fill('a: b')))
    await many.until('end')
    expect(many.received).toMatch(/^HTTP\/1.1 431 /)
    const path = await exchange(gateway.url, get(`/${'x'.repeat(70_000)}`))
    await path.until('end')
    expect(path.received).toMatch(/^HTTP\/1.1 (431|414|400) /)
    expect(upstream.received).toHaveLength(before)
  })

  test('a head or a body that does not come to its end is given up', async () => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url, { limits: { headMs: 50, requestMs: 50 } })
    for (const start of [
      'GET /v1/models HTTP/1.1\r\nHost: gat',
      'POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{',
    ]) {
      const client = connectTo(gateway.url)
      client.write(start)
      await client.until('end')
      expect(client.received).toMatch(/^HTTP\/1.1 408 |^$/)
    }
    expect(upstream.seen).toEqual([])
  })

  test('no more connections are open than allowed', async () => {
    const upstream = await startBareServer(({ socket }) => socket.write(answer('{}')))
    const gateway = await serve(upstream.url, { limits: { connections: 1 } })
    const first = await exchange(gateway.url, get('/v1/models'))
    expect(first.received).toMatch(/^HTTP\/1.1 200 /)
    const second = connectTo(gateway.url)
    second.write(get('/v1/models'))
    await second.until('end')
    expect(second.received).toBe('')
  })

  const LIMIT = { limits: { bodyBytes: 100_000 } }
  const chat = (text: string) => JSON.stringify({ messages: [{ role: 'user', content: text }] })

  test('a body that is announced as too long is refused before it comes', async () => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url, LIMIT)
    const head = ['POST /v1/chat/completions HTTP/1.1', 'Host: localhost', 'Content-Length: 100001']
    const client = await exchange(gateway.url, `${head.join('\r\n')}\r\n\r\n`)
    await client.until('end')
    expect(client.received).toMatch(/^HTTP\/1.1 413 /)
    expect(client.received).toMatch(/^connection: close/im)
    expect(bodyOf(client.received)).toContain('the request is longer than 100000 bytes')
    expect(upstream.seen).toEqual([])
  })

  test('so is one that asks first', async () => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url, LIMIT)
    const head = ['POST /v1/chat/completions HTTP/1.1', 'Host: localhost', 'Expect: 100-continue']
    const client = await exchange(
      gateway.url,
      [...head, 'Content-Length: 100001', '', ''].join('\r\n'),
    )
    await client.until('end')
    expect(client.received).toMatch(/^HTTP\/1.1 413 /)
    expect(upstream.seen).toEqual([])
  })

  test('a body in chunks is refused as soon as it is too long', async () => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url, LIMIT)
    const client = connectTo(gateway.url)
    const head = ['POST /v1/chat/completions HTTP/1.1', 'Host: localhost']
    client.write(`${[...head, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`)
    client.write(chunk('x'.repeat(60_000)))
    client.write(chunk('x'.repeat(60_000)))
    await client.until('end')
    expect(client.received).toMatch(/^HTTP\/1.1 413 /)
    expect(upstream.seen).toEqual([])
  })

  test('a body of exactly the limit passes', async () => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url, LIMIT)
    const body = chat('x'.repeat(100_000 - chat('').length))
    const response = await fetch(`${gateway.url}/v1/chat/completions`, { method: 'POST', body })
    expect(response.status).toBe(200)
    expect(upstream.seen[0]?.body).toHaveLength(100_000)
  })

  test('a body of gzip that unpacks to little passes as it is, and is guarded', async () => {
    const upstream = await startRecorder()
    const gateway = await serve(upstream.url, LIMIT)
    const body = gzipSync(chat('hello'))
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-encoding': 'gzip' },
      body,
    })
    expect(response.headers.get('x-unloop-verdict')).toBe('go')
    expect(upstream.seen[0]?.headers['content-encoding']).toBe('gzip')
    expect(upstream.seen[0]?.body).toEqual(body)
  })

  test('an answer that unpacks to very much does not fill the memory', async () => {
    // 280 MB of spaces, in 280 KB
    const bomb = gzipSync(Buffer.alloc(280 * 2 ** 20, ' '))
    const upstream = await startRecorder((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(bomb)
    })
    const gateway = await serve(upstream.url)
    const before = process.memoryUsage.rss()
    const client = connectTo(gateway.url)
    client.write(post('/v1/chat/completions', { messages: [] }, 'Connection: close'))
    await client.until('end')
    expect(client.received.length).toBeGreaterThan(bomb.length)
    expect(process.memoryUsage.rss() - before).toBeLessThan(700 * 2 ** 20)
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
  })
})

describe('what is written down', () => {
  const KEYS = [
    'sk-openai-0123456789abcdef',
    'sk-ant-0123456789abcdef',
    'AIzaSy0123456789abcdef',
    'azure-0123456789abcdef',
  ]
  const PROMPT = 'the wording of my secret prompt'
  const OUTPUT = 'the output of my secret tool'
  const FORGED = '\n{"level":"info","event":"forged"}\r\n\u2028\u001b[31m\u0000\u0085'

  test.each([{ token: TOKEN }, {}])('the token of the live page is not: %j', async (admin) => {
    const gateway = await serve('http://127.0.0.1:1', { admin })
    const [page, token = ''] = gateway.pageUrl.split('#token=')
    expect(token.length).toBeGreaterThan(15)
    expect(JSON.parse(gateway.log[0] ?? '')).toMatchObject({ event: 'listening', page })
    expect(gateway.log.join('')).not.toContain(token)
  })

  test('lines stay lines, without keys, prompts, outputs of tools, and what others made up', async () => {
    const upstream = await startProvider(({ body }) =>
      JSON.stringify(body).includes('break off')
        ? { text: 'x'.repeat(500), fault: 'cut' }
        : { calls: [{ name: `read${FORGED}`, args: { path: 'a.txt' } }] },
    )
    onTestFinished(() => upstream.close())
    const gateway = await serve(upstream.url, {
      upstreams: {
        openai: { url: upstream.url },
        anthropic: { url: upstream.url },
        gone: { url: 'http://127.0.0.1:1' },
      },
    })
    const verdicts: string[] = []
    const named = { session: 'session\x85\xa0\t{"event":"forged"}' }
    for (const [protocol, key] of [
      ['openai-chat', KEYS[0]],
      ['openai-responses', KEYS[0]],
      ['anthropic', KEYS[1]],
    ] as const) {
      const agent = createAgent(protocol, PROMPT, {
        ...named,
        key: key ?? '',
        model: `gpt-5${FORGED}`,
        output: () => `${OUTPUT}${FORGED}`,
        agent: 'agent\x85\xa0{"event":"forged"}',
      })
      for (let round = 0; round < 8; round++) verdicts.push((await agent.ask(gateway.url)).verdict)
    }
    // it has something to say only if there were loops
    expect(verdicts).toContain('nudge')
    expect(verdicts).toContain('respond')
    const call = (path: string, headers: Record<string, string>, body: unknown) =>
      fetch(`${gateway.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
        .then((response) => response.text())
        .catch(String)
    const messages = [{ role: 'user', content: `${PROMPT}, break off` }]
    await call(`/gone/v1/models?key=${KEYS[2]}`, { 'x-goog-api-key': `${KEYS[2]}` }, { messages })
    await call('/v1/chat/completions', { 'api-key': `${KEYS[3]}` }, { stream: true, messages })
    await call(`/gone/v1/chat/completions?key=${KEYS[2]}%0a{"event":"forged"}`, {}, { messages })
    await call('/v1/chat/completions', { authorization: `Bearer ${KEYS[0]}` }, PROMPT)
    const metrics = await (await fetch(`${gateway.url}/metrics`)).text()
    const authorization = `Bearer ${TOKEN}`
    const live = await (
      await fetch(`${gateway.url}/unloop/api/sessions`, { headers: { authorization } })
    ).text()
    await gateway.close()

    const events = gateway.log.map((line) => {
      expect(line).toMatch(/^\{[^\p{Cc}\u2028]*\}\n$/u)
      return JSON.parse(line).event
    })
    expect(new Set(events)).toEqual(
      new Set(['listening', 'finding', 'upstream', 'draining', 'stopped']),
    )
    const written = gateway.log.join('')
    for (const secret of [...KEYS, PROMPT, OUTPUT, TOKEN, 'forged'])
      expect(written).not.toContain(secret)
    for (const secret of [...KEYS, PROMPT, OUTPUT, TOKEN]) expect(metrics).not.toContain(secret)
    for (const line of metrics.split('\n').filter(Boolean))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{(\w+="[^"\\]*",?)*\})? \S+)$/)
    for (const secret of [...KEYS, TOKEN]) expect(live).not.toContain(secret)
    expect(JSON.parse(live)).toMatchObject({ totals: { sessions: expect.any(Number) } })
  })

  test('a secret in the arguments of a call is not shown on the page', async () => {
    const secret = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD'
    const upstream = await startProvider(() => ({
      calls: [{ name: 'run', args: { command: `curl -H "Authorization: Bearer ${secret}" x` } }],
    }))
    onTestFinished(() => upstream.close())
    const gateway = await serve(upstream.url)
    const agent = createAgent('openai-chat', 'go', { session: 's' })
    for (let round = 0; round < 6; round++) await agent.ask(gateway.url)
    const headers = { authorization: `Bearer ${TOKEN}` }
    const live = await (await fetch(`${gateway.url}/unloop/api/sessions`, { headers })).text()
    expect(JSON.parse(live).sessions[0].findings.length).toBeGreaterThan(0)
    expect(live).not.toContain(secret)
    expect(gateway.log.join('')).not.toContain(secret)
  })
})

describe('an answer that is not well-formed harms nobody else', () => {
  const stream = (encoding: string) =>
    answer('data: {}\n\n', 'text/event-stream', `Content-Encoding: ${encoding}`)

  test.each<[string, string]>([
    ['a control character in the status', 'HTTP/1.1 200 O\x01K\r\nContent-Length: 2\r\n\r\n{}'],
    ['a status below all', 'HTTP/1.1 099 Low\r\nContent-Length: 2\r\n\r\n{}'],
    ['no status', 'HTTP/1.1 000 None\r\nContent-Length: 2\r\n\r\n{}'],
    ['a status beyond all', 'HTTP/1.1 1000 High\r\nContent-Length: 2\r\n\r\n{}'],
    [
      'an upgrade that nobody asked for',
      'HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nxyz',
    ],
    ['an encoding that is a property of objects', stream('constructor')],
    ['another one', stream('toString')],
    ['and the prototype', stream('__proto__')],
    ['a broken gzip', stream('gzip')],
    ['a broken br', stream('br')],
    ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}}'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n',
    ],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\nContent-Length: 2\r\n\r\n{}'],
    ['a null byte in a header', 'HTTP/1.1 200 OK\r\nX-A: a\0b\r\nContent-Length: 2\r\n\r\n{}'],
    ['headers without an end', `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(50_000)}\r\n{}`],
  ])('%s', async (_, bytes) => {
    const upstream = await startBareServer(({ socket }) => socket.write(bytes, 'latin1'))
    const gateway = await serve(upstream.url)
    const body = { model: 'm', messages: [{ role: 'user', content: 'hello' }] }
    for (const request of [post('/v1/chat/completions', body), get('/v1/models')]) {
      const client = connectTo(gateway.url)
      client.write(request)
      // an answer, or the end of the connection; what must not be is silence
      await client.until(/\r\n\r\n/)
    }
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
  })

  test('nothing comes of an answer after its end', async () => {
    const second = answer('{"poisoned":true}')
    const upstream = await startBareServer(({ socket }) => socket.write(answer('{}') + second))
    const gateway = await serve(upstream.url)
    for (let round = 0; round < 3; round++) {
      const { received } = await exchange(gateway.url, get('/v1/models', 'Connection: close'))
      expect(received).not.toContain('poisoned')
    }
  })

  test('a stream that we end ourselves has no length that is not its own', async () => {
    const event = (text: string) =>
      `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: text } }] })}\n\n`
    const events = event('I will read the file again. ').repeat(400)
    const upstream = await startBareServer(({ socket }) =>
      socket.write(answer(events, 'text/event-stream')),
    )
    const gateway = await serve(upstream.url)
    const body = { stream: true, messages: [{ role: 'user', content: 'go' }] }
    const response = await fetch(`${gateway.url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(10_000),
    })
    const text = await response.text()
    expect(text.length).toBeLessThan(events.length / 2)
    expect(text).toMatch(/data: \[DONE\]\n\n$/)
  })

  test('a chunk of a broken answer is not the answer', async () => {
    const upstream = await startBareServer(({ socket }) => {
      socket.write(chunkedHead('application/json') + chunk('{"a":'))
      socket.write('zz\r\n1}\r\n0\r\n\r\n')
    })
    const gateway = await serve(upstream.url)
    const client = await exchange(gateway.url, get('/v1/models'))
    await client.until('end')
    expect(client.received).not.toMatch(/\r\n0\r\n\r\n$/)
  })
})
