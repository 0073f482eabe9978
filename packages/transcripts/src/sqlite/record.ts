import { toText } from '../to-text.js'
import type { Pages } from './pages.js'
import { varintAt } from './varint.js'

/** The value of a column; bytes that are not text are left out. */
export type Value = number | string | null | undefined

/**
 * The values of some columns of a row, by their places. Undefined if a value is not a text or number, or goes beyond
 * the bytes that are there.
 */
export function valuesIn(
  bytes: Buffer,
  columns: readonly number[],
  encoding: Pages['encoding'],
): Value[] {
  const [headerEnd, afterSize] = varintAt(bytes, 0)
  const values: Value[] = columns.map(() => undefined)
  const last = Math.max(...columns)
  let at = afterSize
  let start = headerEnd
  for (let column = 0; column <= last && at < headerEnd; column++) {
    const [type, next] = varintAt(bytes, at)
    const end = start + sizeOf(type)
    for (const [i, wanted] of columns.entries()) {
      if (wanted === column && end <= bytes.length) {
        values[i] = decoded(type, bytes.subarray(start, end), encoding)
      }
    }
    at = next
    start = end
  }
  return values
}

const SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

function sizeOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2)
  const size = SIZES[type]
  if (size === undefined) throw new Error(`unknown type ${type}`)
  return size
}

function decoded(type: number, bytes: Buffer, encoding: Pages['encoding']): Value {
  if (type >= 12) return type % 2 === 1 ? textOf(bytes, encoding) : undefined
  if (type === 0) return null
  if (type >= 8) return type - 8
  if (type === 7) return bytes.readDoubleBE(0)
  return bytes.length === 8 ? Number(bytes.readBigInt64BE(0)) : bytes.readIntBE(0, bytes.length)
}

function textOf(bytes: Buffer, encoding: Pages['encoding']): string {
  if (encoding === 'utf-8') return toText(bytes)
  if (encoding === 'utf-16le') return bytes.toString('utf16le')
  return Buffer.from(bytes.subarray(0, bytes.length & ~1))
    .swap16()
    .toString('utf16le')
}
