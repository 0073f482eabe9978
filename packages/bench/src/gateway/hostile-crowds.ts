// Requests of which each is harmless, and all of them together are not.
import { once } from 'node:events'
import { request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

/** What somebody sends who wants to keep a gateway busy with many requests. */
export interface HostileCrowd {
  name: string
  sentBytes: number
  /** Sends all of it; gives what became of that. */
  send(port: number): Promise<string>
}

const MB = 2 ** 20
const CHAT = '/v1/chat/completions'

const manyValues = gzipSync(
  JSON.stringify({
    messages: [{ role: 'user', content: 'x' }],
    metadata: Array.from({ length: 99_000 }, () => ({})),
  }),
  { level: 9 },
)

const PACKED = 400
const UNFINISHED = 20
const UNFINISHED_MB = 31
const PIPELINED = 2000
const one = headOf('Content-Length: 44', '{"messages":[{"role":"user","content":"x"}]}')

export const hostileCrowds: HostileCrowd[] = [
  {
    name: `${PACKED} small packed bodies at once`,
    sentBytes: PACKED * manyValues.length,
    async send(port) {
      const statuses = await Promise.all(Array.from({ length: PACKED }, (_, n) => post(port, n)))
      return [...new Set(statuses)].join()
    },
  },
  {
    name: `${UNFINISHED} bodies of ${UNFINISHED_MB} MB, unfinished`,
    sentBytes: UNFINISHED * UNFINISHED_MB * MB,
    async send(port) {
      const piece = Buffer.alloc(MB, 'a')
      const start = headOf(`Content-Length: ${(UNFINISHED_MB + 1) * MB}`)
      const write = async () => {
        const client = connect(port, '127.0.0.1').on('error', () => {})
        const end = closed(client)
        client.write(start)
        for (let sent = 0; sent < UNFINISHED_MB && !client.destroyed; sent++)
          if (!client.write(piece)) await Promise.race([once(client, 'drain'), end])
        return client
      }
      const clients = await Promise.all(Array.from({ length: UNFINISHED }, write))
      await wait(HELD_MS)
      for (const client of clients) client.destroy()
      return 'none'
    },
  },
  {
    name: `${PIPELINED} pipelined requests`,
    sentBytes: PIPELINED * one.length,
    async send(port) {
      const client = connect(port, '127.0.0.1').on('error', () => {})
      let received = ''
      client.on('data', (bytes) => {
        received += bytes.toString('latin1')
      })
      client.write(one.repeat(PIPELINED))
      await Promise.race([closed(client), wait(ENOUGH_MS)])
      client.destroy()
      return [...new Set(received.match(/(?<=HTTP\/1.1 )\d+/g))].join()
    },
  },
]

// as long as bodies that never end are left open
const HELD_MS = 2000
const ENOUGH_MS = 20_000

function headOf(length: string, body = ''): string {
  const lines = [`POST ${CHAT} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json']
  return [...lines, length, '', body].join('\r\n')
}

const closed = (socket: ReturnType<typeof connect>) =>
  new Promise<void>((resolve) => void socket.once('close', () => resolve()))

/** Sends the packed body with a key of its own. */
function post(port: number, key: number): Promise<string> {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'content-length': manyValues.length,
    }
    const options = { agent: false, host: '127.0.0.1', port, path: CHAT, method: 'POST', headers }
    const sent = request(options, (response) => {
      response.once('end', () => resolve(`${response.statusCode}`)).resume()
    })
    sent.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    sent.end(manyValues)
  })
}
