import { isAscii, transcode } from 'node:buffer'

// below this the plain way is as fast; measured on lines of 100 bytes to 30 KB
const LONG = 2048

/** The text of a stretch of UTF-8; what is not UTF-8 becomes U+FFFD, as `toString` has it. */
export function toText(bytes: Buffer, from = 0, to = bytes.length): string {
  if (to - from < LONG) return bytes.toString('utf8', from, to)
  const part = bytes.subarray(from, to)
  if (isAscii(part)) return part.toString('latin1')
  try {
    // twice as fast as toString on Node 20
    return transcode(part, 'utf8', 'utf16le').toString('utf16le')
  } catch {
    // it refuses what is not UTF-8, and a Node without ICU does not have it
    return part.toString('utf8')
  }
}
