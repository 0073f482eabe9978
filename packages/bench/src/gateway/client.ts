import { Agent, request } from 'node:http'
import type { Candidate } from './candidates.js'

/** How long one request took, and what came back. */
export interface Timed {
  /** until the last byte of the answer, and until the first byte of its body */
  ms: number
  firstMs: number
  verdict: string
  body: Buffer
}

export interface Client {
  send(body: Buffer, session?: string): Promise<Timed>
  close(): void
}

// nothing here takes longer than a second; a gateway that hangs must not hang the bench
const TIMEOUT_MS = 20_000

/** A client with one connection that stays open. */
export function createClient({ name, port, headers }: Candidate): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (body: Buffer, session?: string) =>
    new Promise<Timed>((resolve, reject) => {
      const fail = (why: unknown) => reject(new Error(`${name}: ${why}`))
      const options = {
        agent,
        host: '127.0.0.1',
        port,
        path: '/v1/chat/completions',
        method: 'POST',
        timeout: TIMEOUT_MS,
        headers: {
          ...headers,
          ...(session !== undefined && { 'x-unloop-session': session }),
          authorization: 'Bearer none',
          'content-type': 'application/json',
          'content-length': body.length,
        },
      }
      const start = process.hrtime.bigint()
      const passed = () => Number(process.hrtime.bigint() - start) / 1e6
      const outgoing = request(options, (response) => {
        const pieces: Buffer[] = []
        let firstMs = 0
        response.on('data', (piece) => {
          if (firstMs === 0) firstMs = passed()
          pieces.push(piece)
        })
        response.on('end', () => {
          const ms = passed()
          const body = Buffer.concat(pieces)
          if (response.statusCode !== 200) fail(`${response.statusCode} ${body.subarray(0, 300)}`)
          const verdict = `${response.headers['x-unloop-verdict'] ?? ''}`
          resolve({ ms, firstMs, verdict, body })
        })
        response.on('error', fail)
      })
      outgoing.on('error', fail)
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer')))
      outgoing.end(body)
    })
  return { send, close: () => agent.destroy() }
}
