import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'

/** How bodies in an encoding are decoded: as they come, or whole and no longer than `maxOutputLength`. */
interface Encoding {
  stream(): Transform
  whole(bytes: Buffer, options: { maxOutputLength: number }): Buffer
}

// what has come is decoded, though more may follow
const SOON = { flush: zlib.constants.Z_SYNC_FLUSH }

/** The encodings that this Node can decode, by their names in headers. */
export const encodings = new Map<string, Encoding>([
  ['gzip', { stream: () => zlib.createGunzip(SOON), whole: zlib.gunzipSync }],
  ['deflate', { stream: () => zlib.createInflate(SOON), whole: zlib.inflateSync }],
  ['br', { stream: () => zlib.createBrotliDecompress(), whole: zlib.brotliDecompressSync }],
])

/** Since Node 22.15. */
interface Zstd {
  createZstdDecompress(): Transform
  zstdDecompressSync: Encoding['whole']
}

if ('createZstdDecompress' in zlib) {
  const { createZstdDecompress, zstdDecompressSync } = zlib as unknown as Zstd
  encodings.set('zstd', { stream: () => createZstdDecompress(), whole: zstdDecompressSync })
}
