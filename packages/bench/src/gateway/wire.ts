// A client for load: what it costs, the gateways lack, as they share the machine. It reads just enough of an answer to
// know where it ends.
import { connect } from 'node:net'

/** What came back, and how it ended: the last bytes of a stream tell whether it is complete. */
export interface Reply {
  status: number
  /** what the guard made of the request */
  verdict: string
  bytes: number
  tail: Buffer
  ms: number
}

export interface Wire {
  /** One request at a time. */
  send(message: Buffer): Promise<Reply>
  close(): void
}

const END_OF_HEAD = Buffer.from('\r\n\r\n')
const END_OF_CHUNKS = Buffer.from('0\r\n\r\n')
// longer than the last event of a stream with its framing
const TAIL = 64

export function openWire(port: number): Promise<Wire> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    onread: {
      // one buffer for all that is read: what is kept of it is copied
      buffer: Buffer.allocUnsafe(65_536),
      callback: (length, buffer) => {
        read((buffer as Buffer).subarray(0, length))
        return true
      },
    },
  })
  let current:
    | { resolve(reply: Reply): void; reject(error: Error): void; start: number }
    | undefined
  let head: Buffer = Buffer.alloc(0)
  let status = 0
  let verdict = ''
  let bytes = 0
  /** bytes still to come, or -1 if the answer ends with an empty chunk */
  let left = 0
  let tail: Buffer = Buffer.alloc(0)

  const finish = () => {
    const { resolve, start } = current ?? {}
    current = undefined
    const reply = { status, verdict, bytes, tail, ms: performance.now() - (start ?? 0) }
    head = tail = Buffer.alloc(0)
    status = bytes = 0
    resolve?.(reply)
  }
  const readBody = (piece: Buffer) => {
    bytes += piece.length
    if (left >= 0) {
      left -= piece.length
      if (left <= 0) finish()
      return
    }
    const rest = piece.length >= TAIL ? piece : Buffer.concat([tail, piece])
    tail = Buffer.from(rest.subarray(-TAIL))
    if (tail.subarray(-END_OF_CHUNKS.length).equals(END_OF_CHUNKS)) finish()
  }
  const read = (piece: Buffer) => {
    if (status > 0) return readBody(piece)
    head = Buffer.concat([head, piece])
    const end = head.indexOf(END_OF_HEAD)
    if (end < 0) return
    const text = head.toString('latin1', 0, end)
    status = Number(text.slice(9, 12))
    verdict = /x-unloop-verdict: (\S+)/i.exec(text)?.[1] ?? ''
    const length = /content-length: (\d+)/i.exec(text)?.[1]
    left = length === undefined ? -1 : Number(length)
    readBody(head.subarray(end + END_OF_HEAD.length))
  }
  socket.on('error', (error) => current?.reject(error))
  socket.on('close', () => current?.reject(new Error('the connection was closed')))

  const wire: Wire = {
    send: (message) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed) return reject(new Error('the connection was closed'))
        current = { resolve, reject, start: performance.now() }
        socket.write(message)
      }),
    close: () => void socket.destroy(),
  }
  return new Promise((resolve, reject) => {
    socket.once('error', reject)
    socket.once('connect', () => resolve(wire))
  })
}

/** A request as it goes over the wire. */
export function message(body: Buffer, headers: Record<string, string>): Buffer {
  const all = {
    host: '127.0.0.1',
    authorization: 'Bearer none',
    'content-type': 'application/json',
    'content-length': `${body.length}`,
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([
    Buffer.from(`POST /v1/chat/completions HTTP/1.1\r\n${lines.join('')}\r\n`),
    body,
  ])
}
