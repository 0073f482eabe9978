import type { IncomingHttpHeaders } from 'node:http'
import type { Upstream, UpstreamProtocol } from '../config/config.js'

/** Where a request goes. */
export interface Route {
  upstream: Upstream
  /** the provider's own path, without the query, as servers understand it */
  path: string
  /** the same as the upstream has it, with the query */
  target: string
}

/**
 * The upstream of a request: the one that its path names, or else the first that speaks the protocol of the path. Only configured
 * upstreams can be reached, whatever the request says.
 */
export function findRoute(
  upstreams: readonly Upstream[],
  address: string,
  headers: IncomingHttpHeaders,
): Route | undefined {
  // an absolute address or `*` is for other kinds of proxies
  if (!address.startsWith('/') || hasDotSegment(address)) return
  const [, name, rest] = /^\/([a-z0-9-]{1,40})(\/.*)$/s.exec(address) ?? []
  const named = upstreams.find((upstream) => upstream.name === name)
  if (named && rest !== undefined) return toRoute(named, rest)
  if (upstreams.length === 1 && upstreams[0]) return toRoute(upstreams[0], address)
  const protocol = protocolOf(pathOf(address), headers)
  const found = upstreams.find((upstream) => upstream.protocol === protocol)
  return found && toRoute(found, address)
}

// also as servers write them that decode a path before they walk it
const DOT_SEGMENT = /(?:[/\\]|%2f|%5c)(?:\.|%2e){1,2}(?=[/\\;#]|%2f|%5c|$)/i

/** Whether a path has steps such as `..`, which could leave the upstream's own. */
export const hasDotSegment = (address: string): boolean =>
  DOT_SEGMENT.test(address.split('?', 1)[0] ?? '')

function toRoute(upstream: Upstream, address: string): Route {
  const base = upstream.url.pathname.replace(/\/$/, '')
  return { upstream, path: pathOf(address), target: base + address }
}

/** The path of an address, decoded and without empty steps: another spelling of it is not a way around the guard. */
function pathOf(address: string): string {
  const [path = ''] = address.split('?', 1)
  const plain = path.replace(/\/{2,}/g, '/')
  try {
    return decodeURIComponent(plain)
  } catch {
    return plain
  }
}

/** Whose request this is, where no upstream is named. */
function protocolOf(address: string, headers: IncomingHttpHeaders): UpstreamProtocol {
  if (/^\/v1\/messages\b/.test(address) || 'anthropic-version' in headers) return 'anthropic'
  if (/^(\/upload)?\/v1(alpha|beta)/.test(address) || 'x-goog-api-key' in headers) return 'gemini'
  if (/:(stream)?generatecontent\b/i.test(address)) return 'gemini'
  return 'openai'
}
