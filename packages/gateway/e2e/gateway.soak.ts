import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { Agent as HttpAgent, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { gunzipSync, gzipSync } from 'node:zlib'
import { makeFolder } from '@unloop/testing'
import { afterAll, expect, it } from 'vitest'
import { createAgent } from '../test/agent.js'
import { answer, chunk, chunkedHead, startBareServer } from '../test/bare-http.js'
import { type GatewayProcess, type Running, startGatewayProcess, startRedis } from './processes.js'
import { startScenarios } from './scenarios.js'

const MINUTES = Number(process.env.UNLOOP_SOAK_MINUTES ?? 60)
const PER_SECOND = 200
const SESSIONS = 400
// what is kept by rights has to reach its limit before it counts what is not: as many sessions as come within seconds
const LIMITS = 'limits: { sessions: 1000 }'
// a hanging request is one that takes far longer than any of these
const PATIENCE_MS = 20_000

const running: (Running | { stop(): Promise<void> })[] = []
afterAll(async () => {
  await Promise.all(running.map((one) => one.stop()))
})

const say = (content: string) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
const WORDS = 'The quick brown fox jumps over the lazy dog and goes on to other things.'.split(' ')
const STREAM = [...WORDS.map((word) => say(`${word} `)), 'data: [DONE]\n\n']
const WHOLE = JSON.stringify({
  choices: [
    { index: 0, message: { role: 'assistant', content: WORDS.join(' ') }, finish_reason: 'stop' },
  ],
})
const EVENTS = 'text/event-stream'
const JSON_TYPE = 'application/json'
const status = (line: string, ...headers: string[]) => {
  const body = '{"error":{"message":"as scripted"}}'
  const lines = [`Content-Type: ${JSON_TYPE}`, ...headers, `Content-Length: ${body.length}`]
  return [`HTTP/1.1 ${line}`, ...lines, '', body].join('\r\n')
}
const packed = gzipSync(STREAM.join('')).toString('latin1')

/** What an upstream may do, well or badly, and how often. */
const BEHAVIORS: Record<string, [share: number, act: (socket: Socket) => void]> = {
  whole: [20, (socket) => socket.write(answer(WHOLE))],
  stream: [
    20,
    async (socket) => {
      socket.write(chunkedHead(EVENTS))
      for (const event of STREAM) {
        if (socket.destroyed) return
        socket.write(chunk(event))
        await wait(1)
      }
      socket.write('0\r\n\r\n')
    },
  ],
  packed: [5, (socket) => socket.write(answer(packed, EVENTS, 'Content-Encoding: gzip'), 'latin1')],
  'too many': [8, (socket) => socket.write(status('429 Too Many Requests', 'Retry-After: 3'))],
  broken: [8, (socket) => socket.write(status('500 Internal Server Error', 'x-request-id: r1'))],
  reset: [6, (socket) => socket.resetAndDestroy()],
  closed: [6, (socket) => socket.end()],
  'half a head': [3, (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Ty')],
  'half a stream': [8, (socket) => socket.end(chunkedHead(EVENTS) + chunk(STREAM[0] ?? ''))],
  'half a chunk': [4, (socket) => socket.end(`${chunkedHead(EVENTS)}${chunk(WHOLE).slice(0, 50)}`)],
  'half an answer': [6, (socket) => socket.end(answer(WHOLE).slice(0, -20))],
  'half a gzip': [
    2,
    (socket) =>
      socket.end(answer(packed, EVENTS, 'Content-Encoding: gzip').slice(0, -30), 'latin1'),
  ],
  nonsense: [4, (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n\r\n')],
}

/** What a client sees of an answer. */
interface Outcome {
  /** undefined if there was none */
  status?: number | undefined
  headers?: string
  body?: string
  isWhole: boolean
  isUnreadable?: boolean
  isHanging?: boolean
}

// what differs by rights: what is between neighbors, what is ours, and how a body is packed
const ASIDE =
  /^(connection|keep-alive|transfer-encoding|date|content-length|content-encoding|x-unloop-.*)$/i

const agent = new HttpAgent({ keepAlive: true, maxSockets: 256 })

/** Asks once, and gives what comes of it; it never fails, but may hang. */
function ask(url: string, behavior: string, session: string | undefined): Promise<Outcome> {
  return new Promise((resolve) => {
    const headers = {
      'content-type': JSON_TYPE,
      'x-behavior': behavior,
      ...(session !== undefined && { 'x-unloop-session': session }),
    }
    const options = { agent, method: 'POST', headers, timeout: PATIENCE_MS }
    const sent = request(`${url}/v1/chat/completions`, options, (response) => {
      const chunks: Buffer[] = []
      const over = (isWhole: boolean) => resolve(toOutcome(response, chunks, isWhole))
      response.on('data', (bytes) => chunks.push(bytes))
      response.on('end', () => over(response.complete))
      response.on('error', () => over(false))
    })
    let isHanging = false
    sent.on('timeout', () => {
      isHanging = true
      sent.destroy()
    })
    sent.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve({
        isWhole: false,
        ...(code?.startsWith('HPE') && { isUnreadable: true }),
        ...(isHanging && { isHanging }),
      }),
    )
    const messages = [{ role: 'user', content: `Do something, ${Math.random()}.` }]
    sent.end(JSON.stringify({ model: 'm', stream: true, messages }))
  })
}

function toOutcome(response: IncomingMessage, chunks: Buffer[], isWhole: boolean): Outcome {
  const { statusCode, rawHeaders, headers } = response
  const kept: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (!ASIDE.test(rawHeaders[at] ?? '')) kept.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`)
  const body = Buffer.concat(chunks)
  const isPacked = isWhole && headers['content-encoding'] === 'gzip'
  return {
    status: statusCode,
    headers: kept.join('\n'),
    // of what broke off, how much came is chance
    ...(isWhole && { body: (isPacked ? gunzipSync(body) : body).toString() }),
    isWhole,
  }
}

/** Whether what came through a gateway is what would have come without it. */
function isSame(direct: Outcome, seen: Outcome): boolean {
  if (JSON.stringify(direct) === JSON.stringify(seen)) return true
  // what cannot be read, the gateway says in its own words
  if (direct.isUnreadable) return seen.status === 502 && /unloop gateway/.test(seen.body ?? '')
  // the end of a connection can overtake the head of an answer
  return !direct.isWhole && !seen.isWhole && seen.status === undefined && !seen.isHanging
}

it(`${PER_SECOND} requests a second, of which many fail, for ${MINUTES} minutes`, {
  timeout: (MINUTES + 5) * 60_000,
}, async () => {
  const upstream = await startBareServer(({ socket }, asked) => {
    const [, act] = BEHAVIORS[/x-behavior: (.*)\r/i.exec(asked)?.[1] ?? ''] ?? []
    act?.(socket)
  })
  const folder = await makeFolder({ 'gateway.yaml': LIMITS })
  const config = join(folder.path, 'gateway.yaml')
  const scenarios = await startScenarios()
  running.push({ stop: folder.remove }, { stop: () => scenarios.close() })
  const targets: GatewayProcess[] = []
  async function start(...args: string[]) {
    const talking = ['--upstream', `talk=${scenarios.url}`]
    const gateway = await startGatewayProcess(upstream.url, ...talking, ...args)
    running.push(gateway)
    targets.push(gateway)
  }
  await start('--config', config)
  if (spawnSync('redis-server', ['--version']).status === 0) {
    const redis = await startRedis()
    running.push(redis)
    await start('--store', redis.url)
  }

  const direct = new Map<string, Outcome>()
  for (const behavior of Object.keys(BEHAVIORS))
    direct.set(behavior, await ask(upstream.url, behavior, undefined))
  const chances = Object.entries(BEHAVIORS).flatMap(([name, [share]]) => Array(share).fill(name))

  const open = new Set<Promise<void>>()
  const wrong: string[] = []
  const counts: Record<string, number> = {}
  const times: { behavior: string; ms: number }[] = []

  async function one(at: number): Promise<void> {
    const behavior: string = chances[Math.floor(Math.random() * chances.length)]
    const gateway = targets[at % targets.length] as GatewayProcess
    const session = Math.random() < 0.8 ? `session ${at % SESSIONS}` : undefined
    const from = performance.now()
    const seen = await ask(gateway.url, behavior, session)
    times.push({ behavior, ms: Math.round(performance.now() - from) })
    counts[behavior] = (counts[behavior] ?? 0) + 1
    const expected = direct.get(behavior) as Outcome
    if (!isSame(expected, seen))
      wrong.push(`${behavior}: ${JSON.stringify(expected)} became ${JSON.stringify(seen)}`)
  }

  /** An agent that gets stuck and is stopped, again and again. */
  async function talk({ url }: GatewayProcess, name: number): Promise<void> {
    for (let life = 0; performance.now() < end; life++) {
      const talker = createAgent('openai-chat', `go ${life}`, {
        model: 'stuck',
        session: `talker ${name}`,
        isStream: true,
      })
      const verdicts: string[] = []
      while (verdicts.length < 5) {
        const { verdict, status } = await talker.ask(`${url}/talk`)
        verdicts.push(status === 200 ? verdict : `${status}`)
        await wait(200)
      }
      if (!/go nudge respond$/.test(verdicts.join(' '))) wrong.push(`an agent: ${verdicts}`)
    }
  }

  const from = performance.now()
  const end = from + MINUTES * 60_000
  const warm = from + Math.min(MINUTES * 60_000 * 0.4, 120_000)
  const measure = () => Promise.all(targets.map(figuresOf))
  let base: Promise<Figures[]> | undefined
  let report = from + 60_000
  const talking = targets.flatMap((gateway) => [0, 1, 2].map((name) => talk(gateway, name)))
  for (let sent = 0; performance.now() < end; ) {
    const due = Math.floor(((performance.now() - from) / 1000) * PER_SECOND)
    for (; sent < due; sent++) {
      const asked = one(sent).finally(() => open.delete(asked))
      open.add(asked)
    }
    if (performance.now() > warm) base ??= measure()
    if (performance.now() > report) {
      report += 60_000
      const [requests, waiting] = [sent, open.size]
      void measure().then((figures) => console.log({ requests, waiting, figures }))
    }
    await wait(5)
  }
  await Promise.all([...open, ...talking])
  const [first, last] = [(await base) ?? [], await measure()]
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  times.sort((x, y) => x.ms - y.ms)
  const quantile = (part: number) => times[Math.floor(part * (times.length - 1))]?.ms ?? 0
  const slowest = quantile(1)
  const ms = { p50: quantile(0.5), p99: quantile(0.99), slowest }
  console.log({ total, ms, wrong: wrong.length, counts, first, last })

  expect(wrong.slice(0, 5)).toEqual([])
  expect(total).toBeGreaterThan(MINUTES * 60 * PER_SECOND * 0.9)
  expect(slowest).toBeLessThan(PATIENCE_MS)
  for (const [at, gateway] of targets.entries()) {
    expect(await gateway.metric('open_requests')).toBe(0)
    const [before, after] = [first[at] as Figures, last[at] as Figures]
    // in an hour that is 50 bytes a request; the guards of 1,000 conversations weigh now more, now less
    expect(after.heapMb - before.heapMb).toBeLessThan(16)
    expect(after.residentMb - before.residentMb).toBeLessThan(96)
    expect(after.files).toBeLessThan(before.files + 300)
  }
})

interface Figures {
  heapMb: number
  residentMb: number
  /** open files and connections */
  files: number
}

async function figuresOf(gateway: GatewayProcess): Promise<Figures> {
  const { heapMb, residentMb } = await gateway.memory()
  const files = readdirSync(`/proc/${gateway.child.pid}/fd`).length
  return { heapMb: Math.round(heapMb * 10) / 10, residentMb: Math.round(residentMb), files }
}
