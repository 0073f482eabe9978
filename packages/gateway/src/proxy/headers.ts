import type { IncomingMessage } from 'node:http'

// what is between two neighbors only, RFC 9110 section 7.6.1
const HOP_BY_HOP = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
)

/** The headers of a request for its upstream, in their order and spelling. `length` is that of a body which we have as a whole. */
export function toUpstream(request: IncomingMessage, host: string, length?: number): string[] {
  const isDropped = (name: string) =>
    name === 'host' ||
    name === 'expect' ||
    name.startsWith('x-unloop-') ||
    (length !== undefined && name === 'content-length')
  const kept = endToEnd(request, isDropped)
  if (length !== undefined) kept.push('Content-Length', String(length))
  return ['Host', host, ...kept]
}

/** The headers of an answer for the client. */
export const toClient = (
  answer: IncomingMessage,
  isDropped: (name: string) => boolean = () => false,
): string[] => endToEnd(answer, isDropped)

function endToEnd(
  { rawHeaders, headers }: IncomingMessage,
  isDropped: (name: string) => boolean,
): string[] {
  const named = String(headers.connection ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
  const kept: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [rawHeaders[i], rawHeaders[i + 1]]
    const key = name.toLowerCase()
    if (HOP_BY_HOP.has(key) || named.includes(key) || isDropped(key)) continue
    kept.push(name, value)
  }
  return kept
}
