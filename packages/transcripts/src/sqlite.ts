import { constants } from 'node:fs'
import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The part of an SQLite database that readers need. */
export interface Database {
  tables: readonly string[]
  /** Runs a query and gives its rows one by one. */
  rows(sql: string, ...values: string[]): Iterable<Record<string, unknown>>
  close(): Promise<void>
}

/** Opens a database for reading, with what this Node has; the file is never written to. */
export async function openDatabase(path: string): Promise<Database> {
  return (await openBuiltIn(path)) ?? openPortable(path)
}

interface Statement {
  iterate(...values: unknown[]): Iterable<Record<string, unknown>>
}

interface BuiltIn {
  DatabaseSync: new (
    path: string,
    options: { readOnly: boolean },
  ) => { prepare(sql: string): Statement; close(): void }
}

/** Node 22.13 and newer bring SQLite along. */
async function openBuiltIn(path: string): Promise<Database | undefined> {
  const name = 'node:sqlite'
  const builtIn: BuiltIn | undefined = await import(name).catch(() => undefined)
  if (!builtIn) return
  const database = new builtIn.DatabaseSync(path, { readOnly: true })
  return withTables({
    rows: (sql, ...values) => database.prepare(sql).iterate(...values),
    close: async () => database.close(),
  })
}

/** The same compiled to WebAssembly. It locks files in a way of its own, so it is given a copy. */
async function openPortable(path: string): Promise<Database> {
  const { default: sqlite } = await import('node-sqlite3-wasm')
  const folder = await mkdtemp(join(tmpdir(), 'unloop-database-'))
  const copy = join(folder, 'copy.db')
  const remove = () => rm(folder, { recursive: true, force: true })
  try {
    await copyFile(path, copy, constants.COPYFILE_FICLONE)
    // what was written last stands in a file beside it
    const beside = await stat(`${path}-wal`).catch(() => undefined)
    if (beside?.isFile()) await copyFile(`${path}-wal`, `${copy}-wal`)
    const database = new sqlite.Database(copy)
    // without it, what stands beside cannot be read here
    database.exec('pragma locking_mode = exclusive')
    return await withTables({
      *rows(sql, ...values) {
        const statement = database.prepare(sql)
        try {
          yield* statement.iterate(values) as Iterable<Record<string, unknown>>
        } finally {
          statement.finalize()
        }
      },
      async close() {
        database.close()
        await remove()
      },
    })
  } catch (error) {
    await remove()
    throw error
  }
}

async function withTables(database: Omit<Database, 'tables'>): Promise<Database> {
  try {
    const rows = [...database.rows("select name from sqlite_master where type = 'table'")]
    return { ...database, tables: rows.map(({ name }) => String(name)) }
  } catch (error) {
    await database.close()
    throw error
  }
}
