import type { IncomingMessage } from 'node:http'
import { findProtocol } from 'unloop/wire'
import type { Line } from '../body/lines.js'
import { keyOf } from '../guard/session-key.js'
import type { Route } from './route.js'

// tenants of one instance; who is forgotten is one of their address again
const MAX_KEYS = 10_000

/**
 * Tells in which line a request waits. Anybody can make up keys, so a key has a line of its own only once a provider has answered a
 * request with it; all others of an address wait in one line, after those.
 */
export function createSenders() {
  /** hashes of keys, in the order of use */
  const accepted = new Set<string>()

  return {
    lineOf({ headers, socket }: IncomingMessage, target: string): Line {
      const key = keyOf(headers, target)
      const address = socket.remoteAddress ?? ''
      if (!accepted.delete(key)) return { name: address, isKnown: false }
      accepted.add(key)
      return { name: `${address} ${key}`, isKnown: true }
    },
    /** A provider has answered a request. */
    accept({ headers, method }: IncomingMessage, { path, target }: Route): void {
      if (method !== 'POST' || !findProtocol(path)) return
      accepted.add(keyOf(headers, target))
      const [oldest] = accepted
      if (accepted.size > MAX_KEYS && oldest !== undefined) accepted.delete(oldest)
    },
  }
}
