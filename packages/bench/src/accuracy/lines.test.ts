import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readLines } from './lines.js'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loopbench-'))
})

afterAll(() => rm(folder, { recursive: true }))

test('reads plain and compressed files line by line', async () => {
  const text = '{"id":1}\n\n{"id":2}\n'
  await writeFile(join(folder, 'a.jsonl'), text)
  await writeFile(join(folder, 'a.jsonl.gz'), gzipSync(text))
  expect(await collect('a.jsonl')).toEqual([{ id: 1 }, { id: 2 }])
  expect(await collect('a.jsonl.gz')).toEqual([{ id: 1 }, { id: 2 }])
})

test('says which line is broken, and which file is missing', async () => {
  await writeFile(join(folder, 'b.jsonl'), '{"id":1}\n{oops\n')
  await expect(collect('b.jsonl')).rejects.toThrow(/b\.jsonl, line 2/)
  await expect(collect('none.jsonl')).rejects.toThrow(/ENOENT/)
})

async function collect(name: string): Promise<unknown[]> {
  const lines: unknown[] = []
  for await (const line of readLines(join(folder, name))) lines.push(line)
  return lines
}
