import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { damageWith, expectBalanced, guardAll, runs, seed } from './damage.js'
import { fixture, inFolder } from './read.js'

const files = readdirSync(fixture(''), { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => name)
const contents = [...files, 'cline/api_conversation_history.json'].map((name) => ({
  name,
  bytes: readFileSync(fixture(name)),
}))

/** A fixture with some damage. */
const damaged = fc
  .tuple(fc.constantFrom(...contents), damageWith(contents.map(({ bytes }) => bytes)))
  .map(([{ name, bytes }, damage]) => ({ name, bytes: damage(bytes) }))

describe('a damaged transcript', () => {
  beforeAll(() => console.log(`seed ${seed}`))

  it('is read without a crash, and every record is accounted for', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'damaged')
      const property = fc.asyncProperty(damaged, async ({ bytes }) => {
        writeFileSync(path, bytes)
        expectBalanced(await guardAll(path))
      })
      await fc.assert(property, runs(100))
    }))

  it('is read as what it was, too, if somebody says so', async () => {
    const formats = new Map<string, string>()
    for (const { name } of contents) {
      const { format } = await guardAll(fixture(name))
      if (format !== undefined) formats.set(name, format)
    }
    await inFolder(async (folder) => {
      const path = join(folder, 'damaged')
      const property = fc.asyncProperty(damaged, async ({ name, bytes }) => {
        writeFileSync(path, bytes)
        expectBalanced(await guardAll(path, formats.get(name)))
      })
      await fc.assert(property, runs(100))
    })
  })
})

describe('anything at all', () => {
  const value = fc.jsonValue({ maxDepth: 4 })
  const key = fc.constantFrom(
    ...[
      'type',
      'message',
      'content',
      'role',
      'parts',
      'payload',
      'id',
      'uuid',
      'parentUuid',
      'usage',
    ],
    ...['sessionId', 'toolCalls', 'result', 'args', 'timestamp', 'data', 'kind', 'action', 'info'],
    ...['$set', '$rewindTo', 'messages', 'trajectory', 'resourceSpans', 'spans', 'events', 'info'],
  )
  const word = fc.constantFrom(
    ...[
      'user',
      'assistant',
      'model',
      'tool_use',
      'tool_result',
      'gemini',
      'response_item',
      'event_msg',
    ],
    ...[
      'text',
      'tool-call',
      'function_call',
      'token_count',
      'ActionEvent',
      'tool',
      'system',
      'run',
    ],
  )
  const record: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
    record: fc.dictionary(key, tie('inner'), { maxKeys: 6 }),
    inner: fc.oneof(word, value, tie('record'), fc.array(tie('record'), { maxLength: 3 })),
  })).record

  it('may stand where a record of any format should', async () => {
    const names = (await import('../src/index.js')).formats
      .filter(({ container }) => container === 'records')
      .map(({ name }) => name)
    await inFolder(async (folder) => {
      const path = join(folder, 'odd')
      const odd = fc.array(record, { minLength: 1, maxLength: 20 })
      const property = fc.asyncProperty(
        odd,
        fc.constantFrom(...names),
        fc.boolean(),
        async (records, format, asLines) => {
          const lines = records.map((one) => `${JSON.stringify(one)}\n`).join('')
          writeFileSync(path, asLines ? lines : JSON.stringify(records))
          expectBalanced(await guardAll(path, format))
        },
      )
      await fc.assert(property, runs(100))
    })
  })
})

describe('how a file is cut into chunks', () => {
  it('does not matter', async () => {
    const { cutLines } = await import('../src/cut-lines.js')
    const { cutDocument } = await import('../src/cut-document.js')
    const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 })
    const property = fc.property(damaged, places, fc.boolean(), ({ bytes }, cuts, asLines) => {
      const cutUp = (edges: number[]) => {
        const told: unknown[] = []
        const take = {
          text: (...record: unknown[]) => told.push(record),
          shortened() {},
          skipped() {},
          spoiled: (...record: unknown[]) => told.push(record),
        }
        const cutter = (asLines ? cutLines : cutDocument)(take, 300)
        for (const [i, edge] of edges.slice(1).entries()) {
          cutter.push(Buffer.from(bytes.subarray(edges[i], edge)))
        }
        cutter.end()
        return told
      }
      const edges = cuts.map((cut) => Math.floor(cut * bytes.length)).sort((a, b) => a - b)
      expect(cutUp([0, ...edges, bytes.length])).toEqual(cutUp([0, bytes.length]))
    })
    fc.assert(property, runs(100))
  })

  it('does not matter to a name that is longer than a record may be', async () => {
    const { cutDocument } = await import('../src/cut-document.js')
    const bytes = Buffer.from(`{"${'name '.repeat(100)}":{"a":1},"b":{"c":2}}`)
    const keysIn = (...chunks: Buffer[]) => {
      const keys: string[] = []
      const take = {
        text: (_text: string, _offset: number, key: string) => keys.push(key),
        shortened() {},
        skipped() {},
        spoiled() {},
      }
      const cutter = cutDocument(take, 300)
      for (const chunk of chunks) cutter.push(chunk)
      return keys
    }
    expect(keysIn(bytes.subarray(0, 400), bytes.subarray(400))).toEqual(keysIn(bytes))
  })

  it('does not matter to what is skimmed, which is JSON still', async () => {
    const { skim } = await import('../src/skim.js')
    const scrap = fc.constantFrom('word ', '"', '\\', '\n', '\u0001', 'é', '一', '{', ']')
    const words = fc
      .array(scrap, { minLength: 1, maxLength: 9 })
      .map((parts) => parts.join('').repeat(400))
    const sizes = fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1, maxLength: 9 })
    const property = fc.asyncProperty(fc.array(words), sizes, async (list, cuts) => {
      const bytes = Buffer.from(JSON.stringify({ list, end: 1 }))
      async function* chunks(lengths: readonly number[]) {
        for (let i = 0, at = 0; at < bytes.length; i++) {
          const length = lengths[i % lengths.length] ?? 1
          yield bytes.subarray(at, at + length)
          at += length
        }
      }
      const whole = await skim(chunks([bytes.length]), 2 ** 20)
      expect(await skim(chunks(cuts), 2 ** 20)).toEqual(whole)
      const { list: skimmed, end } = JSON.parse(whole.text)
      expect(end).toBe(1)
      expect(skimmed).toHaveLength(list.length)
      for (const [i, text] of skimmed.entries()) {
        expect(list[i]?.startsWith(text.replace(/\ufffd+$/, ''))).toBe(true)
      }
    })
    await fc.assert(property, runs(50))
  })
})
