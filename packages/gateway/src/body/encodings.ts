import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'

/** How bodies in an encoding are decoded: as they come, or whole and no longer than `maxOutputLength`. */
interface Encoding {
  stream(): Transform
  whole(bytes: Buffer, options: { maxOutputLength: number; chunkSize: number }): Promise<Buffer>
}

// what has come is decoded, though more may follow
const SOON = { flush: zlib.constants.Z_SYNC_FLUSH }

/** The encodings that this Node can decode, by their names in headers. */
export const encodings = new Map<string, Encoding>([
  ['gzip', { stream: () => zlib.createGunzip(SOON), whole: promisify(zlib.gunzip) }],
  ['deflate', { stream: () => zlib.createInflate(SOON), whole: promisify(zlib.inflate) }],
  ['br', { stream: () => zlib.createBrotliDecompress(), whole: promisify(zlib.brotliDecompress) }],
])

/** The encoding that a header names, as we know it; undefined if there is none. */
export function encodingOf(header: string | undefined): string | undefined {
  const name = header?.trim().toLowerCase()
  if (name === '' || name === 'identity') return undefined
  // RFC 9110, section 8.4.1.3
  return name === 'x-gzip' ? 'gzip' : name
}

/** Since Node 22.15. */
interface Zstd {
  createZstdDecompress(): Transform
  zstdDecompress: typeof zlib.gunzip
}

if ('createZstdDecompress' in zlib) {
  const { createZstdDecompress, zstdDecompress } = zlib as unknown as Zstd
  encodings.set('zstd', { stream: () => createZstdDecompress(), whole: promisify(zstdDecompress) })
}
