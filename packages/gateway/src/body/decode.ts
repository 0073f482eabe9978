import { encodings } from './encodings.js'
import { TooMuch } from './json.js'

// fewer turns of the event loop than the 16 KB that are usual
const CHUNK = 256 * 2 ** 10

/**
 * The bytes of a body, decoded on another thread; undefined if it is encoded in a way that we cannot read. Fails with `TooMuch` if they
 * are more than `limit`: a kilobyte can unpack to a gigabyte.
 */
export async function decode(
  body: Buffer,
  encoding: string | undefined,
  limit: number,
): Promise<Buffer | undefined> {
  if (encoding === undefined) {
    if (body.length > limit) throw new TooMuch('bytes')
    return body
  }
  try {
    const options = { maxOutputLength: limit, chunkSize: Math.min(CHUNK, limit) }
    return await encodings.get(encoding)?.whole(body, options)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new TooMuch('bytes')
    return undefined
  }
}
