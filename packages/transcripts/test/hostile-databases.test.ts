import { mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import sqlite from 'node-sqlite3-wasm'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readTranscript } from '../src/index.js'
import { expectBalanced, guardAll, runs } from './damage.js'
import { QUICKLY, writeCrush, writeGoose, writeOpencode } from './databases.js'
import { inFolder, readAll, told } from './read.js'

const databases = [
  { name: 'opencode', write: writeOpencode, tables: ['session', 'message', 'part'] },
  { name: 'goose', write: writeGoose, tables: ['sessions', 'messages'] },
  { name: 'crush', write: writeCrush, tables: ['sessions', 'messages'] },
]
const each = databases.flatMap(({ name, write, tables }) =>
  tables.map((table) => ({ name, write, table })),
)

/** What may stand in the place of a table, as SQL that makes it of the table `old`. */
const impostors: Record<string, { sql: (table: string) => string; reason: string }> = {
  'a view': { sql: (table) => `create view ${table} as select * from old`, reason: 'is a view' },
  'a view without an end': {
    sql: (table) =>
      `create view ${table} as with recursive r(id) as (select 1 union all select id + 1 from r)
       select id, id as session_id, id as message_id, '{}' as data, id as time_created,
       zeroblob(id) as directory, id as created_at from r`,
    reason: 'is a view',
  },
  'a view of many joins': {
    sql: (table) =>
      `create view ${table} as select a.* from old a, old b, old c, old d, old e, old f`,
    reason: 'is a view',
  },
  'a virtual table': {
    sql: (table) =>
      `pragma writable_schema = on;
       insert into sqlite_schema values ('table', '${table}', '${table}', 0, 'create virtual table ${table} using unknown(a)')`,
    reason: 'is a virtual table',
  },
  'computed columns': {
    sql: (table) =>
      `create table ${table} (id, session_id, message_id, data generated always as (hex(zeroblob(100000000))))`,
    reason: 'computed',
  },
  'stored computed columns': {
    sql: (table) => `create table ${table} (id, session_id, data as (upper(id)) stored)`,
    reason: 'computed',
  },
  'a table without row numbers': {
    sql: (table) => `create table ${table} (id primary key, session_id) without rowid`,
    reason: 'row numbers',
  },
  'a declaration that is none': {
    sql: (table) =>
      `create table ${table} (id); pragma writable_schema = on;
       update sqlite_schema set sql = 'create table ${table} (((((' where name = '${table}'`,
    reason: 'declaration',
  },
  'two of the name': {
    sql: (table) =>
      `create view ${table} as select 1; pragma writable_schema = on;
       insert into sqlite_schema select 'table', '${table}', '${table}', rootpage, sql from sqlite_schema where name = 'old'`,
    reason: 'twice',
  },
}

/** Nothing may be left behind anywhere, so there is a folder that has to stay empty. */
let temporary: string
let before: string | undefined
beforeEach(() => {
  before = process.env.TMPDIR
})
afterEach(() => {
  if (before === undefined) delete process.env.TMPDIR
  else process.env.TMPDIR = before
})

const inWatchedFolder = (use: (path: string) => Promise<void>) =>
  inFolder(async (folder) => {
    temporary = join(folder, 'temporary')
    mkdirSync(temporary)
    process.env.TMPDIR = temporary
    await use(join(folder, 'it.db'))
    expect(readdirSync(temporary)).toEqual([])
  })

function change(path: string, sql: string): void {
  const database = new sqlite.Database(path)
  try {
    database.exec(`${QUICKLY}; ${sql}`)
  } finally {
    database.close()
  }
}

describe.each(each)('instead of the table $table of $name', ({ name, write, table }) => {
  it.each(Object.entries(impostors))('%s is refused', (_, { sql, reason }) =>
    inWatchedFolder(async (path) => {
      write(path)
      change(path, `alter table ${table} rename to old; ${sql(table)}`)
      for (const format of [undefined, name]) {
        const { summary } = await readAll(path, format === undefined ? {} : { format })
        expect(summary).toMatchObject({ records: 0, problem: { code: 'unreadable' } })
        expect(summary.problem?.message).toContain(`"${table}"`)
        expect(summary.problem?.message).toContain(reason)
      }
    }),
  )
})

describe('what a database would run', () => {
  it.each(databases)('is never run: $name', ({ write, tables }) =>
    inWatchedFolder(async (path) => {
      write(path)
      const whole = told((await readAll(path)).events)
      for (const table of tables) {
        change(
          path,
          `create trigger t_${table} after insert on ${table} begin select raise(abort, 'no'); end;
           create index x_${table} on ${table} (upper(id)) where lower(id) > 'a'`,
        )
      }
      change(
        path,
        'create view loop as with recursive r(i) as (select 1 union all select i from r) select * from r',
      )
      expect(told((await readAll(path)).events)).toEqual(whole)
    }),
  )
})

describe('a large database', () => {
  it('of many small rows is read in little time and memory', () =>
    inWatchedFolder(async (path) => {
      writeOpencode(path)
      change(
        path,
        `with recursive r(i) as (select 1 union all select i + 1 from r where i < 300000)
         insert into part select 'x' || i, 'msg_' || (i % 100000), '', 0, 0, '' from r`,
      )
      const heap = process.memoryUsage().rss
      const { summary } = await readAll(path)
      expect(summary).toMatchObject({ records: 300_023, bad: 300_000 })
      expect(process.memoryUsage().rss - heap).toBeLessThan(300e6)
    }))

  it('with a row that is too long is read without it', () =>
    inWatchedFolder(async (path) => {
      writeGoose(path)
      change(
        path,
        `insert into messages values (9, '1', 'user', '[' || hex(zeroblob(3000)) || ']', 0)`,
      )
      const { summary } = await readAll(path, { maxRecordBytes: 5000 })
      expect(summary).toMatchObject({ records: 5, used: 3, bad: 1 })
      expect(summary.badRecords[0]?.reason).toBe('longer than 5000 bytes')
    }))

  it('with a row of a quarter of a gigabyte is read without it', () =>
    inWatchedFolder(async (path) => {
      writeGoose(path)
      change(path, `insert into messages values (9, '1', 'user', hex(zeroblob(1050000)), 0)`)
      const bytes = readFileSync(path)
      // the row says how long it is; then comes its number
      const sizes = Array.from({ length: 100 }, (_, i) => 2_100_000 + i)
      const at = (size: number) => bytes.indexOf(Buffer.from([...varint(size), 9]))
      const size = sizes.find((one) => at(one) >= 0) as number
      // of which as many bytes stand in the page itself as before
      varint(size + 60_000 * (PAGE - 4)).copy(bytes, at(size))
      writeFileSync(path, bytes)
      // a file with a hole, whose size would allow for such a row
      truncateSync(path, 300_000_000)
      const { summary } = await readAll(path)
      expect(summary).toMatchObject({ records: 5, used: 3, bad: 1 })
      expect(summary.badRecords[0]?.reason).toBe('longer than 64 MB')
    }))
})

/** A number as SQLite writes it, in four bytes. */
const varint = (value: number) =>
  Buffer.from([21, 14, 7, 0].map((shift) => ((value >> shift) & 127) | (shift > 0 ? 128 : 0)))

const PAGE = 4096

/** A page that leads to others. */
function leadingTo(children: readonly number[]): Buffer {
  const page = Buffer.alloc(PAGE)
  page[0] = 5
  page.writeUInt16BE(children.length - 1, 3)
  page.writeUInt32BE(children.at(-1) as number, 8)
  for (const [i, child] of children.slice(0, -1).entries()) {
    const at = PAGE - 5 * (i + 1)
    page.writeUInt16BE(at, 12 + 2 * i)
    page.writeUInt32BE(child, at)
  }
  return page
}

/** Writes goose's database with pages of ours where the messages begin, and behind the last. */
function withPages(path: string, make: (bytes: Buffer, root: number, next: number) => Buffer[]) {
  writeGoose(path)
  const bytes = readFileSync(path)
  const database = new sqlite.Database(path)
  const found = database.get("select rootpage from sqlite_schema where name = 'messages'")
  database.close()
  const root = found?.rootpage as number
  const [first = Buffer.alloc(0), ...more] = make(bytes, root, bytes.length / PAGE + 1)
  const leaf = Buffer.from(bytes.subarray((root - 1) * PAGE, root * PAGE))
  first.copy(bytes, (root - 1) * PAGE)
  writeFileSync(
    path,
    Buffer.concat([bytes, ...more.map((page) => (page.length > 0 ? page : leaf))]),
  )
}

// stands for the page that was there before
const OLD = Buffer.alloc(0)
const many = <Value>(value: Value) => Array.from({ length: 500 }, () => value)

describe('pages that lead to each other', () => {
  const graphs: Record<string, (bytes: Buffer, root: number, next: number) => Buffer[]> = {
    'in a circle': (_, root) => [leadingTo(many(root))],
    'again and again': (_, __, next) => [leadingTo(many(next)), OLD],
    'each of them many times to the next': (_, __, next) => [
      ...Array.from({ length: 18 }, (_, i) => leadingTo(many(next + i))),
      OLD,
    ],
    'to pages that are not there': () => [leadingTo([0, 2 ** 32 - 1, 77_777])],
    'to the first page': () => [leadingTo([1])],
    'and a page with one row many times': (bytes, root) => {
      const page = Buffer.from(bytes.subarray((root - 1) * PAGE, root * PAGE))
      const at = page.readUInt16BE(8)
      page.writeUInt16BE(1000, 3)
      for (let i = 0; i < 1000; i++) page.writeUInt16BE(at, 8 + 2 * i)
      return [page]
    },
  }

  it.each(Object.entries(graphs))('%s are read once, and reported', (_, make) =>
    inWatchedFolder(async (path) => {
      withPages(path, make)
      const { summary } = await readAll(path)
      expectBalanced(summary)
      expect(summary.records).toBeLessThan(10_000)
      expect(summary.badRecords[0]?.reason).toMatch(/page \d+ is damaged/)
    }),
  )

  it('in any way are read in bounded time', () =>
    inWatchedFolder(async (path) => {
      const database = new sqlite.Database(path)
      database.exec('pragma page_size = 512')
      database.close()
      writeGoose(path)
      change(
        path,
        `with recursive r(i) as (select 1 union all select i + 1 from r where i < 900)
         insert into messages select null, '1', 'user', '[{"type":"text","text":"' || hex(zeroblob(i)) || '"}]', i from r`,
      )
      const whole = readFileSync(path)
      const pages = whole.length / 512
      const put = fc.record({
        page: fc.nat(pages - 1),
        at: fc.oneof(fc.nat(40), fc.nat(508)),
        value: fc.oneof(fc.nat(pages), fc.nat(65_535), fc.constantFrom(0, 0xffffffff, 0x05000000)),
        isShort: fc.boolean(),
      })
      const property = fc.asyncProperty(
        fc.array(put, { minLength: 1, maxLength: 12 }),
        async (all) => {
          const bytes = Buffer.from(whole)
          for (const { page, at, value, isShort } of all) {
            if (isShort) bytes.writeUInt16BE(value & 0xffff, page * 512 + at)
            else bytes.writeUInt32BE(value, page * 512 + at)
          }
          bytes.write('SQLite format 3\0')
          writeFileSync(path, bytes)
          const summary = await guardAll(path, 'goose')
          expectBalanced(summary)
          expect(summary.records).toBeLessThan(bytes.length / 4)
        },
      )
      await fc.assert(property, runs(10, 2000))
    }))
})

describe('a log beside a database', () => {
  it('cannot name pages that it does not have', () =>
    inWatchedFolder(async (path) => {
      writeGoose(path)
      const whole = (await readAll(path)).summary
      for (const page of [0, 7, 2 ** 31, 2 ** 32 - 1]) {
        writeFileSync(
          `${path}-wal`,
          logWith([leadingTo(many(page)), page], [leadingTo(many(page)), page - 1]),
        )
        expect((await readAll(path)).summary).toMatchObject({ records: whole.records, bad: 0 })
      }
    }))
})

/** A log with some pages, the sums of which are right. */
function logWith(...pages: [page: Buffer, number: number][]): Buffer {
  const header = Buffer.alloc(32)
  for (const [i, word] of [0x377f0683, 3_007_000, PAGE, 0, 1, 2].entries()) {
    header.writeUInt32BE(word, i * 4)
  }
  let sums: [number, number] = [0, 0]
  const add = (bytes: Buffer) => {
    for (let i = 0; i < bytes.length; i += 8) {
      sums[0] = (sums[0] + bytes.readUInt32BE(i) + sums[1]) >>> 0
      sums[1] = (sums[1] + bytes.readUInt32BE(i + 4) + sums[0]) >>> 0
    }
    return sums
  }
  sums = [...add(header.subarray(0, 24))]
  const frames = pages.map(([page, number]) => {
    const frame = Buffer.alloc(24)
    frame.writeUInt32BE(number >>> 0, 0)
    frame.writeUInt32BE(2 ** 32 - 1, 4)
    header.copy(frame, 8, 16, 24)
    add(frame.subarray(0, 8))
    const [first, second] = add(page)
    frame.writeUInt32BE(first, 16)
    frame.writeUInt32BE(second, 20)
    return Buffer.concat([frame, page])
  })
  return Buffer.concat([header, ...frames])
}

describe('reading that ends early', () => {
  it('leaves nothing open and nothing behind', () =>
    inWatchedFolder(async (path) => {
      writeOpencode(path)
      change(
        path,
        `with recursive r(i) as (select 1 union all select i + 1 from r where i < 5000)
         insert into part select 'x' || i, 'msg_01', '', 0, 0, '{"type":"text","text":"a"}' from r`,
      )
      const beside = readdirSync(join(path, '..'))
      const whole = readFileSync(path)
      const open = () => readdirSync('/proc/self/fd').length
      const before = process.platform === 'linux' ? open() : 0
      for (let i = 0; i < 20; i++) {
        for await (const items of readTranscript(path)) {
          expect(items.length).toBeGreaterThan(0)
          // what is not there now cannot stay behind if the process ends here
          expect(readdirSync(temporary)).toEqual([])
          expect(readdirSync(join(path, '..'))).toEqual(beside)
          break
        }
      }
      if (process.platform === 'linux') expect(open()).toBe(before)
      expect(readFileSync(path).equals(whole)).toBe(true)
    }))
})
