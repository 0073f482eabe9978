import type { Value } from './record.js'
import type { Place } from './rows.js'
import type { Row, Table } from './table.js'

/** The rows of a table in groups. */
export interface Groups {
  /** The rows of one group in their order; they are given once. */
  take(key: unknown): Generator<Row>
  /** A reason for each row that was not taken and each page that cannot be read. */
  rest(why: string): Generator<Row>
}

// as many take 350 MB while they are sorted, if they are all of one session
const MAX_ROWS = 1_000_000
// names of sessions and messages have about 30 characters
const MAX_KEY = 200

/** All rows of a table in the order of some columns; a reason for each page that cannot be read. */
export function* sortRows(table: Table, order: readonly string[]): Generator<Row> {
  const all = groupRows(table, undefined, order)
  yield* all.take(ALL)
  yield* all.rest('')
}

/** Puts the rows of a table into groups by one column; each group is in the order of some others. */
export function groupRows(table: Table, by: string | undefined, order: readonly string[]): Groups {
  const groups = new Map<string, Place[]>()
  const damage: string[] = []
  let count = 0
  for (const place of table.places()) {
    if (typeof place === 'string') {
      damage.push(place)
      continue
    }
    if (++count > MAX_ROWS) {
      damage.push(`only the first ${MAX_ROWS} rows of a table are read`)
      break
    }
    const key = by === undefined ? ALL : keyOf(table.peek(place, [by])[0])
    const group = groups.get(key)
    if (group) group.push(place)
    else groups.set(key, [place])
  }

  return {
    *take(value) {
      const key = keyOf(value)
      const places = key === NONE ? undefined : groups.get(key)
      if (!places) return
      groups.delete(key)
      for (const place of sorted(table, places, order)) yield table.read(place)
    },
    *rest(why) {
      for (const reason of damage) yield { reason }
      for (const { length } of groups.values()) {
        for (let i = 0; i < length; i++) yield { reason: why }
      }
    },
  }
}

const ALL = 'all'
// of rows that say nothing of use, and so cannot be asked for
const NONE = ''

function keyOf(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' && value.length <= MAX_KEY ? value : NONE
}

function sorted(table: Table, places: readonly Place[], order: readonly string[]): Place[] {
  if (places.length === 1) return [...places]
  return places
    .map((place) => ({ place, values: table.peek(place, order) }))
    .sort((a, b) => compareAll(a.values, b.values))
    .map(({ place }) => place)
}

function compareAll(a: readonly Value[], b: readonly Value[]): number {
  for (const [i, value] of a.entries()) {
    const difference = compare(value, b[i])
    if (difference !== 0) return difference
  }
  return 0
}

/** As SQLite has it: nothing comes before numbers, and numbers before texts. */
function compare(a: Value, b: Value): number {
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return rank(a) - rank(b)
}

const rank = (value: Value) =>
  value === null || value === undefined ? 0 : typeof value === 'number' ? 1 : 2
