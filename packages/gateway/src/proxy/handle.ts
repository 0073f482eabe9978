import {
  type ClientRequest,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Readable } from 'node:stream'
import { findProtocol } from 'unloop/wire'
import type { Admission, Hold } from '../body/admission.js'
import type { Breath } from '../body/breath.js'
import { encodingOf, encodings } from '../body/encodings.js'
import type { BodyReader } from '../body/read.js'
import type { Config } from '../config/config.js'
import { tapEvents, tapWhole } from '../guard/answer-tap.js'
import type { Begun, Guardian } from '../guard/guardian.js'
import { type Log, reasonOf } from '../operator/log.js'
import type { Metrics } from '../operator/metrics.js'
import { traced } from '../operator/traced.js'
import { ambiguityOf, framingOf, toClient, toUpstream } from './headers.js'
import { type Beginning, type Received, readBody, TooLarge } from './read-body.js'
import { relay, type Tap } from './relay.js'
import { findRoute, hasDotSegment, type Route } from './route.js'
import type { createSenders } from './senders.js'
import { type Connections, UpstreamTimeout } from './upstreams.js'

export interface Parts {
  config: Config
  connections: Connections
  admission: Admission
  breath: Breath
  bodies: BodyReader
  senders: ReturnType<typeof createSenders>
  guardian: Guardian
  metrics: Metrics
  log: Log
}

/** Answers one request: by its upstream, or in its place. Never fails. */
export async function handle(
  parts: Parts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { config, metrics, breath } = parts
  // many may come at once
  if (breath.isDue) await breath.take()
  if (response.destroyed) return
  const address = request.url ?? ''
  const route = findRoute(config.upstreams, address, request.headers)
  if (!route) return refuse(response, 404, noUpstream(config, address))
  const ambiguity = ambiguityOf(request)
  if (ambiguity) {
    response.setHeader('connection', 'close')
    return refuse(response, 400, `this request cannot be passed on: ${ambiguity}`)
  }
  const { upstream, path } = route
  const protocol = request.method === 'POST' ? findProtocol(path)?.name : undefined
  response.once('close', () => {
    const status = response.headersSent ? response.statusCode : 0
    metrics.requests.inc({ upstream: upstream.name, protocol: protocol ?? 'other', status })
  })
  if (!protocol || isOff(config)) return send(parts, route, request, response)
  const { bodyBytes, guardedBytes } = config.limits
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > guardedBytes && announced <= bodyBytes) {
    metrics.unguarded.inc({ reason: 'bytes' })
    return send(parts, route, request, response)
  }
  const hold = parts.admission.open()
  response.once('close', () => hold.give())
  let received: Received
  try {
    received = await readBody(request, config.limits, hold)
  } catch (error) {
    if (!(error instanceof TooLarge)) return void response.destroy()
    return refuseLong(response, bodyBytes)
  }
  if (received.type === 'whole')
    return answer(parts, route, protocol, request, response, received.body, hold)
  metrics.unguarded.inc({ reason: received.reason })
  return send(parts, route, request, response, { ...received, hold })
}

/** Answers a request whose body is there. */
async function answer(
  parts: Parts,
  route: Route,
  protocol: string,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  hold: Hold,
): Promise<void> {
  if (parts.breath.isDue) await parts.breath.take()
  if (response.destroyed) return
  const begun = await begin(parts, route, protocol, request, response, body, hold)
  if (response.destroyed) return begun?.listener.lose()
  if (begun?.answer) {
    await begun.ready
    const { status, type, body } = begun.answer
    response.writeHead(status, {
      'content-type': type,
      'content-length': Buffer.byteLength(body),
      ...(status >= 400 && { 'x-should-retry': 'false' }),
      ...ownHeaders(begun),
    })
    return void response.end(body)
  }
  const isChanged = begun?.bytes !== undefined
  const sending = { type: 'whole', body: begun?.bytes ?? body, isChanged, begun, hold } as const
  return send(parts, route, request, response, sending)
}

const isOff = ({ actions, rules }: Config) =>
  actions === undefined && !rules.some((rule) => rule.actions?.value)

/** Guards a request, and counts what became of that. */
async function begin(
  parts: Parts,
  route: Route,
  protocol: string,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  hold: Hold,
): Promise<Begun | undefined> {
  const { metrics } = parts
  const from = performance.now()
  const begun = await traced(route.upstream.name, protocol, response, () =>
    guard(parts, route, request, body, hold),
  )
  metrics.overhead.observe((performance.now() - from) / 1000)
  if (begun) metrics.outcomes.inc({ outcome: begun.verdict })
  return begun
}

async function guard(
  { bodies, senders, guardian, metrics }: Parts,
  { upstream, path, target }: Route,
  request: IncomingMessage,
  body: Buffer,
  hold: Hold,
): Promise<Begun | undefined> {
  const { headers } = request
  const asked = { upstream: upstream.name, path, address: target, headers }
  const read = await bodies(
    body,
    hold,
    senders.lineOf(request, target),
    encodingOf(headers['content-encoding']),
  )
  if ('reason' in read) return void metrics.unguarded.inc({ reason: read.reason })
  const begun = await guardian.begin({ ...asked, read })
  const isUnguarded = !begun || 'reason' in begun
  // what the provider gets in its place is as long at most
  if (isUnguarded || (!begun.forget && !begun.bytes)) hold.give(read.size)
  if (!isUnguarded) {
    if (begun.forget) hold.letGo = toLetGo(hold, begun.forget)
    return begun
  }
  if (begun) metrics.unguarded.inc({ reason: begun.reason })
}

const toLetGo = (hold: Hold, forget: () => void) => () => {
  forget()
  hold.give()
}

const ownHeaders = ({ id, verdict }: Begun) => ({
  'x-unloop-verdict': verdict,
  'x-unloop-session': id,
})

interface Sending {
  type: 'whole'
  body: Buffer
  isChanged: boolean
  begun: Begun | undefined
  hold: Hold
}

/** Sends a request to its upstream and passes the answer on. Without `sending`, the body passes as it comes. */
function send(
  { config, connections, senders, breath, metrics, log }: Parts,
  route: Route,
  request: IncomingMessage,
  response: ServerResponse,
  sending?: Sending | (Beginning & { hold: Hold }),
): Promise<void> {
  const { upstream, target } = route
  const { connectMs, idleMs, bodyBytes } = config.limits
  const whole = sending?.type === 'whole' ? sending : undefined
  const begun = whole?.begun
  const framing = whole ? ['Content-Length', `${whole.body.length}`] : framingOf(request)
  const headers = toUpstream(request, upstream.url.host, framing)
  const from = performance.now()
  const sent = connections.send(upstream, {
    method: request.method ?? 'GET',
    target,
    headers: whole?.isChanged ? withoutEncoding(headers) : headers,
    connectMs,
    idleMs,
  })
  const begunBytes = sending?.type === 'beginning' ? lengthOf(sending) : undefined
  if (sending?.type === 'whole') endWith(sent, sending)
  else {
    if (sending) beginWith(sent, sending, sending.hold)
    request.pipe(sent)
  }

  return new Promise((resolve) => {
    const abort = () => sent.destroy()
    response.once('close', abort)
    const fail = (error: NodeJS.ErrnoException) => {
      resolve()
      sent.destroy()
      if (response.headersSent) return
      begun?.listener.lose()
      log.error('upstream', { upstream: upstream.name, reason: reasonOf(error) })
      // a connection that was reset is passed on as that: clients know what to do about it
      if (error.code === 'ECONNRESET' || response.destroyed) return void response.destroy()
      const [status, what] = troubleOf(error)
      refuse(response, status, `${upstream.name} ${what}: ${reasonOf(error)}`)
    }
    sent.once('error', fail)
    sent.once('upgrade', (_, socket) => {
      socket.destroy()
      fail(new Error('another protocol'))
    })
    if (begunBytes !== undefined)
      limitRest(request, begunBytes, bodyBytes, () => {
        refuseLong(response, bodyBytes)
        fail(new TooLarge())
      })
    sent.once('response', (answer) => {
      metrics.upstream.observe((performance.now() - from) / 1000)
      if (isGood(answer)) senders.accept(request, route)
      try {
        const { tap, source, dropped } = begun ? listen(answer, begun, breath) : UNHEARD
        const kept = toClient(answer, (name) => dropped?.has(name) ?? false)
        if (begun) kept.push(...Object.entries(ownHeaders(begun)).flat())
        response.sendDate = false
        response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', kept)
        response.off('close', abort)
        // an answer in one piece goes out with its head
        if (!isWhole(answer)) response.flushHeaders()
        void relay(sent, answer, response, tap, source).then(resolve)
      } catch (error) {
        // a head that Node reads, but does not write
        fail(error as Error)
      }
    })
  })
}

// What is sent is not held any longer once it is on its way; it must not be known inside of `send`, whose listeners would keep it.

function endWith(sent: ClientRequest, { body, begun, hold }: Sending): void {
  const isKept = begun?.forget !== undefined
  sent.end(body, () => !isKept && hold.give())
}

function beginWith(sent: ClientRequest, { chunks }: Beginning, hold: Hold): void {
  for (const chunk of chunks) sent.write(chunk, () => hold.give(chunk.length))
}

const lengthOf = ({ chunks }: Beginning) => chunks.reduce((sum, { length }) => sum + length, 0)

/** Watches how long a body gets that is as long already. */
function limitRest(
  request: IncomingMessage,
  length: number,
  most: number,
  exceed: () => void,
): void {
  request.on('data', (chunk: Buffer) => {
    length += chunk.length
    if (length <= most) return
    request.unpipe()
    request.pause()
    exceed()
  })
}

function withoutEncoding(headers: string[]): string[] {
  const at = headers.findIndex(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'content-encoding',
  )
  return at < 0 ? headers : headers.toSpliced(at, 2)
}

interface Heard {
  tap?: Tap
  source?: Readable
  /** headers that are not true any more */
  dropped?: ReadonlySet<string>
}

const UNHEARD: Heard = {}
// an answer that may be cut has no length yet
const OF_EVENTS = new Set(['content-length'])
const OF_DECODED = new Set(['content-length', 'content-encoding'])

const isWhole = ({ headers }: IncomingMessage) => headers['content-length'] !== undefined

const isGood = ({ statusCode = 0 }: IncomingMessage) => statusCode >= 200 && statusCode <= 299

/** How an answer is listened to: events while they pass, anything else when it is complete. */
function listen(
  answer: IncomingMessage,
  { reader, listener, isHeld }: Begun,
  breath: Breath,
): Heard {
  const { headers } = answer
  if (!isGood(answer)) {
    listener.lose()
    return UNHEARD
  }
  const encoding = encodingOf(headers['content-encoding'])
  if (!headers['content-type']?.includes('event-stream'))
    return { tap: tapWhole(reader, listener, encoding, isHeld, breath) }
  const tap = tapEvents(reader, listener, isHeld)
  if (encoding === undefined) return { tap, dropped: OF_EVENTS }
  const decoder = encodings.get(encoding)?.stream()
  // what cannot be decoded passes unheard; the next request tells what it said
  if (!decoder) return { tap: tapWhole(reader, listener, encoding, false, breath) }
  answer.once('error', (error) => decoder.destroy(error))
  return { tap, source: answer.pipe(decoder), dropped: OF_DECODED }
}

/** What went wrong with an upstream: the status for it, and words. */
function troubleOf(error: NodeJS.ErrnoException): [number, string] {
  if (error instanceof UpstreamTimeout) return [504, 'did not answer in time']
  // the codes of failing to connect are those of the system; others are of an answer that cannot be read
  const isUnreachable = error.syscall !== undefined
  return [502, isUnreachable ? 'cannot be reached' : 'gave an answer that cannot be passed on']
}

function refuseLong(response: ServerResponse, most: number): void {
  if (!response.headersSent) response.setHeader('connection', 'close')
  refuse(response, 413, `the request is longer than ${most} bytes`)
}

/** Answers in words of our own. */
export function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.headersSent || response.destroyed) return void response.destroy()
  const body = JSON.stringify({ error: { message: `unloop gateway: ${message}`, type: 'gateway' } })
  response.writeHead(status, STATUS_CODES[status], {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

function noUpstream({ upstreams }: Config, address: string): string {
  if (!address.startsWith('/')) return 'this is not an open proxy: the address must be a path'
  if (hasDotSegment(address)) return "a path must not have '.' or '..' between its slashes"
  return `no upstream for this path; name one with /${upstreams.map(({ name }) => name).join('/…, /')}/…`
}
