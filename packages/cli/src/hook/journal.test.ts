import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { emptyFolder } from '../../test/host.js'
import { add, type Line, type Reading, readAll, save } from './journal.js'

const child = fileURLToPath(new URL('../../test/journal-child.mjs', import.meta.url))

const namesIn = ({ saved, lines }: Reading<Line>): string[] => [
  ...((saved as string[] | undefined) ?? []),
  ...lines.map(({ nonce }) => nonce),
]

const all = (folder: string): string[] => {
  const reading = readAll(folder)
  return reading ? namesIn(reading) : []
}

function start(folder: string, name: string, count: number) {
  const process = spawn('node', [child, folder, name, `${count}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let added = ''
  process.stdout.on('data', (piece) => {
    added += piece
  })
  return { process, end: once(process, 'close'), added: () => added.split('\n').slice(0, -1) }
}

describe('a journal', () => {
  it('has each line once, in order, wherever it was saved', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 40 }), (saves) => {
        const folder = join(emptyFolder(), 'one')
        for (const [at, isSaved] of saves.entries()) {
          const reading = add(folder, { nonce: `${at}` })
          expect(namesIn(reading)).toEqual(saves.slice(0, at + 1).map((_, index) => `${index}`))
          if (isSaved) save(folder, reading, namesIn(reading))
        }
        expect(readdirSync(folderOr(folder)).length).toBeLessThan(6)
      }),
      { numRuns: 30 },
    )
  })

  it('reads a line that was added while another process saved', () => {
    const folder = emptyFolder()
    const reading = add(folder, { nonce: 'a' })
    add(folder, { nonce: 'late' })
    save(folder, reading, namesIn(reading))
    expect(namesIn(add(folder, { nonce: 'b' }))).toEqual(['a', 'late', 'b'])
  })

  it('is started once by two that save at the same time', () => {
    const folder = emptyFolder()
    const first = add(folder, { nonce: 'a' })
    const second = add(folder, { nonce: 'b' })
    save(folder, second, namesIn(second))
    save(folder, first, namesIn(first))
    expect(all(folder)).toEqual(['a', 'b'])
  })

  it('loses no more than a line that was cut short', () => {
    const folder = emptyFolder()
    add(folder, { nonce: 'a' })
    appendFileSync(join(folder, '0.jsonl'), '\n{"nonce":"cut')
    expect(namesIn(add(folder, { nonce: 'b' }))).toEqual(['a', 'b'])
  })

  it('goes on with what is left where a file was destroyed', () => {
    const folder = emptyFolder()
    const reading = add(folder, { nonce: 'a' })
    save(folder, reading, namesIn(reading))
    writeFileSync(join(folder, '1.json'), '{"end":')
    expect(namesIn(add(folder, { nonce: 'b' }))).toContain('b')
  })

  it('has each line of many processes once', async () => {
    const folder = emptyFolder()
    const children = Array.from({ length: 8 }, (_, index) => start(folder, `${index}`, 120))
    await Promise.all(children.map(({ end }) => end))
    const expected = children.flatMap(({ added }) => added())
    expect(expected).toHaveLength(8 * 120)
    expect(all(folder).toSorted()).toEqual(expected.toSorted())
  })

  it('has each line that was added before its process was killed', async () => {
    const folder = emptyFolder()
    const expected: string[] = []
    for (let round = 0; round < 10; round++) {
      const children = Array.from({ length: 4 }, (_, index) =>
        start(folder, `${round}-${index}`, 10_000),
      )
      // each is killed somewhere in its work, after a number of lines that differs
      await Promise.all(
        children.map(async ({ process, added, end }, index) => {
          while (added().length < 3 + ((round * 7 + index * 11) % 40))
            await once(process.stdout, 'data')
          process.kill('SIGKILL')
          await end
          expected.push(...added())
        }),
      )
    }
    const found = all(folder)
    expect(new Set(found).size).toBe(found.length)
    expect(expected.filter((nonce) => !found.includes(nonce))).toEqual([])
    // a line may have been added and not told of: one for each process
    expect(found.length - expected.length).toBeLessThanOrEqual(40)
  })
})

/** The folder, made by the first line that is added. */
function folderOr(folder: string): string {
  add(folder, { nonce: 'last' })
  return folder
}
