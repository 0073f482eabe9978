import { tooLong } from '../cut.js'
import type { Json } from '../json.js'
import type { Column } from './columns.js'
import type { Pages } from './pages.js'
import { type Value, valuesIn } from './record.js'
import type { Place, Rows } from './rows.js'

/** A row and its size, or why it cannot be read. */
export type Row = { value: Json; bytes: number } | { reason: string }

/** A table, as far as its columns were asked for. */
export interface Table {
  /** The places of its rows; a reason for each page that cannot be read. */
  places(): Generator<Place | string>
  /** What stands in these columns of a row, if it stands near the beginning of the row. */
  peek(place: Place, columns: readonly string[]): Value[]
  /** A row; it can be asked for once. */
  read(place: Place): Row
}

interface TableParts {
  pages: Pages
  rows: Rows
  root: number
  columns: readonly Column[]
  wanted: readonly string[]
  maxBytes: number
}

// what rows are told apart and sorted by stands within this many bytes
const PEEKED = 4096

export function createTable({ pages, rows, root, columns, wanted, maxBytes }: TableParts): Table {
  const placeOf = (name: string) => columns.findIndex((column) => column.name === name)
  const known = wanted.filter((name) => placeOf(name) >= 0)

  function valuesOf(bytes: Buffer, rowid: number, names: readonly string[]): Value[] {
    const places = names.map(placeOf)
    const values = valuesIn(bytes, places, pages.encoding)
    return values.map((value, i) => (columns[places[i] as number]?.isRowid ? rowid : value))
  }

  return {
    places: () => rows.below(root),
    peek(place, names) {
      try {
        const { start, rowid } = rows.peek(place, PEEKED)
        return valuesOf(start, rowid, names)
      } catch {
        // why it is damaged is told when it is read
        return names.map(() => undefined)
      }
    },
    read(place) {
      try {
        const { size } = rows.peek(place, 0)
        if (size > maxBytes) return { reason: tooLong(maxBytes) }
        const { whole, rowid } = rows.read(place, maxBytes)
        const values = valuesOf(whole, rowid, known)
        const value: Json = {}
        for (const [i, name] of known.entries()) value[name] = values[i]
        return { value, bytes: whole.length }
      } catch (error) {
        return { reason: `damaged: ${(error as Error).message}` }
      }
    },
  }
}
