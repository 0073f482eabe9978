import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import sqlite from 'node-sqlite3-wasm'
import { beforeAll, describe, expect, it } from 'vitest'
import { damageWith, expectBalanced, guardAll, runs, seed } from './damage.js'
import { writeCrush, writeGoose, writeGooseToday, writeOpencode } from './databases.js'
import { inFolder } from './read.js'

const databases = [
  { name: 'crush', write: writeCrush, tables: ['sessions', 'messages'] },
  { name: 'opencode', write: writeOpencode, tables: ['session', 'message', 'part'] },
  { name: 'goose', write: writeGoose, tables: ['sessions', 'messages'] },
  { name: 'goose', write: writeGooseToday, tables: ['sessions', 'messages', 'usage_ledger'] },
]

/** Bytes that are overwritten, most of them where something stands, and an end that is missing. */
const overwritten = fc
  .record({
    puts: fc.array(
      fc.tuple(
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.uint8Array({ maxLength: 8 }).map((put) => Buffer.from(put)),
      ),
      { maxLength: 8 },
    ),
    end: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
  })
  .map(({ puts, end }) => (whole: Buffer) => {
    const bytes = Buffer.from(whole.subarray(0, Math.ceil(end * whole.length)))
    const places = [...bytes.keys()].filter((at) => bytes[at] !== 0)
    for (const [at, put] of puts) put.copy(bytes, places[Math.floor(at * places.length)])
    return bytes
  })

const kept = (write: (path: string) => void) =>
  inFolder(async (folder) => {
    write(join(folder, 'it.db'))
    return readFileSync(join(folder, 'it.db'))
  })

describe('a damaged database', () => {
  beforeAll(() => console.log(`seed ${seed}`))

  it.each(databases)('of $name is read without a crash', async ({ name, write }) => {
    const whole = await kept(write)
    await inFolder(async (folder) => {
      const path = join(folder, 'it.db')
      const beside = fc.option(fc.uint8Array({ maxLength: 4000 }))
      const property = fc.asyncProperty(
        overwritten,
        beside,
        fc.boolean(),
        async (change, log, isNamed) => {
          writeFileSync(path, change(whole))
          rmSync(`${path}-wal`, { force: true })
          if (log) writeFileSync(`${path}-wal`, log)
          expectBalanced(await guardAll(path, isNamed ? name : undefined))
        },
      )
      await fc.assert(property, runs(15))
    })
  })

  it.each(databases)('of $name may have anything in its rows', async ({ name, write, tables }) => {
    const whole = await kept(write)
    const text = Buffer.from('{"type":"text","text":"Hello","time":{"created":1793800000000}}')
    const odd = fc.oneof(
      damageWith([text]).map((damage) => damage(text).toString('utf8')),
      fc.constantFrom(null, 0, -1, 1e300, '', '[]', '[[1]]', 'null', '{"role":"user"}'),
      fc.constantFrom('{"role":"assistant","content":{}}', '{"type":"tool","state":[]}'),
      fc.uint8Array({ maxLength: 20 }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    )
    const change = fc.tuple(fc.constantFrom(...tables), fc.nat(), fc.nat(), odd)
    await inFolder(async (folder) => {
      const path = join(folder, 'it.db')
      const property = fc.asyncProperty(
        fc.array(change, { minLength: 1, maxLength: 6 }),
        async (changes) => {
          writeFileSync(path, whole)
          for (const [table, row, column, value] of changes) {
            put(path, table, row, column, value as never)
          }
          const summary = await guardAll(path)
          expectBalanced(summary)
          expect(summary).toMatchObject({ format: name })
        },
      )
      await fc.assert(property, runs(15))
    })
  })
})

/** Puts a value into one member of one row, if the database takes it. */
function put(path: string, table: string, row: number, column: number, value: never): void {
  const database = new sqlite.Database(path)
  try {
    const rows = database.all(`select rowid as place, * from ${table}`)
    const { place = null, ...members } = rows[row % rows.length] ?? {}
    const name = Object.keys(members)[column % Object.keys(members).length]
    database.run(`update ${table} set ${name} = ? where rowid = ?`, [value, place as number])
  } catch (error) {
    expect(String(error)).toMatch(/constraint|mismatch/i)
  } finally {
    database.close()
  }
}
