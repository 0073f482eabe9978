import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

// a body of a kilobyte can be a gigabyte when it is unpacked
const MAX_DECODED = 256 * 2 ** 20

/** The body of a request as text; undefined if it is encoded in a way that we cannot read. */
export function decodeBody(body: Buffer, encoding: string | undefined): string | undefined {
  try {
    return decoded(body, encoding)?.toString()
  } catch {
    return undefined
  }
}

function decoded(body: Buffer, encoding = 'identity'): Buffer | undefined {
  const options = { maxOutputLength: MAX_DECODED }
  switch (encoding) {
    case 'identity':
      return body
    case 'gzip':
      return gunzipSync(body, options)
    case 'deflate':
      return inflateSync(body, options)
    case 'br':
      return brotliDecompressSync(body, options)
    default:
      return undefined
  }
}
