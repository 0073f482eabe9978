import type { IncomingMessage } from 'node:http'
import { type Duplex, pipeline } from 'node:stream'
import type { Config } from '../config/config.js'
import { ambiguityOf, framingOf, toUpstream } from './headers.js'
import { findRoute } from './route.js'
import type { Connections } from './upstreams.js'

/** Passes a WebSocket through, unread; `open` are those that are. */
export function passUpgrade(
  open: Set<Duplex>,
  { upstreams, limits }: Config,
  connections: Connections,
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
): void {
  open.add(client)
  client.once('close', () => open.delete(client))
  client.on('error', () => client.destroy())
  const route = findRoute(upstreams, request.url ?? '', request.headers)
  if (!isWebSocket(request)) return refuseUpgrade(client, '400 Bad Request')
  if (!route) return refuseUpgrade(client, '404 Not Found')
  const { upstream, target } = route
  const sent = connections.send(upstream, {
    method: request.method ?? 'GET',
    target,
    headers: toUpstream(request, upstream.url.host, [
      'Connection',
      'Upgrade',
      'Upgrade',
      'websocket',
    ]),
    connectMs: limits.connectMs,
    idleMs: limits.idleMs,
  })
  let isAnswered = false
  client.once('close', () => sent.destroy())
  sent.once('error', () =>
    isAnswered ? client.destroy() : refuseUpgrade(client, '502 Bad Gateway'),
  )
  sent.once('response', (answer) => {
    isAnswered = true
    // refused: the answer as it is, and then nothing more
    client.write(headOf(answer, false))
    pipeline(answer, client, () => client.destroy())
  })
  sent.once('upgrade', (answer, provider, first) => {
    isAnswered = true
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

/** Anything else that asks for another protocol would pass a body or a request unread. */
const isWebSocket = (request: IncomingMessage): boolean =>
  request.method === 'GET' &&
  request.headers.upgrade?.toLowerCase() === 'websocket' &&
  framingOf(request).length === 0 &&
  ambiguityOf(request) === undefined

/** Ends a request for another protocol. */
export function refuseUpgrade(client: Duplex, status: string): void {
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
