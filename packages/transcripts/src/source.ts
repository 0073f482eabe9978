import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Duplex, Readable } from 'node:stream'
import * as zlib from 'node:zlib'
import type { Problem } from './transcript.js'

/** What the first bytes of a file say of all of them. */
export type Encoding = 'plain' | 'gzip' | 'zstd' | 'utf-16le' | 'utf-16be' | 'sqlite' | 'binary'

// one read of this size costs a tenth of a millisecond, and ten of them fit where memory is short
const CHUNK_BYTES = 512 * 1024
// most transcripts are small, and thousands of large buffers would keep the collector busy
const FIRST_BYTES = 64 * 1024

/**
 * The bytes of a file from an offset on, unpacked, as UTF-8. A chunk is good until the next one is asked
 * for: they may all be the same memory.
 */
export function readBytes(path: string, encoding: Encoding, start = 0): AsyncIterable<Buffer> {
  if (encoding === 'plain') return readPlain(path, start)
  const unpacker = unpackerFor(encoding)
  const stream = createReadStream(path, { highWaterMark: CHUNK_BYTES, start })
  if (unpacker) return unpack(stream, unpacker)
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return recode(stream, encoding)
  return stream
}

/** How a file is encoded, told by its beginning. */
export function encodingOf(head: Buffer): Encoding {
  const [first, second, third, fourth] = head
  if (first === 0x1f && second === 0x8b) return 'gzip'
  if (first === 0x28 && second === 0xb5 && third === 0x2f && fourth === 0xfd) return 'zstd'
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  if (head.toString('latin1', 0, 15) === 'SQLite format 3') return 'sqlite'
  return looksBinary(head) ? 'binary' : 'plain'
}

/** The first bytes of a file, and all of it that fits. */
export async function readStart(path: string, bytes: number): Promise<Buffer> {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.alloc(bytes)
    let length = 0
    while (length < bytes) {
      const { bytesRead } = await file.read(buffer, length, bytes - length, length)
      if (bytesRead === 0) break
      length += bytesRead
    }
    return buffer.subarray(0, length)
  } finally {
    await file.close()
  }
}

/** What an error of the file system means for a transcript. */
export function toProblem(error: unknown, path: string): Problem {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'UNLOOP_ZSTD') return { code: 'unsupported', message }
  if (code === 'UNLOOP_CHANGED') return { code: 'changed', message }
  if (typeof code === 'string' && /^(Z_|ZSTD_|ERR_ZSTD|ERR_BUFFER)/.test(code)) {
    return { code: 'cut-short', message: `${path} is damaged or cut short: ${message}` }
  }
  const reason = REASONS[code ?? ''] ?? message
  return { code: 'unreadable', message: `${path} cannot be read: ${reason}` }
}

/** What is thrown where a transcript was written over while it was read. */
export const changedError = (path: string): Error =>
  Object.assign(new Error(`${path} was rewritten while it was being read; read it again`), {
    code: 'UNLOOP_CHANGED',
  })

const REASONS: Record<string, string> = {
  ENOENT: 'no such file',
  ENOTDIR: 'a part of the path is a file, not a folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder that holds no transcript we know',
  ELOOP: 'its links lead in a circle',
  EMFILE: 'too many files are open',
  EIO: 'the disk reports an error',
}

async function* readPlain(path: string, start: number): AsyncGenerator<Buffer> {
  const file = await open(path, 'r')
  try {
    let buffer = Buffer.allocUnsafeSlow(FIRST_BYTES)
    let other = Buffer.allocUnsafeSlow(FIRST_BYTES)
    let reading = file.read(buffer, 0, buffer.length, start)
    for (let position = start; ; ) {
      const { bytesRead } = await reading
      if (bytesRead === 0) return
      position += bytesRead
      const isMore = bytesRead === buffer.length
      if (isMore && other.length < CHUNK_BYTES) other = Buffer.allocUnsafeSlow(CHUNK_BYTES)
      // the next chunk comes while this one is at work
      reading = file.read(other, 0, other.length, position)
      reading.catch(() => {})
      yield buffer.subarray(0, bytesRead)
      ;[buffer, other] = [other, buffer]
    }
  } finally {
    await file.close()
  }
}

async function* unpack(stream: Readable, unpacker: Duplex): AsyncGenerator<Buffer> {
  // pipe() does not pass errors on
  stream.on('error', (error) => unpacker.destroy(error))
  try {
    for await (const chunk of stream.pipe(unpacker)) yield chunk
  } catch (error) {
    // what was unpacked before it broke
    for (let chunk = unpacker.read(); chunk; chunk = unpacker.read()) yield chunk
    throw error
  } finally {
    stream.destroy()
  }
}

function unpackerFor(encoding: Encoding): Duplex | undefined {
  if (encoding === 'gzip') return zlib.createGunzip({ chunkSize: CHUNK_BYTES })
  if (encoding !== 'zstd') return
  const { createZstdDecompress } = zlib as unknown as Zstd
  if (createZstdDecompress) return createZstdDecompress()
  const message = `Node ${process.versions.node} cannot unpack zstd: use Node 22.15 or newer, or run "zstd -d" on the file`
  throw Object.assign(new Error(message), { code: 'UNLOOP_ZSTD' })
}

interface Zstd {
  createZstdDecompress?: () => Duplex
}

async function* recode(stream: AsyncIterable<Buffer>, encoding: string): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of stream) yield Buffer.from(decoder.decode(chunk, { stream: true }))
}

// text holds no control characters but white space; a line that a crash filled with zeros is not the first
function looksBinary(head: Buffer): boolean {
  const end = Math.min(head.length, 4096)
  let odd = 0
  for (let i = 0; i < end; i++) {
    const byte = head[i] as number
    if (byte < 9 || (byte > 13 && byte < 32 && byte !== 27)) odd++
  }
  return odd * 50 > end
}
