import type { IncomingHttpHeaders } from 'node:http'
import { toPattern } from '../config/pattern.js'

/** Says why the host that a request names is not this gateway; undefined if it may be. */
export type HostCheck = (headers: IncomingHttpHeaders) => string | undefined

const LOOPBACK = /^(?:localhost|(?:.{1,200}\.)?localhost|127(?:\.\d{1,3}){3}|\[?::1\]?)$/i

/**
 * A page of another site can have its name point to this machine, and then use what listens here as its own. A gateway on loopback
 * therefore answers to the names of this machine only, and to those that it was given; any other one to those that it was given, if it was.
 */
export function createHostCheck(listenHost: string, hosts: readonly string[] = []): HostCheck {
  const isLoopback = LOOPBACK.test(listenHost)
  if (!isLoopback && hosts.length === 0) return () => undefined
  const patterns = hosts.map((host) => toPattern(host.toLowerCase()))
  return ({ host }) => {
    // programs that speak HTTP 1.0; browsers always name one
    if (host === undefined) return
    const name = host.toLowerCase().replace(/:\d{0,5}$/, '')
    if (LOOPBACK.test(name) || patterns.some((pattern) => pattern.test(name))) return
    const where = isLoopback
      ? 'the gateway listens on loopback'
      : 'the gateway has a list of its names'
    return `'${name.slice(0, 100)}' is not a name of this gateway: ${where}, and answers to others only if listen.hosts has them`
  }
}
