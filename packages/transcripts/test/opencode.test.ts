import { closeSync, copyFileSync, openSync, readdirSync, readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import sqlite from 'node-sqlite3-wasm'
import { describe, expect, it } from 'vitest'
import { writeOpencode } from './databases.js'
import { fixture, inFolder, readAll, told } from './read.js'

const story = [
  'prompt Why does the login test fail?',
  'turn-start',
  'reasoning The test may read a file.',
  'call call_1 read {"filePath":"login.ts"}',
  'result call_1 "export function login() {}"',
  'call call_2 bash {"command":"npm test"}',
  'result call_2 failed "exit code 1"',
  'usage 160 100 25',
  'turn-end',
  'compaction',
  'turn-start',
  'text It fails.',
]
const child = [
  'ses_02: prompt Find the caller.',
  'ses_02: turn-start',
  'ses_02: call call_9 grep {"pattern":"login"}',
]

describe('sessions of opencode', () => {
  it('stand in a database', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'opencode.db')
      writeOpencode(path)
      const { items, events, summary } = await readAll(path)
      expect(summary).toMatchObject({ format: 'opencode', records: 23, bad: 0, runs: 2 })
      expect(told(events)).toEqual([...story, ...child])
      expect(items.at(-1)?.run).toMatchObject({ session: 'ses_02', parent: 'ses_01' })
      expect(readdirSync(folder)).toEqual(['opencode.db'])
    }))

  it('are read in spite of rows that are broken, which are counted and named', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'opencode.db')
      writeOpencode(path)
      const database = new sqlite.Database(path)
      const message = 'insert into message values (?, ?, ?, ?, ?)'
      const part = 'insert into part values (?, ?, ?, ?, ?, ?)'
      const broken = '{"role":'
      // between the messages of the session, and among the parts of one of them
      database.run(message, ['msg_02x', 'ses_01', 1793800010000, 0, broken])
      database.run(message, ['msg_02y', 'ses_01', 1793800010000, 0, '{}'])
      database.run(part, ['prt_04x', 'msg_02', 'ses_01', 0, 0, broken])
      database.close()
      const { events, summary } = await readAll(path)
      expect(summary).toMatchObject({ records: 26, bad: 3, runs: 2 })
      expect(told(events)).toEqual([...story, ...child])
    }))

  it('stand in a database that is being written to, the newest in a file beside it', () =>
    inFolder(async (folder) => {
      const live = join(folder, 'live.db')
      writeOpencode(live)
      const writer = new sqlite.Database(live)
      writer.exec('pragma locking_mode = exclusive')
      writer.exec('pragma journal_mode = wal')
      const at = 1793800099000
      const data = { role: 'user', time: { created: at } }
      writer.run('insert into message values (?, ?, ?, ?, ?)', [
        'msg_99',
        'ses_02',
        at,
        at,
        JSON.stringify(data),
      ])
      writer.run('insert into part values (?, ?, ?, ?, ?, ?)', [
        'prt_99',
        'msg_99',
        'ses_02',
        at,
        at,
        JSON.stringify({ type: 'text', text: 'And now?' }),
      ])
      // as another process finds it, which does not see the lock of this one
      const path = join(folder, 'opencode.db')
      copyFileSync(live, path)
      copyFileSync(`${live}-wal`, `${path}-wal`)
      writer.close()
      const { events } = await readAll(path)
      expect(told(events).at(-1)).toBe('ses_02: prompt And now?')
    }))

  it('leave nothing beside a database that was written with a log', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'opencode.db')
      writeOpencode(path)
      // what the header of such a database says, after its program was closed
      const header = openSync(path, 'r+')
      writeSync(header, new Uint8Array([2, 2]), 0, 2, 18)
      closeSync(header)
      const before = readFileSync(path)
      const { summary } = await readAll(path)
      expect(summary).toMatchObject({ format: 'opencode', bad: 0, runs: 2 })
      expect(readdirSync(folder)).toEqual(['opencode.db'])
      expect(readFileSync(path)).toEqual(before)
    }))

  it('were files before that: all of them, or one', async () => {
    const all = await readAll(fixture('opencode-tree'))
    expect(all.summary).toMatchObject({ format: 'opencode-tree', records: 23, bad: 0, runs: 2 })
    expect(told(all.events)).toEqual([...story, ...child])
    const one = await readAll(fixture('opencode-tree/session/prj/ses_02.json'))
    expect(told(one.events)).toEqual(child)
  })

  it('can be exported', async () => {
    const { events, summary } = await readAll(fixture('opencode-export.json'))
    expect(summary).toMatchObject({ format: 'opencode-export', bad: 0 })
    expect(told(events)).toEqual(story)
  })
})
