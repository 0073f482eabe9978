import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Running } from '../agents/lab.js'

/** A request and its answer, byte by byte as they passed. */
export interface Passed {
  method: string
  path: string
  headers: Header[]
  body: Buffer
  answer: {
    /** 0 if there was none */
    status: number
    headers: Header[]
    body: Buffer
  }
}

type Header = [name: string, value: string]

export interface Hop extends Running {
  passed: Passed[]
}

// what is between two neighbors only; and the length of a body, which the body itself tells
const OF_HOPS = new Set([
  ...['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'],
  ...['x-unloop-verdict', 'x-unloop-session'],
])

/** Starts a server that passes everything on as it comes, and keeps a copy. */
export async function startHop(target: string): Promise<Hop> {
  const passed: Passed[] = []
  const server = createServer((asked, response) => passOn(target, asked, response, passed))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    passed,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function passOn(
  target: string,
  asked: IncomingMessage,
  response: ServerResponse,
  passed: Passed[],
): void {
  const { method = '', url: path = '', rawHeaders } = asked
  const sentBody: Buffer[] = []
  const body: Buffer[] = []
  const answer = {
    status: 0,
    headers: [] as Header[],
    get body() {
      return Buffer.concat(body)
    },
  }
  passed.push({
    method,
    path,
    headers: toHeaders(rawHeaders),
    get body() {
      return Buffer.concat(sentBody)
    },
    answer,
  })
  // a connection for each request, so that none is used that is being closed
  const sent = request(target + path, { method, headers: rawHeaders, agent: false, setHost: false })
  asked.on('data', (chunk) => sentBody.push(chunk)).pipe(sent)
  sent.once('response', (message) => {
    answer.status = message.statusCode ?? 0
    answer.headers = toHeaders(message.rawHeaders)
    response.sendDate = false
    response.writeHead(answer.status, message.rawHeaders)
    response.flushHeaders()
    message.on('data', (chunk) => body.push(chunk)).pipe(response)
    message.once('error', () => response.destroy())
  })
  sent.once('error', () => response.destroy())
  response.once('close', () => sent.destroy())
}

const toHeaders = (raw: readonly string[]): Header[] =>
  raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? ''] as Header] : []))

/** What of a request and its answer is the same before and after a proxy that changes nothing. */
export const endToEnd = ({ method, path, headers, body, answer }: Passed) => ({
  method,
  path,
  headers: headers.filter(isEndToEnd),
  body: body.toString(),
  status: answer.status,
  answerHeaders: answer.headers.filter(isEndToEnd),
  answer: answer.body.toString(),
})

/** All of that; requests that are sent at the same time may change places on their way. */
export const wireOf = ({ passed }: Hop) =>
  passed.toSorted((a, b) => Buffer.compare(a.body, b.body)).map(endToEnd)

const isEndToEnd = ([name]: Header) => !OF_HOPS.has(name.toLowerCase())

/** A header of an answer. */
export const headerOf = ({ answer }: Passed, name: string): string | undefined =>
  answer.headers.find(([one]) => one.toLowerCase() === name)?.[1]
