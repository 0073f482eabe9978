import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Gateway, type GatewayOptions, startGateway } from '@unloop/gateway'
import { onTestFinished } from 'vitest'

export const TOKEN = 'token-of-the-live-page'

export interface Served extends Gateway {
  /** the lines of its log */
  log: string[]
}

/** Starts a gateway before an upstream, until the test is over. */
export async function serve(upstream: string, options: GatewayOptions = {}): Promise<Served> {
  const log: string[] = []
  const gateway = await startGateway(
    {
      // the name that tests write by hand
      listen: { port: 0, hosts: ['gateway'] },
      admin: { token: TOKEN },
      upstreams: { openai: { url: upstream } },
      ...options,
      limits: { drainMs: 1, ...options.limits },
    },
    (line) => log.push(line),
  )
  onTestFinished(() => gateway.close())
  return { ...gateway, log }
}

/** A request as a server understood it. */
export interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  rawHeaders: string[]
  body: Buffer
}

export interface Recorder {
  /** without a path */
  url: string
  seen: Seen[]
}

/** Starts a server that notes what it is asked, until the test is over. */
export async function startRecorder(
  reply: (response: ServerResponse, seen: Seen) => void = sayNothing,
): Promise<Recorder> {
  const seen: Seen[] = []
  const server = createServer((message, response) => {
    const chunks: Buffer[] = []
    message.on('data', (bytes) => chunks.push(bytes))
    message.on('end', () => {
      const { method = '', url = '', headers, rawHeaders } = message
      const one = { method, url, headers, rawHeaders, body: Buffer.concat(chunks) }
      seen.push(one)
      reply(response, one)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen }
}

function sayNothing(response: ServerResponse): void {
  response.setHeader('content-type', 'application/json')
  response.end('{}')
}
