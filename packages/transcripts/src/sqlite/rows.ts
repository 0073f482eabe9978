import { tooLong } from '../cut.js'
import type { Pages } from './pages.js'
import { varintAt } from './varint.js'

/** Where a row stands: its page and the place in it, in one number. */
export type Place = number

/** Reads the rows of tables, page by page. */
export interface Rows {
  /** The places of the rows of a tree in their order; a reason where a page cannot be read. */
  below(root: number): Generator<Place | string>
  /** The first bytes of a row, how many it has in all, and its number. */
  peek(place: Place, bytes: number): { start: Buffer; size: number; rowid: number }
  /** All bytes of a row, which can be asked for once; throws if they are more than `maxBytes`. */
  read(place: Place, maxBytes: number): { whole: Buffer; rowid: number }
}

const LEAF = 13
const INTERIOR = 5
// the deepest tree that SQLite itself reads
const MAX_DEPTH = 20
const PAGE_BYTES = 65_536

/**
 * No page is used twice and no two rows share bytes. So a file is read in time and memory that its size allows, whatever
 * its pages say of each other.
 */
export function createRows(pages: Pages): Rows {
  const isUsed = new Uint8Array(pages.count + 1)
  const { usable } = pages

  function use(number: number): Buffer {
    const page = pages.get(number)
    if (isUsed[number]) throw new Error(`page ${number} is used twice`)
    isUsed[number] = 1
    return page
  }

  /** What a page holds: the pages below it, or the places of its rows. */
  function contentOf(number: number): { below: number[]; rows: Place[] } {
    const page = use(number)
    // the first page begins with the header of the file
    const head = number === 1 ? 100 : 0
    const type = page[head]
    if (type !== LEAF && type !== INTERIOR) throw new Error('not a page of a table')
    const cells = page.readUInt16BE(head + 3)
    const first = head + (type === LEAF ? 8 : 12)
    const content = first + cells * 2
    if (content > usable) throw new Error('it has too many rows')
    const places: number[] = []
    let held = 0
    for (let i = 0; i < cells; i++) {
      const at = page.readUInt16BE(first + i * 2)
      if (at < content || at > usable - 4) throw new Error('a row is outside the page')
      places.push(at)
      if (type === LEAF) held += cellAt(page, at).bytes
    }
    if (held > usable - content) throw new Error('its rows overlap')
    if (type === LEAF) return { below: [], rows: places.map((at) => number * PAGE_BYTES + at) }
    const below = places.map((at) => page.readUInt32BE(at))
    return { below: [...below, page.readUInt32BE(head + 8)], rows: [] }
  }

  /** The parts of a row: what stands in its own page, and the first of the pages that have the rest. */
  function cellAt(page: Buffer, at: number) {
    const [size, afterSize] = varintAt(page, at)
    const [rowid, start] = varintAt(page, afterSize)
    const local = localBytes(size, usable)
    const end = start + local
    if (end + (local < size ? 4 : 0) > usable) throw new Error('a row extends beyond the page')
    const next = local < size ? page.readUInt32BE(end) : 0
    return { size, rowid, own: page.subarray(start, end), next, bytes: end - at }
  }

  const cellOf = (place: Place) =>
    cellAt(pages.get(Math.floor(place / PAGE_BYTES)), place % PAGE_BYTES)

  /** Puts the first bytes of a row together. */
  function gather(own: Buffer, first: number, bytes: number, take: (number: number) => Buffer) {
    const parts = [own]
    let held = own.length
    for (let next = first; held < bytes; ) {
      const page = take(next)
      parts.push(page.subarray(4, Math.min(usable, 4 + bytes - held)))
      held += usable - 4
      next = page.readUInt32BE(0)
    }
    return parts.length === 1 ? own : Buffer.concat(parts)
  }

  return {
    *below(root) {
      const open = [{ number: root, depth: 1 }]
      for (let next = open.pop(); next; next = open.pop()) {
        const { number, depth } = next
        let content: ReturnType<typeof contentOf>
        try {
          if (depth > MAX_DEPTH) throw new Error('it is too deep')
          content = contentOf(number)
        } catch (error) {
          yield `page ${number} is damaged: ${(error as Error).message}`
          continue
        }
        yield* content.rows
        for (const below of content.below.reverse()) open.push({ number: below, depth: depth + 1 })
      }
    },
    peek(place, bytes) {
      const { size, rowid, own, next } = cellOf(place)
      return { start: gather(own, next, Math.min(size, bytes), pages.get), size, rowid }
    },
    read(place, maxBytes) {
      const { size, rowid, own, next } = cellOf(place)
      if (size > maxBytes) throw new Error(tooLong(maxBytes))
      return { whole: gather(own, next, size, use), rowid }
    },
  }
}

/** How many bytes of a row stand in its own page; the format says so. */
function localBytes(size: number, usable: number): number {
  const most = usable - 35
  if (size <= most) return size
  const least = Math.floor(((usable - 12) * 32) / 255) - 23
  const fitting = least + ((size - least) % (usable - 4))
  return fitting <= most ? fitting : least
}
