import { copyFileSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import sqlite from 'node-sqlite3-wasm'
import { beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../src/sqlite/database.js'
import { runs, seed } from './damage.js'
import { inFolder } from './read.js'

const COLUMNS = ['n', 'a', 'b c', 'd']

const value = fc.oneof(
  fc.constantFrom(
    null,
    0,
    1,
    -1,
    255,
    32_768,
    -8_388_609,
    2 ** 40,
    -(2 ** 47),
    2 ** 52,
    0.5,
    1e300,
  ),
  fc.integer(),
  fc.double({ noNaN: true }),
  fc.string({ unit: 'grapheme' }),
  fc.uint8Array({ maxLength: 20 }),
  // lengths at which a row no longer fits into its page
  fc
    .tuple(fc.constantFrom('x', 'é', '漢', '😀'), fc.nat(9000))
    .map(([char, length]) => char.repeat(length)),
)

const change = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(fc.constant('insert' as const), value, value, value) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('update' as const), fc.nat(60), value) },
  { weight: 1, arbitrary: fc.tuple(fc.constant('delete' as const), fc.nat(60)) },
)

const database = fc.record({
  pageSize: fc.constantFrom(512, 1024, 4096, 65_536),
  encoding: fc.constantFrom('UTF-8', 'UTF-16le', 'UTF-16be'),
  vacuum: fc.constantFrom('none', 'full', 'incremental'),
  before: fc.array(change, { maxLength: 60 }),
  /** what is still in the log */
  after: fc.option(fc.array(change, { maxLength: 30 })),
  declared: fc.constantFrom(
    'n integer primary key, a, "b c" text, d',
    'a default (1), [b c] /* , e */ varchar(10), `d` blob not null on conflict ignore, n INTEGER PRIMARY KEY AUTOINCREMENT, check (a <> 7)',
    '"a" collate nocase, -- , f\n "b c" text default \'), as (\', d, n integer constraint "as" primary key, unique (a, d, n)',
  ),
})

type Change = typeof change extends fc.Arbitrary<infer One> ? One : never

function apply(writer: InstanceType<typeof sqlite.Database>, changes: readonly Change[]): void {
  for (const [what, first, ...rest] of changes) {
    try {
      if (what === 'insert')
        writer.run('insert into t (a, "b c", d) values (?, ?, ?)', [first, ...rest] as never)
      if (what === 'update') writer.run('update t set a = ? where n = ?', [rest[0], first] as never)
      if (what === 'delete') writer.run('delete from t where n = ?', [first] as never)
    } catch (error) {
      expect(String(error)).toMatch(/constraint/i)
    }
  }
}

/** What we do not read: bytes. What we round: integers beyond 2^53. */
const plain = (stored: unknown) =>
  stored instanceof Uint8Array ? undefined : typeof stored === 'bigint' ? Number(stored) : stored

async function rowsOf(path: string): Promise<unknown[]> {
  const read = await openDatabase(path, 2 ** 26)
  try {
    const table = read.table('t', COLUMNS)
    return [...table.places()].map((place) => {
      if (typeof place === 'string') return place
      const row = table.read(place)
      return 'value' in row ? row.value : row.reason
    })
  } finally {
    await read.close()
  }
}

describe('a database', () => {
  beforeAll(() => console.log(`seed ${seed}`))

  it('is read as SQLite reads it, with what stands in its log', () =>
    inFolder(async (folder) => {
      const [live, path] = ['live.db', 'it.db'].map((name) => join(folder, name)) as [
        string,
        string,
      ]
      const property = fc.asyncProperty(database, async (it) => {
        for (const file of [live, path, `${live}-wal`, `${path}-wal`]) rmSync(file, { force: true })
        const writer = new sqlite.Database(live)
        try {
          writer.exec('pragma locking_mode = exclusive; pragma synchronous = off')
          writer.exec(`pragma page_size = ${it.pageSize}`)
          writer.exec(`pragma encoding = '${it.encoding}'`)
          writer.exec(`pragma auto_vacuum = ${it.vacuum}`)
          writer.exec(
            `create table other (x); create table T (${it.declared}); create index i on t (a)`,
          )
          apply(writer, it.before)
          if (it.after) {
            writer.exec('pragma journal_mode = wal')
            apply(writer, it.after)
          }
          const kept = writer.all('select n, a, "b c", d from t order by n')
          copyFileSync(live, path)
          if (existsSync(`${live}-wal`)) copyFileSync(`${live}-wal`, `${path}-wal`)
          const rows = kept.map((row) =>
            Object.fromEntries(COLUMNS.map((name) => [name, plain(row[name])])),
          )
          expect(await rowsOf(path)).toEqual(rows)
        } finally {
          writer.close()
        }
      })
      await fc.assert(property, runs(15, 1000))
    }))
})
