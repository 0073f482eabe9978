import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import sqlite from 'node-sqlite3-wasm'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Summary, TranscriptItem } from '../src/index.js'
import { expectBalanced, guardAll, runs, seed } from './damage.js'
import { QUICKLY, writeCrush, writeGooseToday, writeOpencode } from './databases.js'
import { plantIn, VALUES } from './exotic.js'
import { fixture, inFolder, readAll } from './read.js'

const files = [
  ...readdirSync(fixture(''), { withFileTypes: true })
    // values are planted in JSON
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.md'))
    .map(({ name }) => name),
  'cline/api_conversation_history.json',
  'droid/7b1f0c52-2f8e-4a53-b1f5-90a6f7d2a001.jsonl',
  'cursor/projects/home-ada-shop/agent-transcripts/4113a71f-0d3c-4e0e-9d4a-0c5b3e0f7a01/4113a71f-0d3c-4e0e-9d4a-0c5b3e0f7a01.jsonl',
  'vscode-chat/workspaceStorage/5d1f0c/chatSessions/88ca1adb-bf72-4478-9982-6886cb99785e.json',
]

// a list may stand in the place of a list of records
const MAX_BAD = 3

// of these each record tells what the file is
const TELLING = [
  'claude-code.jsonl',
  'codex.jsonl',
  'event-runs.jsonl',
  'events.jsonl',
  'openai-chat-runs.jsonl',
  'openhands-events.jsonl',
  'otlp.jsonl',
  'qwen-code.jsonl',
]

/** Reads it as a program does; nothing may be lost but what is exotic. */
async function readWhole(path: string, format: string, bad: number): Promise<void> {
  const summary = await guardAll(path, format)
  expectBalanced(summary)
  expect(summary.problem).toBeUndefined()
  expect(summary.bad).toBeLessThanOrEqual(bad + MAX_BAD)
  expect(reasonsIn(summary)).not.toMatch(/unexpected|stack/)
}

const reasonsIn = ({ badRecords }: Summary) => badRecords.map(({ reason }) => reason).join()

/** The numbers of the lines that give events; whether a turn starts depends on what stands before it. */
const usedIn = (items: readonly TranscriptItem[]) =>
  new Set(items.filter(({ event }) => event.type !== 'turn-start').map(({ line }) => line))

const orphansIn = ({ badRecords }: Summary) =>
  badRecords.filter(({ reason }) => reason.endsWith('without its call')).map(({ line }) => line)

describe('exotic values', () => {
  beforeAll(() => console.log(`seed ${seed}`))

  it('are JSON', () => {
    expect(VALUES.map((value) => JSON.parse(value))).toHaveLength(VALUES.length)
  })

  it.each(files)('in %s cost no more than the record they stand in', async (name) => {
    const text = readFileSync(fixture(name), 'utf8')
    const whole = await readAll(fixture(name))
    const { format = '', bad } = whole.summary
    await inFolder(async (folder) => {
      const path = join(folder, 'it')
      const property = fc.asyncProperty(plantIn(text), async (planted) => {
        writeFileSync(path, planted.text)
        await readWhole(path, format, bad)
        const detected = await guardAll(path)
        if (TELLING.includes(name)) expect(detected).toMatchObject({ format })
        else expect(detected.problem?.code ?? 'unknown-format').toBe('unknown-format')
        if (!name.endsWith('.jsonl')) return
        const line = planted.text.slice(0, planted.at).split('\n').length
        const read = await readAll(path, { format })
        // a result goes with its call
        const known = new Set([...usedIn(read.items), ...orphansIn(read.summary), line])
        const lost = [...usedIn(whole.items)].filter((one) => !known.has(one))
        expect(lost).toEqual([])
      })
      await fc.assert(property, runs(8, 1000))
    })
  })

  it.each([
    ['opencode-tree', 'opencode-tree'],
    ['openhands', 'openhands'],
    ['openhands-today', 'openhands'],
  ])('in files of %s cost no more than the file', (name, format) =>
    inFolder(async (folder) => {
      const paths = readdirSync(fixture(name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith('.json'))
        .map((entry) => join(entry.parentPath, entry.name).slice(fixture(name).length + 1))
      const planted = fc.constantFrom(...paths).chain((path) =>
        plantIn(readFileSync(join(fixture(name), path), 'utf8')).map(({ text }) => ({
          path,
          text,
        })),
      )
      const root = join(folder, 'it')
      const property = fc.asyncProperty(planted, async ({ path, text }) => {
        rmSync(root, { recursive: true, force: true })
        cpSync(fixture(name), root, { recursive: true })
        writeFileSync(join(root, path), text)
        await readWhole(root, format, 0)
      })
      await fc.assert(property, runs(8, 1000))
    }),
  )

  it.each([
    { name: 'opencode', write: writeOpencode, table: 'part', column: 'data' },
    { name: 'crush', write: writeCrush, table: 'messages', column: 'parts' },
    { name: 'goose', write: writeGooseToday, table: 'messages', column: 'content_json' },
    { name: 'goose', write: writeGooseToday, table: 'messages', column: 'metadata_json' },
  ])('in rows of $name cost no more than the row', ({ name, write, table, column }) =>
    inFolder(async (folder) => {
      const path = join(folder, 'it.db')
      write(path)
      const database = new sqlite.Database(path)
      try {
        database.exec(QUICKLY)
        const rows = database.all(`select rowid as place, ${column} as text from ${table}`)
        const planted = fc
          .constantFrom(...rows)
          .chain(({ place, text }) =>
            plantIn(text as string).map((it) => ({ place, before: text, text: it.text })),
          )
        const property = fc.asyncProperty(planted, async ({ place, before, text }) => {
          const put = `update ${table} set ${column} = ? where rowid = ?`
          database.run(put, [text, place] as never)
          await readWhole(path, name, 0)
          database.run(put, [before, place] as never)
        })
        await fc.assert(property, runs(8, 1000))
      } finally {
        database.close()
      }
    }),
  )
})
