import { columnsIn } from './columns.js'
import { openPages, type Pages } from './pages.js'
import { type Value, valuesIn } from './record.js'
import { createRows, type Place, type Rows } from './rows.js'
import { createTable, type Table } from './table.js'

/** An SQLite database. Nothing in it is run: no query, no view, no trigger, no function. */
export interface Database {
  /** what can be read from in it: tables, views and virtual tables */
  names: readonly string[]
  /** A table with those of these columns that it has; throws if it is not an ordinary table. */
  table(name: string, columns: readonly string[]): Table
  /** Whether it was written to since it was opened, so that what was read may not fit together. */
  isChanged(): Promise<boolean>
  close(): Promise<void>
}

// type, name and page of an entry stand at its beginning
const PEEKED = 4096
// programs have a few dozen
const MAX_NAMES = 10_000
// the longest declaration that SQLite takes unless told otherwise
const MAX_SQL_BYTES = 1_000_000

/** Opens a database for reading, without a lock and without a copy. A row of more than `maxBytes` is bad. */
export async function openDatabase(path: string, maxBytes: number): Promise<Database> {
  const pages = await openPages(path)
  try {
    const rows = createRows(pages)
    const entries = entriesOf(pages, rows)
    return {
      names: entries.map(({ name }) => name),
      table(name, wanted) {
        const { root, sql } = tableNamed(name, entries, pages, rows)
        const columns = columnsIn(sql)
        if (typeof columns === 'string') throw refusal(name, columns)
        return createTable({ pages, rows, root, columns, wanted, maxBytes })
      },
      isChanged: pages.isChanged,
      close: pages.close,
    }
  } catch (error) {
    await pages.close()
    throw error
  }
}

interface Entry {
  name: string
  type: Value
  root: Value
  place: Place
}

/** What the first page, and those below it, say is in the database. */
function entriesOf(pages: Pages, rows: Rows): Entry[] {
  const entries: Entry[] = []
  for (const place of rows.below(1)) {
    if (typeof place === 'string') throw new Error(place)
    const { start } = rows.peek(place, PEEKED)
    const [type, name, root] = valuesIn(start, [0, 1, 3], pages.encoding)
    // indexes and triggers are not looked at
    if ((type !== 'table' && type !== 'view') || typeof name !== 'string') continue
    entries.push({ name: name.toLowerCase(), type, root, place })
    if (entries.length > MAX_NAMES) throw new Error(`it has more than ${MAX_NAMES} tables`)
  }
  return entries
}

function tableNamed(name: string, entries: readonly Entry[], pages: Pages, rows: Rows) {
  const [entry, other] = entries.filter((one) => one.name === name)
  if (!entry) throw new Error(`it has no table "${name}"`)
  if (other) throw refusal(name, 'is there twice')
  if (entry.type === 'view') throw refusal(name, 'is a view')
  const { root } = entry
  if (typeof root !== 'number' || root < 1) throw refusal(name, 'is a virtual table')
  const { whole } = rows.read(entry.place, MAX_SQL_BYTES)
  const [sql] = valuesIn(whole, [4], pages.encoding)
  return { root, sql: typeof sql === 'string' ? sql : '' }
}

const refusal = (name: string, why: string) =>
  new Error(`its "${name}" ${why}; only ordinary tables are read`)
