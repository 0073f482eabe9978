import type { Config } from '../config/config.js'
import { type Hold, sizeOfRead } from './admission.js'
import type { Breath } from './breath.js'
import { decode } from './decode.js'
import { readJson, TooMuch } from './json.js'

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
export type BodyReader = (body: Buffer, hold: Hold, encoding?: string) => Promise<ReadBody | Unread>

// as much as the text of the largest context windows; the history of a loop packs far better than others
const SURELY = 8 * 2 ** 20
// a history of source code takes a tenth when it is packed
const TIMES = 20
// in memory side by side
const AT_ONCE = 4
// so that it does not matter how many there are
const SMALL = 64 * 2 ** 10

export function createBodyReader(
  { guardedBytes, guardedValues, guardedDepth }: Config['limits'],
  breath: Breath,
): BodyReader {
  const inTurn = createTurns(AT_ONCE)
  const limits = { values: guardedValues, depth: guardedDepth }

  async function read(
    given: Buffer,
    hold: Hold,
    encoding: string | undefined,
  ): Promise<ReadBody | Unread> {
    const isPacked = encoding !== undefined && encoding !== 'identity'
    const limit = isPacked
      ? Math.min(guardedBytes, Math.max(SURELY, TIMES * given.length))
      : guardedBytes
    try {
      const bytes = await decode(given, encoding, limit)
      if (!bytes) return { reason: 'encoding' }
      const { value, values } = await readJson(bytes, limits, breath)
      const size = sizeOfRead(bytes.length, values)
      return hold.take(size) ? { bytes, body: value, breath, size } : { reason: 'busy' }
    } catch (error) {
      return { reason: error instanceof TooMuch ? error.reason : 'unreadable' }
    }
  }

  return (body, hold, encoding) =>
    encoding === undefined && body.length <= SMALL
      ? read(body, hold, encoding)
      : inTurn(() => read(body, hold, encoding))
}

/** Does work for a few at a time; others wait in line. */
function createTurns(most: number) {
  const line: (() => void)[] = []
  let busy = 0

  return async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (busy >= most) await new Promise<void>((resolve) => line.push(resolve))
    else busy++
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else busy--
    }
  }
}
