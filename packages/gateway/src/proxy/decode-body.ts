import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { TooLarge } from './read-body.js'

/**
 * A body as text; undefined if it is encoded in a way that we cannot read. Throws `TooLarge` if it is longer than `limit`: a kilobyte can
 * unpack to a gigabyte.
 */
export function decodeBody(
  body: Buffer,
  encoding: string | undefined,
  limit: number,
): string | undefined {
  try {
    return decoded(body, encoding, limit)?.toString()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new TooLarge()
    return undefined
  }
}

function decoded(body: Buffer, encoding = 'identity', maxOutputLength: number): Buffer | undefined {
  switch (encoding) {
    case 'identity':
      return body
    case 'gzip':
      return gunzipSync(body, { maxOutputLength })
    case 'deflate':
      return inflateSync(body, { maxOutputLength })
    case 'br':
      return brotliDecompressSync(body, { maxOutputLength })
    default:
      return undefined
  }
}
