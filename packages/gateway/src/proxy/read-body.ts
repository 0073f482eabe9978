import type { IncomingMessage } from 'node:http'
import type { Hold } from '../body/admission.js'
import type { Config } from '../config/config.js'

/** A request that is longer than allowed. */
export class TooLarge extends Error {}

/** A body that is there as a whole, or the beginning of one that is not guarded, and why. */
export type Received = { type: 'whole'; body: Buffer } | Beginning

export interface Beginning {
  type: 'beginning'
  chunks: Buffer[]
  reason: string
}

/**
 * The body of a request, counted as held. One that turns out to be too long to be guarded, or has to make room for others, is read no
 * further. Fails with `TooLarge` if it is longer than allowed, and if the client goes away.
 */
export function readBody(
  request: IncomingMessage,
  { bodyBytes, guardedBytes }: Pick<Config['limits'], 'bodyBytes' | 'guardedBytes'>,
  hold: Hold,
): Promise<Received> {
  if (Number(request.headers['content-length'] ?? 0) > bodyBytes)
    return Promise.reject(new TooLarge())
  // it may break off later as well
  request.on('error', () => {})
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0

    /** Leaves no listener: each would hold the body as long as the request is there. */
    function settle(): void {
      hold.letGo = undefined
      request.off('data', add).off('end', end).off('error', fail).off('close', leave)
    }

    function stop(reason: string): void {
      settle()
      request.pause()
      resolve({ type: 'beginning', chunks, reason })
    }

    function fail(error: Error): void {
      settle()
      reject(error)
    }

    function leave(): void {
      fail(new Error('the client went away'))
    }

    function end(): void {
      settle()
      const [first] = chunks
      const body = chunks.length === 1 && first ? first : Buffer.concat(chunks)
      resolve({ type: 'whole', body })
    }

    function add(chunk: Buffer): void {
      chunks.push(chunk)
      length += chunk.length
      if (length > bodyBytes) {
        request.pause()
        fail(new TooLarge())
      } else if (!hold.take(chunk.length)) stop('busy')
      else if (length > guardedBytes) stop('bytes')
    }

    hold.letGo = () => stop('busy')
    request.on('data', add).once('end', end).once('error', fail).once('close', leave)
  })
}
