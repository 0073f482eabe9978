import type { Config } from '../config/config.js'
import { type Hold, sizeOfRead } from './admission.js'
import type { Breath } from './breath.js'
import { decode } from './decode.js'
import { readJson, TooMuch } from './json.js'
import { createLines, type Line } from './lines.js'

/** A body that was read. */
export interface ReadBody {
  bytes: Buffer
  body: unknown
  breath: Breath
  /** what is held for it beside the request as it came */
  size: number
}

/** Why a body was not read: its encoding, what it has too much of, that it is not JSON, or that too many are held (`busy`). */
export interface Unread {
  reason: string
}

/** Reads bodies, a few at a time; what was read is counted as held. Never fails. */
export type BodyReader = (
  body: Buffer,
  hold: Hold,
  line: Line,
  encoding?: string,
) => Promise<ReadBody | Unread>

// as much as the text of the largest context windows; the history of a loop packs far better than others
const SURELY = 8 * 2 ** 20
// a history of source code takes a tenth when it is packed
const TIMES = 20
// more than a thousand rounds; a history with more has more bytes than values, also when it is packed
const SURELY_VALUES = 10_000
// `atOnce` are in memory side by side. More than `maxLength` would not come in time, and later is worse than unguarded.
const LINES = { atOnce: 4, maxLength: 100, maxWaitMs: 250 }
// so that it does not matter how many there are
const SMALL = 64 * 2 ** 10

export function createBodyReader(
  { guardedBytes, guardedValues, guardedDepth }: Config['limits'],
  breath: Breath,
): BodyReader {
  const inLine = createLines(LINES)

  async function read(
    given: Buffer,
    hold: Hold,
    encoding: string | undefined,
  ): Promise<ReadBody | Unread> {
    const isPacked = encoding !== undefined
    const limit = isPacked
      ? Math.min(guardedBytes, Math.max(SURELY, TIMES * given.length))
      : guardedBytes
    const values = isPacked
      ? Math.min(guardedValues, Math.max(SURELY_VALUES, given.length))
      : guardedValues
    try {
      const bytes = await decode(given, encoding, limit)
      if (!bytes) return { reason: 'encoding' }
      const body = await readJson(bytes, { values, depth: guardedDepth }, breath)
      const size = sizeOfRead(bytes.length, body.values)
      return hold.take(size) ? { bytes, body: body.value, breath, size } : BUSY
    } catch (error) {
      return { reason: error instanceof TooMuch ? error.reason : 'unreadable' }
    }
  }

  return async (body, hold, line, encoding) =>
    encoding === undefined && body.length <= SMALL
      ? read(body, hold, encoding)
      : ((await inLine(line, () => read(body, hold, encoding))) ?? BUSY)
}

const BUSY: Unread = { reason: 'busy' }
