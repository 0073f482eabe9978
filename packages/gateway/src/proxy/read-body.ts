import type { IncomingMessage } from 'node:http'

/** A request that is longer than allowed. */
export class TooLarge extends Error {}

/** The whole body of a request. Fails with `TooLarge` as soon as that is known, and if the client goes away. */
export function readBody(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(new TooLarge())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    request.on('data', (chunk: Buffer) => {
      length += chunk.length
      if (length > limit) {
        request.pause()
        reject(new TooLarge())
      } else chunks.push(chunk)
    })
    request.once('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
    )
    request.once('error', reject)
    request.once('close', () => reject(new Error('the client went away')))
  })
}
