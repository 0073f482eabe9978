// The provider behind all gateways, in its own process. It answers at once, or streams 50 tokens a second.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { DONE, jsonAnswer, PACE_MS, PACED_MODEL, STREAM_CHUNKS, streamEvents } from './answers.js'
import { wantedCall } from './history.js'

// several answers in turn, so that a gateway cannot live on what it saw last
const ANSWERS = Array.from({ length: 8 }, (_, seed) => streamEvents(seed))
const FRAMES = ANSWERS.map((events) => events.map(frameOf))
const EVENT_STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }
let asked = 0

const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece) => pieces.push(piece))
  request.on('end', () =>
    answer(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces), response),
  )
})
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
process.on('disconnect', () => {
  server.close()
  server.closeAllConnections()
})

function answer(body: Buffer, response: ServerResponse): void {
  if (!body.includes('"stream":true')) {
    const text = jsonAnswer(wantedCall(body))
    const length = Buffer.byteLength(text)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': length })
    response.end(text)
    return
  }
  const number = asked++ % ANSWERS.length
  const events = ANSWERS[number] as Buffer[]
  response.writeHead(200, EVENT_STREAM)
  if (body.includes(PACED_MODEL)) streamPaced(events, tokensOf(body), response)
  else streamAtOnce(FRAMES[number] as Buffer[], response)
}

/**
 * Each event is a write of its own. The frames go past `response.write`, which would join those of one turn and takes longer
 * than some gateways: what the upstream costs, they lack.
 */
function streamAtOnce(frames: readonly Buffer[], response: ServerResponse): void {
  const { socket } = response
  response.flushHeaders()
  let at = 0
  const next = () => {
    const frame = frames[at++]
    if (socket === null || socket.destroyed) return
    if (frame === undefined) response.end(DONE)
    else {
      socket.write(frame)
      setImmediate(next)
    }
  }
  next()
}

function streamPaced(events: readonly Buffer[], tokens: number, response: ServerResponse): void {
  let at = 0
  const next = () => {
    if (at < tokens && !response.destroyed) {
      response.write(events[at++ % events.length])
      return
    }
    clearInterval(timer)
    response.end(DONE)
  }
  const timer = setInterval(next, PACE_MS)
  next()
}

function tokensOf(body: Buffer): number {
  const at = body.indexOf('"max_tokens":')
  return at < 0 ? STREAM_CHUNKS : Number.parseInt(body.toString('latin1', at + 13, at + 20), 10)
}

/** An event as a chunk of an HTTP answer. */
function frameOf(event: Buffer): Buffer {
  return Buffer.concat([
    Buffer.from(`${event.length.toString(16)}\r\n`),
    event,
    Buffer.from('\r\n'),
  ])
}
