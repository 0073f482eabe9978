import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hasLines, readLinesAround } from './raw-lines.js'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'unloop-lines-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

it('reads a few lines around a place, and says where the place is', async () => {
  const path = join(folder, 'a.jsonl')
  writeFileSync(path, Array.from({ length: 1000 }, (_, at) => `line ${at + 1}`).join('\n'))
  const { text, line } = await readLinesAround(path, 500, 510)
  const lines = text.split('\n')
  expect(lines[line - 1]).toBe('line 500')
  expect(lines).toContain('line 510')
  expect(lines.length).toBeLessThan(100)
  const start = await readLinesAround(path, 1, 2)
  expect(start.text.split('\n')[start.line - 1]).toBe('line 1')
})

it('cuts lines that nobody reads to their end', async () => {
  const path = join(folder, 'a.jsonl')
  writeFileSync(path, `${'x'.repeat(1_000_000)}\n`)
  const { text } = await readLinesAround(path, 1, 1)
  expect(text.length).toBeLessThan(5000)
})

it('tells a file of lines from a database and a folder', async () => {
  writeFileSync(join(folder, 'a.jsonl'), '{}\n')
  writeFileSync(join(folder, 'a.db'), 'SQLite format 3\0')
  const asked = [join(folder, 'a.jsonl'), join(folder, 'a.db'), folder].map(hasLines)
  expect(await Promise.all(asked)).toEqual([true, false, false])
})
