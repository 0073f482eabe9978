import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Config } from '../config/config.js'
import { toUpstream } from './headers.js'
import { findRoute } from './route.js'
import type { Connections } from './upstreams.js'

/** Passes a WebSocket through, unread. */
export function passUpgrade(
  { upstreams, limits }: Config,
  connections: Connections,
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
): void {
  client.on('error', () => client.destroy())
  const route = findRoute(upstreams, request.url ?? '', request.headers)
  if (!route) return refuse(client, '404 Not Found')
  const { upstream, target } = route
  const { connection = 'Upgrade', upgrade = 'websocket' } = request.headers
  const sent = connections.send(upstream, {
    method: request.method ?? 'GET',
    target,
    headers: [
      ...toUpstream(request, upstream.url.host),
      'Connection',
      connection,
      'Upgrade',
      upgrade,
    ],
    connectMs: limits.connectMs,
    idleMs: limits.idleMs,
  })
  client.once('close', () => sent.destroy())
  sent.once('error', () => refuse(client, '502 Bad Gateway'))
  sent.once('response', (answer) => {
    // refused: the answer as it is, and then nothing more
    client.write(headOf(answer, false))
    answer.pipe(client)
  })
  sent.once('upgrade', (answer, provider, first) => {
    provider.setTimeout(0)
    provider.on('error', () => client.destroy())
    provider.once('close', () => client.destroy())
    client.once('close', () => provider.destroy())
    client.write(headOf(answer, true))
    if (first.length > 0) client.write(first)
    if (head.length > 0) provider.write(head)
    provider.pipe(client)
    client.pipe(provider)
  })
  sent.end()
}

function refuse(client: Duplex, status: string): void {
  client.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
}

/** The head of an answer, as it came; one that is not upgraded ends with its connection. */
function headOf({ statusCode, statusMessage, rawHeaders }: IncomingMessage, isUpgrade: boolean) {
  const lines = [`HTTP/1.1 ${statusCode} ${statusMessage}`]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (!isUpgrade && /^(connection|transfer-encoding|keep-alive)$/i.test(name)) continue
    lines.push(`${name}: ${rawHeaders[i + 1]}`)
  }
  if (!isUpgrade) lines.push('Connection: close')
  return `${lines.join('\r\n')}\r\n\r\n`
}
