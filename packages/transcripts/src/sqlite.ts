/** The part of an SQLite database that readers need. */
export interface Database {
  tables: readonly string[]
  /** Runs a query and gives its rows one by one. */
  rows(sql: string, ...values: (string | number)[]): Iterable<Record<string, unknown>>
  close(): void
}

/** Opens a database for reading, with what this Node has. */
export async function openDatabase(path: string): Promise<Database> {
  throw Object.assign(new Error(`${path} is a database`), { code: 'ENOTSUP' })
}
