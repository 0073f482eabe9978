import type { IncomingMessage } from 'node:http'

// what is between two neighbors only, RFC 9110 section 7.6.1
const HOP_BY_HOP = new Set(
  'connection keep-alive proxy-authenticate proxy-authorization proxy-connection te trailer transfer-encoding upgrade'.split(
    ' ',
  ),
)

/** The headers of a request for its upstream, in their order and spelling. The length is ours to say, whatever else was said about it. */
export function toUpstream(request: IncomingMessage, host: string, framing: string[]): string[] {
  const isDropped = (name: string) =>
    name === 'host' ||
    name === 'expect' ||
    name === 'content-length' ||
    name.startsWith('x-unloop-')
  return ['Host', host, ...endToEnd(request, isDropped), ...framing]
}

/** How a body that passes as it comes is framed: as it came. */
export function framingOf({ headers }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked']
  const length = headers['content-length']
  return length === undefined ? [] : ['Content-Length', length]
}

/** Why the head of a request is not to be trusted: two readers could understand it in two ways. */
export function ambiguityOf({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const count = (name: string) =>
    rawHeaders.filter((one, at) => at % 2 === 0 && one.toLowerCase() === name).length
  if (count('host') > 1) return 'it has more than one Host header'
  const coding = headers['transfer-encoding']
  if (coding !== undefined && coding.toLowerCase() !== 'chunked')
    return 'its Transfer-Encoding is not chunked'
  if (namedIn(headers.connection).some((name) => FRAMING.has(name)))
    return 'its Connection header names the header that says how long it is'
}

const FRAMING = new Set(['content-length', 'transfer-encoding', 'host'])

/** The headers of an answer for the client. */
export const toClient = (
  answer: IncomingMessage,
  isDropped: (name: string) => boolean = () => false,
): string[] => endToEnd(answer, isDropped)

const namedIn = (connection = ''): string[] =>
  connection
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())

function endToEnd(
  { rawHeaders, headers }: IncomingMessage,
  isDropped: (name: string) => boolean,
): string[] {
  const named = namedIn(headers.connection)
  const kept: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [rawHeaders[i], rawHeaders[i + 1]]
    const key = name.toLowerCase()
    if (HOP_BY_HOP.has(key) || named.includes(key) || isDropped(key)) continue
    kept.push(name, value)
  }
  return kept
}
