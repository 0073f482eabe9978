import { encodings } from './encodings.js'
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
  if (encoding === undefined || encoding === 'identity') return body.toString()
  try {
    return encodings.get(encoding)?.whole(body, { maxOutputLength: limit }).toString()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new TooLarge()
    return undefined
  }
}
