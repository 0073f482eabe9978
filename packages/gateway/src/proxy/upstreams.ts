import * as http from 'node:http'
import * as https from 'node:https'
import type { Upstream } from '../config/config.js'

// shorter than any provider keeps a silent connection, so that none is used while it is being closed
const KEPT_MS = 4000

export interface SendOptions {
  method: string
  target: string
  headers: string[]
  connectMs: number
  idleMs: number
}

/** Connections to upstreams, which are kept for the next request. */
export interface Connections {
  send(upstream: Upstream, options: SendOptions): http.ClientRequest
  close(): void
}

export function createConnections(): Connections {
  const options = { keepAlive: true, maxFreeSockets: 1024, timeout: KEPT_MS, noDelay: true }
  const plain = new http.Agent(options)
  const secure = new https.Agent(options)

  return {
    send({ url }, { method, target, headers, connectMs, idleMs }) {
      const isSecure = url.protocol === 'https:'
      const request = (isSecure ? https : http).request({
        agent: isSecure ? secure : plain,
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port || (isSecure ? 443 : 80),
        method,
        path: target,
        headers,
        setHost: false,
        timeout: idleMs,
        ...(isSecure && { servername: url.hostname }),
      } as https.RequestOptions)
      request.once('timeout', () => request.destroy(new UpstreamTimeout('no answer in time')))
      limitConnecting(request, isSecure, connectMs)
      return request
    },
    close() {
      plain.destroy()
      secure.destroy()
    },
  }
}

/** An upstream that did not answer in time. */
export class UpstreamTimeout extends Error {}

function limitConnecting(request: http.ClientRequest, isSecure: boolean, connectMs: number): void {
  request.once('socket', (socket) => {
    if (!socket.connecting) return
    const late = () => request.destroy(new UpstreamTimeout('no connection in time'))
    const timer = setTimeout(late, connectMs)
    const stop = () => clearTimeout(timer)
    socket.once(isSecure ? 'secureConnect' : 'connect', stop)
    socket.once('close', stop)
  })
}
