import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { onTestFinished } from 'vitest'

// HTTP as bytes, for what no well-behaved client or server would say.

/** A connection of a server of bytes. */
export interface Peer {
  socket: Socket
  /** all bytes that came, one character each */
  received: string
  /** how many of them were requests that have been answered */
  read: number
}

export interface BareServer {
  /** without a path */
  url: string
  port: number
  peers: Peer[]
  /** what came on all connections */
  readonly received: string
  /** The n-th connection, 0 being the first. */
  peer(at: number): Promise<Peer>
}

/** Starts a server that writes bytes, until the test is over. `answer` is called for each request that has come as a whole. */
export async function startBareServer(
  answer: (peer: Peer, request: string) => void,
): Promise<BareServer> {
  const peers: Peer[] = []
  const server = createServer((socket) => {
    const peer: Peer = { socket, received: '', read: 0 }
    peers.push(peer)
    socket.on('error', () => {})
    socket.on('data', (bytes) => {
      peer.received += bytes.toString('latin1')
      for (let to = endOfRequest(peer); to > 0; to = endOfRequest(peer)) {
        const request = peer.received.slice(peer.read, to)
        peer.read = to
        answer(peer, request)
      }
    })
    server.emit('peer')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    for (const { socket } of peers) socket.destroy()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    peers,
    get received() {
      return peers.map((peer) => peer.received).join('')
    },
    async peer(at) {
      for (;;) {
        const found = peers[at]
        if (found) return found
        await once(server, 'peer')
      }
    },
  }
}

/** Where the next request ends; 0 if it has not come as a whole. */
function endOfRequest({ received, read }: Peer): number {
  const end = received.indexOf('\r\n\r\n', read) + 4
  if (end < 4) return 0
  const head = received.slice(read, end)
  if (/^transfer-encoding: chunked/im.test(head)) {
    const last = received.indexOf('0\r\n\r\n', end)
    return last < 0 ? 0 : last + 5
  }
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0)
  return received.length < end + length ? 0 : end + length
}

export interface BareClient {
  socket: Socket
  /** all bytes that came, one character each */
  readonly received: string
  /** how the connection ended; undefined while it is open */
  readonly end: 'closed' | 'reset' | undefined
  write(bytes: string): void
  /** Waits for bytes that match, or for the end of the connection; fails if neither comes in time. */
  until(pattern: RegExp | 'end'): Promise<string>
}

// far longer than anything takes here, and shorter than a test
const PATIENCE_MS = 10_000

/** Connects to a server, until the test is over. */
export function connectTo(url: string): BareClient {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let received = ''
  let end: BareClient['end']
  socket.setNoDelay(true)
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1')
    socket.emit('heard')
  })
  socket.on('error', () => {
    end ??= 'reset'
  })
  socket.on('end', () => {
    end ??= 'closed'
  })
  socket.on('close', () => {
    end ??= 'closed'
    socket.emit('heard')
  })
  onTestFinished(() => void socket.destroy())
  return {
    socket,
    get received() {
      return received
    },
    get end() {
      return end
    },
    write: (bytes) => void socket.write(bytes, 'latin1'),
    async until(pattern) {
      const isThere = () => end !== undefined || (pattern !== 'end' && pattern.test(received))
      const from = performance.now()
      while (!isThere()) {
        const left = PATIENCE_MS - (performance.now() - from)
        if (left <= 0)
          throw new Error(`waited for ${pattern}, got ${JSON.stringify(received.slice(-500))}`)
        await Promise.race([
          new Promise((resolve) => socket.once('heard', resolve)),
          wait(left, undefined, { ref: false }),
        ])
      }
      return received
    },
  }
}

/** Waits until a connection is over; fails if that does not come in time. */
export async function isClosed(socket: Socket): Promise<void> {
  if (!socket.closed) await once(socket, 'close', { signal: AbortSignal.timeout(PATIENCE_MS) })
}

/** Sends bytes, and gives what comes back until the answer's head is there or the connection ends. */
export async function exchange(url: string, bytes: string): Promise<BareClient> {
  const client = connectTo(url)
  client.write(bytes)
  await client.until(/\r\n\r\n/)
  return client
}

/** The status line and the headers of an answer, as they are written. */
export const headOf = (received: string): string[] =>
  (received.split('\r\n\r\n', 1)[0] ?? '').split('\r\n')

/** What comes after the head. */
export const bodyOf = (received: string): string => received.slice(received.indexOf('\r\n\r\n') + 4)

/** A request with a body of JSON. */
export function post(path: string, body: unknown, ...headers: string[]): string {
  const text = Buffer.from(JSON.stringify(body)).toString('latin1')
  return [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${text.length}`,
    ...headers,
    '',
    text,
  ].join('\r\n')
}

/** A request without a body. */
export const get = (path: string, ...headers: string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n')

/** A complete answer. */
export const answer = (body: string, type = 'application/json', ...headers: string[]): string =>
  [
    'HTTP/1.1 200 OK',
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    ...headers,
    '',
    body,
  ].join('\r\n')

/** A piece of an answer or a request whose length nobody knows. */
export const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`

/** How such an answer begins. */
export const chunkedHead = (type: string, ...headers: string[]): string =>
  [
    'HTTP/1.1 200 OK',
    `Content-Type: ${type}`,
    'Transfer-Encoding: chunked',
    ...headers,
    '',
    '',
  ].join('\r\n')
