import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { startProvider } from '@unloop/testing'
import { describe, expect, onTestFinished, test } from 'vitest'
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
  isClosed,
  type Peer,
  post,
  startBareServer,
} from './bare-http.js'
import { serve, startRecorder, TOKEN } from './serve.js'

const CHAT = '/v1/chat/completions'
const ASKED = { model: 'm', stream: true, messages: [{ role: 'user', content: 'hello' }] }
const EVENTS = 'text/event-stream'

/** An event of a stream that says something. */
const say = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`

/** Each way of an answer through the gateway: listened to while it comes, listened to at its end, and not listened to. */
const WAYS: [string, string, string][] = [
  ['a guarded stream', post(CHAT, ASKED), EVENTS],
  ['a guarded answer', post(CHAT, ASKED), 'application/json'],
  ['an answer to anything else', get('/v1/models'), 'application/json'],
]

describe.each(WAYS)('%s', (_, request, type) => {
  test('comes piece by piece', async () => {
    const upstream = await startBareServer(({ socket }) =>
      socket.write(chunkedHead(type) + chunk(say('one'))),
    )
    const gateway = await serve(upstream.url)
    const client = connectTo(gateway.url)
    client.write(request)
    // the second piece does not exist before the first has arrived
    await client.until(/one/)
    const { socket } = await upstream.peer(0)
    socket.write(chunk(say('two')))
    await client.until(/two/)
    expect(client.received).not.toContain('three')
    socket.write(`${chunk(say('three'))}0\r\n\r\n`)
    await client.until(/\r\n0\r\n\r\n$/)
    expect(bodyOf(client.received)).toBe(
      `${chunk(say('one'))}${chunk(say('two'))}${chunk(say('three'))}0\r\n\r\n`,
    )
  })

  test('waits for a client that does not read', async () => {
    const total = 96 * 2 ** 20
    // comments, so that what counts here is how bytes pass
    const piece = `: ${'x'.repeat(65_533)}\n`
    let written = 0
    let isOver = false
    const upstream = await startBareServer(async ({ socket }) => {
      socket.write(chunkedHead(type))
      for (; written < total && !socket.destroyed; written += piece.length) {
        if (!socket.write(chunk(piece))) await once(socket, 'drain').catch(() => {})
      }
      isOver = true
      socket.write('0\r\n\r\n')
    })
    const gateway = await serve(upstream.url)
    const client = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    onTestFinished(() => void client.destroy())
    client.pause()
    client.write(request)
    await standsStill(() => written)
    expect(isOver).toBe(false)
    // what is on its way is in the buffers of the system, some MB for each of four sockets
    expect(written).toBeGreaterThan(0)
    expect(written).toBeLessThan(48 * 2 ** 20)
    let read = 0
    let tail = ''
    client.on('data', (bytes: Buffer) => {
      read += bytes.length
      tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - 7))).slice(-7)
      if (tail === '\r\n0\r\n\r\n') client.destroy()
    })
    client.resume()
    await once(client, 'close')
    expect(read).toBeGreaterThan(total)
  })

  test('ends at the upstream when the client goes away', async () => {
    const upstream = await startBareServer(({ socket }) =>
      socket.write(chunkedHead(type) + chunk(say('one'))),
    )
    const gateway = await serve(upstream.url)
    const client = connectTo(gateway.url)
    client.write(request)
    await client.until(/one/)
    const { socket } = await upstream.peer(0)
    client.socket.destroy()
    await isClosed(socket)
  })

  test('is not waited for when the client went away before it began', async () => {
    const upstream = await startBareServer(({ socket }) => socket.emit('asked'))
    const gateway = await serve(upstream.url)
    const client = connectTo(gateway.url)
    client.write(request)
    const { socket, read } = await upstream.peer(0)
    if (read === 0) await once(socket, 'asked')
    client.socket.destroy()
    await isClosed(socket)
  })

  const whole = say('one').repeat(3)
  const packed = gzipSync(whole).toString('latin1')

  test.each<[string, (peer: Peer) => void]>([
    ['a reset before it', ({ socket }) => socket.resetAndDestroy()],
    ['the end of the connection before it', ({ socket }) => socket.end()],
    ['the end within its head', ({ socket }) => socket.end('HTTP/1.1 200 OK\r\nContent-')],
    [
      'a reset within it',
      async ({ socket }) => {
        socket.write(answer(whole, type).slice(0, -20))
        // what is on its way when a connection is reset may be lost
        await standsStill(() => socket.bytesWritten)
        socket.resetAndDestroy()
      },
    ],
    [
      'a length that it does not have',
      ({ socket }) => socket.end(answer(whole, type).slice(0, -20)),
    ],
    ['no last chunk', ({ socket }) => socket.end(chunkedHead(type) + chunk(whole))],
    ['half a chunk', ({ socket }) => socket.end(chunkedHead(type) + chunk(whole).slice(0, -20))],
    [
      'a chunk that is none',
      ({ socket }) => socket.write(`${chunkedHead(type)}${chunk(whole)}zz\r\nx\r\n`),
    ],
    [
      'half a gzip',
      ({ socket }) =>
        socket.end(
          chunkedHead(type, 'Content-Encoding: gzip') + chunk(packed.slice(0, -12)),
          'latin1',
        ),
    ],
    [
      'half a gzip of its length',
      ({ socket }) =>
        socket.end(answer(packed, type, 'Content-Encoding: gzip').slice(0, -12), 'latin1'),
    ],
  ])('breaks off like its upstream: %s', async (_, breakOff) => {
    const upstream = await startBareServer(breakOff)
    const gateway = await serve(upstream.url)
    const client = connectTo(gateway.url)
    client.write(request)
    await client.until('end')
    expect(isComplete(client.received)).toBe(false)
    expect(client.received).not.toMatch(/\[DONE\]|finish_reason/)
    // and whoever comes next is served
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
  })

  test.each<[string, (peer: Peer) => void]>([
    ['no HTTP at all', ({ socket }) => socket.end('SSH-2.0-OpenSSH_9.6\r\n\r\n')],
    ['noise', ({ socket }) => socket.end('\0\xff\x16\x03\x01\r\n\r\n', 'latin1')],
    ['a page before its head', ({ socket }) => socket.end('<html></html>\r\n\r\n')],
  ])('is an error if its upstream speaks nonsense: %s', async (_, speak) => {
    const upstream = await startBareServer(speak)
    const gateway = await serve(upstream.url)
    const client = await exchange(gateway.url, request)
    if (client.received === '') expect(client.end).toBeDefined()
    else expect(client.received).toMatch(/^HTTP\/1.1 502 /)
    expect(client.received).not.toContain('<html>')
  })

  test('an error of the provider passes as it is', async () => {
    const lines = [
      'Content-Type: application/json',
      'retry-after: 7',
      'X-RateLimit-Remaining: 0',
      'x-request-id: req_1',
      'x-should-retry: true',
    ]
    const body = '{ "error" : {"message":"slow down"}}'
    const errors = [
      '429 Too Many Requests',
      '500 Internal Server Error',
      '529 Overloaded',
      '400 No',
    ]
    const upstream = await startBareServer(({ socket }, asked) => {
      const at = Number(/x-case: (\d)/i.exec(asked)?.[1])
      socket.write(
        [`HTTP/1.1 ${errors[at]}`, ...lines, `Content-Length: ${body.length}`, '', body].join(
          '\r\n',
        ),
      )
    })
    const gateway = await serve(upstream.url)
    for (const [at, status] of errors.entries()) {
      const client = connectTo(gateway.url)
      client.write(request.replace('\r\n', `\r\nX-Case: ${at}\r\n`))
      await client.until(/slow down"\}\}/)
      const [first, ...rest] = headOf(client.received)
      expect(first).toBe(`HTTP/1.1 ${status}`)
      const own = /^(x-unloop-|connection:|keep-alive:)/i
      expect(rest.filter((line) => !own.test(line))).toEqual([
        ...lines,
        `Content-Length: ${body.length}`,
      ])
      expect(bodyOf(client.received)).toBe(body)
    }
  })
})

/** Waits until a number does not change any more. */
async function standsStill(read: () => number): Promise<void> {
  let last = -1
  for (let same = 0, tries = 0; same < 10; tries++) {
    if (tries > 1000) throw new Error(`it still changes: ${last}`)
    const now = read()
    same = now === last && now > 0 ? same + 1 : 0
    last = now
    await wait(20)
  }
}

/** Whether what was received is a whole answer, as its own framing has it. */
function isComplete(received: string): boolean {
  const head = headOf(received).join('\n')
  if (!received.includes('\r\n\r\n')) return false
  if (/^transfer-encoding: chunked/im.test(head)) return received.endsWith('\r\n0\r\n\r\n')
  const length = /^content-length: (\d+)/im.exec(head)?.[1]
  return length === undefined || bodyOf(received).length >= Number(length)
}

test('answers without a body have none', async () => {
  const upstream = await startBareServer(({ socket }, asked) =>
    socket.write(
      asked.startsWith('HEAD')
        ? 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1234\r\nETag: "a"\r\n\r\n'
        : asked.includes('/304')
          ? 'HTTP/1.1 304 Not Modified\r\nETag: "a"\r\n\r\n'
          : 'HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n',
    ),
  )
  const gateway = await serve(upstream.url)
  const client = connectTo(gateway.url)
  // on one connection, so that a body where none belongs would be in the way of the next answer
  client.write('HEAD /v1/models HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await client.until(/\r\n\r\n$/)
  client.write(get('/304', 'If-None-Match: "a"'))
  await client.until(/304[\s\S]*\r\n\r\n$/)
  client.write('DELETE /v1/files/1 HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await client.until(/204[\s\S]*\r\n\r\n$/)
  client.write(post(CHAT, ASKED, 'Connection: close'))
  await client.until('end')
  const answers = client.received.split('\r\n\r\n')
  expect(answers.map((text) => text.split('\r\n', 1)[0])).toEqual([
    'HTTP/1.1 200 OK',
    'HTTP/1.1 304 Not Modified',
    'HTTP/1.1 204 No Content',
    'HTTP/1.1 204 No Content',
    '',
  ])
  expect(answers[0]).toContain('Content-Length: 1234')
  expect(answers[1]).toContain('ETag: "a"')
  expect(answers[2]).toContain('X-A: b')
})

test('who asks whether to go on is told so, and the body arrives', async () => {
  const upstream = await startRecorder()
  const gateway = await serve(upstream.url)
  for (const path of [CHAT, '/v1/files']) {
    const client = connectTo(gateway.url)
    const text = JSON.stringify(ASKED)
    client.write(
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: ${text.length}\r\n\r\n`,
    )
    await client.until(/\r\n\r\n/)
    expect(client.received).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    client.write(text)
    await client.until(/200 OK[\s\S]*\{\}$/)
    expect(upstream.seen.at(-1)?.body.toString()).toBe(text)
    expect(upstream.seen.at(-1)?.headers.expect).toBeUndefined()
  }
})

test('a body passes as it comes where nothing is guarded', async () => {
  const upstream = await startBareServer(() => {})
  const gateway = await serve(upstream.url)
  const client = connectTo(gateway.url)
  client.write('POST /v1/files HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n')
  client.write(chunk('one'))
  const { socket, ...peer } = await upstream.peer(0)
  expect(peer.read).toBe(0)
  while (!upstream.received.includes('one')) await once(socket, 'data')
  client.write(`${chunk('two')}0\r\n\r\n`)
  while (!upstream.received.includes('0\r\n\r\n')) await once(socket, 'data')
  expect(bodyOf(upstream.received)).toBe(`${chunk('one')}${chunk('two')}0\r\n\r\n`)
  socket.write(answer('{}'))
  await client.until(/\{\}$/)
})

test('an upstream that answers and goes before it has read the body does no harm', async () => {
  const upstream = await startBareServer(() => {})
  const gateway = await serve(upstream.url)
  for (let round = 0; round < 5; round++) {
    const client = connectTo(gateway.url)
    client.write('POST /v1/files HTTP/1.1\r\nHost: localhost\r\nContent-Length: 8000000\r\n\r\n')
    client.write('x'.repeat(100_000))
    const { socket } = await upstream.peer(round)
    if (round % 2 === 0) socket.end('HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\n{}')
    else socket.resetAndDestroy()
    client.write('x'.repeat(4_000_000))
    await client.until(round % 2 === 0 ? /401 No[\s\S]*\{\}/ : 'end')
    client.write('x'.repeat(1_000_000))
  }
  expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200)
})

// 100 MB may pass; what is longer than 32 MB is not guarded
const LONG_MB = process.env.UNLOOP_SOAK === '1' ? 90 : 34

test(`${LONG_MB} MB pass, and are the same bytes`, async () => {
  const upstream = await startRecorder()
  const gateway = await serve(upstream.url)
  const content = 'all work and no play '.repeat((LONG_MB * 2 ** 20) / 21)
  const body = Buffer.from(JSON.stringify({ messages: [{ role: 'user', content }] }))
  const options = { method: 'POST', body }
  const response = await fetch(`${gateway.url}${CHAT}`, options)
  expect(response.status).toBe(200)
  // longer than what is guarded
  expect(response.headers.get('x-unloop-verdict')).toBe(null)
  const files = await fetch(`${gateway.url}/v1/files`, options)
  expect(files.status).toBe(200)
  const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(upstream.seen.map((one) => hash(one.body))).toEqual([hash(body), hash(body)])
})

describe.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
  ['deflate', deflateSync],
])('an answer of %s', (encoding, pack) => {
  const headers = (type: string) => ({ 'content-type': type, 'content-encoding': encoding })

  test('arrives, and is guarded: JSON', async () => {
    let turn = 0
    const upstream = await startRecorder((response) => {
      const id = `call_${turn++}`
      const call = { id, type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }
      const message = { role: 'assistant', content: 'Grüße', tool_calls: [call] }
      response.writeHead(200, headers('application/json'))
      response.end(
        pack(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] })),
      )
    })
    const gateway = await serve(upstream.url)
    const agent = createAgent('openai-chat', 'read a', { session: 's' })
    const verdicts: string[] = []
    for (let round = 0; round < 6; round++) {
      const { verdict, answer } = await agent.ask(gateway.url)
      verdicts.push(verdict)
      if (verdict === 'go') expect(answer.choices[0].message.content).toBe('Grüße')
    }
    expect(verdicts).toContain('nudge')
    expect(verdicts.at(-1)).toBe('respond')
  })

  test('keeps its bytes if it is JSON', async () => {
    const body = pack('{"choices":[]}')
    const upstream = await startRecorder((response) => {
      response.writeHead(200, headers('application/json'))
      response.end(body)
    })
    const gateway = await serve(upstream.url)
    const client = connectTo(gateway.url)
    client.write(post(CHAT, ASKED, 'Connection: close'))
    await client.until('end')
    expect(client.received).toMatch(new RegExp(`^content-encoding: ${encoding}`, 'im'))
    expect(client.received).toContain(body.toString('latin1'))
  })

  test('arrives, and is guarded: a stream', async () => {
    const words = 'The quick brown fox jumps over the lazy dog, and so on — größer.'
    const upstream = await startRecorder((response, { body }) => {
      response.writeHead(200, headers(EVENTS))
      const events = String(body).includes('chant')
        ? say('I will read the file again. ').repeat(400)
        : words
            .split(' ')
            .map((word) => say(`${word} `))
            .join('')
      response.end(pack(`${events}data: [DONE]\n\n`))
    })
    const gateway = await serve(upstream.url)
    const ask = async (content: string) => {
      const body = JSON.stringify({ stream: true, messages: [{ role: 'user', content }] })
      return (await fetch(`${gateway.url}${CHAT}`, { method: 'POST', body })).text()
    }
    const text = await ask('hello')
    const spoken = [...text.matchAll(/"content":"(.*?)"/g)].map(([, piece]) => piece).join('')
    expect(spoken).toBe(`${words} `)
    expect(text).toMatch(/data: \[DONE\]\n\n$/)
    const chant = await ask('chant')
    expect(chant.length).toBeLessThan(20_000)
    expect(chant).toMatch(/"finish_reason":"stop"[\s\S]*data: \[DONE\]\n\n$/)
  })

  test('comes piece by piece', async () => {
    const { createGzip, createBrotliCompress, createDeflate, constants } = await import('node:zlib')
    const packers = { gzip: createGzip, br: createBrotliCompress, deflate: createDeflate }
    const packer = packers[encoding as keyof typeof packers]()
    const flush = encoding === 'br' ? constants.BROTLI_OPERATION_FLUSH : constants.Z_SYNC_FLUSH
    const write = (text: string) => {
      packer.write(text)
      packer.flush(flush)
    }
    const upstream = await startRecorder((response) => {
      response.writeHead(200, headers(EVENTS))
      packer.pipe(response)
      write(say('one'))
    })
    const gateway = await serve(upstream.url)
    const client = connectTo(gateway.url)
    client.write(post(CHAT, ASKED))
    await client.until(/one/)
    write(say('two'))
    await client.until(/two/)
    packer.end()
    await client.until(/\r\n0\r\n\r\n$/)
  })
})

describe('a WebSocket', () => {
  const ASK = get(
    '/v1/realtime?model=m',
    'Connection: keep-alive, Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Key: a2V5',
    'Authorization: Bearer k',
  )
  const YES =
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: yes\r\n\r\n'

  test('passes in both directions, byte by byte', async () => {
    const upstream = await startBareServer(({ socket }) => socket.write(`${YES}first`))
    const gateway = await serve(upstream.url)
    const client = connectTo(gateway.url)
    // the frame that comes with the request must not be lost
    client.write(`${ASK}\x81\x02hi`)
    await client.until(/first$/)
    expect(headOf(client.received)[0]).toBe('HTTP/1.1 101 Switching Protocols')
    expect(headOf(client.received)).toContain('Sec-WebSocket-Accept: yes')
    const { socket } = await upstream.peer(0)
    const heard = async (text: string) => {
      while (!upstream.received.includes(text)) await once(socket, 'data')
    }
    await heard('\x81\x02hi')
    const head = headOf(upstream.received)
    expect(head[0]).toBe('GET /v1/realtime?model=m HTTP/1.1')
    expect(head).toContain('Sec-WebSocket-Key: a2V5')
    expect(head).toContain('Authorization: Bearer k')
    expect(head.filter((line) => /^(connection|upgrade):/i.test(line)).join()).toMatch(
      /Connection: .*Upgrade,Upgrade: websocket/i,
    )
    for (let round = 0; round < 20; round++) {
      client.write(`\0\xffping ${round};`)
      await heard(`\0\xffping ${round};`)
      socket.write(`\0\xfepong ${round};`, 'latin1')
      await client.until(new RegExp(`\\0\xfepong ${round};`))
    }
  })

  test('ends when either side ends it', async () => {
    const upstream = await startBareServer(({ socket }) => socket.write(YES))
    const gateway = await serve(upstream.url)
    const first = await exchange(gateway.url, ASK)
    const { socket } = await upstream.peer(0)
    first.socket.destroy()
    await isClosed(socket)
    const second = await exchange(gateway.url, ASK)
    const other = await upstream.peer(1)
    other.socket.destroy()
    await second.until('end')
  })

  test('that is refused gets the answer as it is', async () => {
    const no =
      'HTTP/1.1 401 No\r\nContent-Type: application/json\r\nX-A: b\r\nContent-Length: 14\r\n\r\n{"error":"no"}'
    const upstream = await startBareServer(({ socket }) => socket.write(no))
    const gateway = await serve(upstream.url)
    const client = await exchange(gateway.url, ASK)
    await client.until('end')
    expect(headOf(client.received).slice(0, 3)).toEqual([
      'HTTP/1.1 401 No',
      'Content-Type: application/json',
      'X-A: b',
    ])
    expect(bodyOf(client.received)).toBe('{"error":"no"}')
  })

  test('that is refused with half an answer ends', async () => {
    const upstream = await startBareServer(({ socket }) =>
      socket.end('HTTP/1.1 401 No\r\nContent-Length: 100\r\n\r\nhalf'),
    )
    const gateway = await serve(upstream.url)
    const client = await exchange(gateway.url, ASK)
    await client.until('end')
    expect(isComplete(client.received)).toBe(false)
  })

  test('that is refused gets nothing else', async () => {
    const upstream = await startBareServer(({ socket }) =>
      socket.write('HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\n{} and more'),
    )
    const gateway = await serve(upstream.url)
    const client = await exchange(gateway.url, ASK)
    await client.until('end')
    expect(bodyOf(client.received)).toMatch(/^(\{\})?$/)
  })

  test('without an upstream is told so', async () => {
    const gateway = await serve('http://127.0.0.1:1')
    const client = await exchange(gateway.url, ASK)
    await client.until('end')
    expect(client.received).toMatch(/^HTTP\/1.1 502 /)
  })
})

describe('what has no answer', () => {
  test('a path without an upstream: 404, with what would have one', async () => {
    const gateway = await serve('http://127.0.0.1:1', {
      upstreams: {
        anthropic: { url: 'http://127.0.0.1:1' },
        gemini: { url: 'http://127.0.0.1:1' },
      },
    })
    const response = await fetch(`${gateway.url}/v1/models`)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({
      error: {
        message: 'unloop gateway: no upstream for this path; name one with /anthropic/…, /gemini/…',
        type: 'gateway',
      },
    })
  })

  test('nobody listens: 502', async () => {
    const gateway = await serve('http://127.0.0.1:1')
    for (const method of ['GET', 'POST']) {
      const response = await fetch(`${gateway.url}${CHAT}`, {
        method,
        ...(method === 'POST' && { body: JSON.stringify(ASKED) }),
      })
      expect(response.status).toBe(502)
      const message = 'unloop gateway: openai cannot be reached: ECONNREFUSED'
      expect(await response.json()).toEqual({ error: { message, type: 'gateway' } })
    }
  })

  test('silence: 504, and the upstream is let go', async () => {
    const upstream = await startBareServer(() => {})
    const gateway = await serve(upstream.url, { limits: { idleMs: 150 } })
    const response = await fetch(`${gateway.url}${CHAT}`, {
      method: 'POST',
      body: JSON.stringify(ASKED),
    })
    expect(response.status).toBe(504)
    expect(JSON.stringify(await response.json())).toContain('openai did not answer in time')
    const { socket } = await upstream.peer(0)
    await isClosed(socket)
  })

  test('silence within an answer breaks it off', async () => {
    const upstream = await startBareServer(({ socket }) =>
      socket.write(chunkedHead(EVENTS) + chunk(say('one'))),
    )
    const gateway = await serve(upstream.url, { limits: { idleMs: 150 } })
    const client = connectTo(gateway.url)
    client.write(post(CHAT, ASKED))
    await client.until('end')
    expect(client.received).toContain('one')
    expect(isComplete(client.received)).toBe(false)
  })

  test('a connection that was kept and is closed meanwhile is not noticed', async () => {
    const upstream = await startBareServer(({ socket }) => socket.end(answer('{}')))
    const gateway = await serve(upstream.url)
    for (let round = 0; round < 30; round++)
      expect((await fetch(`${gateway.url}/v1/models`)).status).toBe(200)
  })
})

const PROGRAM = fileURLToPath(new URL('../../cli/bin/unloop.js', import.meta.url))
const configured = (file: string) => ['--config', fileURLToPath(new URL(file, import.meta.url))]
const SHORT_DRAIN = configured('short-drain.yaml')
const LONG_DRAIN = configured('long-drain.yaml')

describe('SIGTERM', () => {
  async function start(upstream: string, ...args: string[]) {
    const child = spawn(
      process.execPath,
      [PROGRAM, 'gateway', '--port', '0', '--upstream', `openai=${upstream}`, ...args],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
        env: { ...process.env, UNLOOP_GATEWAY_TOKEN: TOKEN },
      },
    )
    const exit = once(child, 'exit')
    onTestFinished(() => void child.kill('SIGKILL'))
    const events: string[] = []
    const lines = createInterface(child.stdout)
    let url = ''
    lines.on('line', (line) => {
      const said = JSON.parse(line)
      events.push(said.event)
      url ||= said.url ?? ''
    })
    while (url === '') await once(lines, 'line')
    return { child, exit, url, events, lines }
  }

  // with LONG_DRAIN, whatever waits for something that will not come exceeds the time of the test
  async function endOf(child: ChildProcess, exit: Promise<unknown[]>): Promise<unknown> {
    return child.exitCode ?? (await exit)[0]
  }

  test('lets a stream come to its end, takes nobody new, and ends with 0 soon after', async () => {
    const upstream = await startBareServer(({ socket }) =>
      socket.write(chunkedHead(EVENTS) + chunk(say('one'))),
    )
    const { child, exit, url, events, lines } = await start(upstream.url, ...LONG_DRAIN)
    const idle = await exchange(url, get('/healthz'))
    const client = connectTo(url)
    client.write(post(CHAT, ASKED))
    await client.until(/one/)
    child.kill('SIGTERM')
    while (!events.includes('draining')) await once(lines, 'line')
    // connections without a request are closed at once
    await idle.until('end')
    const late = connectTo(url)
    await late.until('end')
    expect(late.received).toBe('')
    const { socket } = await upstream.peer(0)
    socket.write(chunk(say('two')))
    await client.until(/two/)
    expect(child.exitCode).toBe(null)
    socket.write(`${chunk('data: [DONE]\n\n')}0\r\n\r\n`)
    await client.until(/\r\n0\r\n\r\n$/)
    expect(isComplete(client.received)).toBe(true)
    expect(await endOf(child, exit)).toBe(0)
    expect(events.slice(-2)).toEqual(['draining', 'stopped'])
  })

  test('does not wait for the live page, and for a WebSocket no longer than said', async () => {
    const upstream = await startBareServer(({ socket }) =>
      socket.write('HTTP/1.1 101 Yes\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    )
    const page = await start(upstream.url, ...LONG_DRAIN)
    const headers = { authorization: `Bearer ${TOKEN}` }
    const live = await fetch(`${page.url}/unloop/api/live`, { headers })
    const reader = live.body?.getReader()
    await reader?.read()
    page.child.kill('SIGTERM')
    expect(await endOf(page.child, page.exit)).toBe(0)

    const { child, exit, url } = await start(upstream.url, ...SHORT_DRAIN)
    const client = await exchange(
      url,
      get('/v1/realtime', 'Connection: Upgrade', 'Upgrade: websocket'),
    )
    expect(client.received).toMatch(/^HTTP\/1.1 101 /)
    child.kill('SIGTERM')
    expect(await endOf(child, exit)).toBe(0)
    await client.until('end')
  })

  test('breaks off what takes longer than said, and ends with 0', async () => {
    const upstream = await startBareServer(({ socket }) =>
      socket.write(chunkedHead(EVENTS) + chunk(say('one'))),
    )
    const { child, exit, url } = await start(upstream.url, ...SHORT_DRAIN)
    const client = connectTo(url)
    client.write(post(CHAT, ASKED))
    await client.until(/one/)
    child.kill('SIGTERM')
    expect(await endOf(child, exit)).toBe(0)
    await client.until('end')
    expect(isComplete(client.received)).toBe(false)
  })
})

test.each([
  ['with a name', { 'x-unloop-session': 's' }],
  ['without one', {}],
])(
  'what an answer said that nobody can unpack, the next request tells: a session %s',
  async (_, headers) => {
    let turn = 0
    const upstream = await startBareServer(({ socket }) => {
      const called = { name: 'read', arguments: '{"path":"a"}' }
      const tool_calls = [{ id: `call_${turn++}`, type: 'function', function: called }]
      const message = { role: 'assistant', content: null, tool_calls }
      const choices = [{ index: 0, message, finish_reason: 'tool_calls' }]
      socket.write(
        answer(JSON.stringify({ choices }), 'application/json', 'Content-Encoding: zstd'),
      )
    })
    const gateway = await serve(upstream.url)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const tools = [{ type: 'function', function: { name: 'read', parameters: {} } }]
    const messages: { role: string; tool_calls?: { id: string }[] }[] = [
      Object.assign({ role: 'user' }, { content: 'read a' }),
    ]
    const verdicts: (string | undefined)[] = []
    for (let round = 0; round < 6; round++) {
      const client = connectTo(gateway.url)
      client.write(post(CHAT, { messages, tools }, 'Connection: close', ...lines))
      const received = await client.until('end')
      verdicts.push(/x-unloop-verdict: (\w+)/.exec(received)?.[1])
      const { message } = JSON.parse(bodyOf(received)).choices[0]
      messages.push(message)
      for (const { id } of message.tool_calls ?? [])
        messages.push(Object.assign({ role: 'tool' }, { tool_call_id: id, content: 'nothing' }))
    }
    expect([verdicts[0], verdicts.at(-1)]).toEqual(['go', 'respond'])
  },
)

test('loops of real streams are found whatever the pieces are', async () => {
  const upstream = await startProvider(() => ({
    calls: [{ name: 'read', args: { path: 'a' } }],
    pauseMs: 0,
  }))
  onTestFinished(() => upstream.close())
  const gateway = await serve(upstream.url)
  for (const protocol of ['openai-chat', 'openai-responses', 'anthropic'] as const) {
    const agent = createAgent(protocol, 'read a', { session: protocol })
    const verdicts: string[] = []
    for (let round = 0; round < 6; round++) verdicts.push((await agent.ask(gateway.url)).verdict)
    expect([protocol, verdicts[0], verdicts.at(-1)]).toEqual([protocol, 'go', 'respond'])
  }
})
