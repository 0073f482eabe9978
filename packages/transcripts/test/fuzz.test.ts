import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { createGuard, type Guard } from 'unloop'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Run, readTranscript, type Summary } from '../src/index.js'
import { fixture, inFolder } from './read.js'

const soak = process.env.UNLOOP_SOAK === '1'
const seed = Number(process.env.UNLOOP_SEED ?? Date.now() % 2 ** 31)
const runs = (few: number) => ({ numRuns: soak ? 10_000 : few, seed })

const files = readdirSync(fixture(''), { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => name)
const contents = [...files, 'cline/api_conversation_history.json'].map((name) => ({
  name,
  bytes: readFileSync(fixture(name)),
}))

/** Things that are put into files: what JSON is made of, and what has no place in it. */
const scrap = fc.oneof(
  fc
    .constantFrom(
      ...[
        '{',
        '}',
        '[',
        ']',
        '"',
        ',',
        ':',
        '\\',
        '\n',
        '\r\n',
        '\0',
        'null',
        '1e999',
        '-',
        '\ufeff',
      ],
      ...[
        '"type":"user"',
        '"message":null',
        '"content":[[[]]]',
        '"uuid":7',
        '"id":{}',
        '"parts":0',
      ],
      ...[
        '"payload":[]',
        '"toolCalls":{}',
        '"timestamp":-1',
        '"usage":"many"',
        '{}\n',
        '[]\n',
        '\n\n',
      ],
    )
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
)

type Edit = { at: number; cut: number; put: Buffer }
const edit: fc.Arbitrary<Edit> = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.oneof(fc.constant(0), fc.nat(4), fc.nat(400)),
  put: scrap,
})

function apply(bytes: Buffer, { at, cut, put }: Edit): Buffer {
  const place = Math.floor(at * bytes.length)
  return Buffer.concat([bytes.subarray(0, place), put, bytes.subarray(place + cut)])
}

/** A fixture with some damage: edits, an end that is missing, another fixture woven in, another encoding. */
const damaged = fc
  .record({
    content: fc.constantFrom(...contents),
    other: fc.constantFrom(...contents),
    edits: fc.array(edit, { maxLength: 6 }),
    end: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
    weave: fc.boolean(),
    encoding: fc.constantFrom<BufferEncoding>(
      'utf8',
      'utf8',
      'utf8',
      'latin1',
      'utf16le',
      'base64',
    ),
  })
  .map(({ content, other, edits, end, weave, encoding }) => {
    let bytes = edits.reduce(apply, content.bytes)
    if (weave) bytes = woven(bytes, other.bytes)
    bytes = bytes.subarray(0, Math.ceil(end * bytes.length))
    if (encoding !== 'utf8') bytes = Buffer.from(bytes.toString('utf8'), encoding)
    return { name: content.name, bytes }
  })

function woven(one: Buffer, other: Buffer): Buffer {
  const [a, b] = [one, other].map((bytes) => bytes.toString('latin1').split('\n'))
  const mixed = (a as string[]).flatMap((line, i) => (b?.[i] === undefined ? [line] : [line, b[i]]))
  return Buffer.from(mixed.join('\n'), 'latin1')
}

function expectBalanced(summary: Summary): void {
  const { records, used, skipped, bad, badRecords } = summary
  expect(used + skipped + bad).toBe(records)
  expect(badRecords).toHaveLength(Math.min(20, bad))
  for (const { line } of badRecords) expect(line).toBeLessThanOrEqual(records)
}

/** Reads a file to its end with a guard for each run, as a program would. */
async function guardAll(path: string, format?: string): Promise<Summary> {
  const transcript = readTranscript(path, format === undefined ? {} : { format })
  const guards = new WeakMap<Run, Guard>()
  let events = 0
  for await (const items of transcript) {
    for (const { event, run, number, line } of items) {
      const guard = guards.get(run) ?? createGuard()
      guards.set(run, guard)
      expect(guard.events).toBe(number)
      expect(line).toBeGreaterThan(0)
      guard.observe(event)
      expect(guard.faults).toEqual([])
      events++
    }
  }
  expect(transcript.summary.events).toBe(events)
  return transcript.summary
}

describe('a damaged transcript', () => {
  beforeAll(() => console.log(`seed ${seed}`))

  it('is read without a crash, and every record is accounted for', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'damaged')
      const property = fc.asyncProperty(damaged, async ({ bytes }) => {
        writeFileSync(path, bytes)
        expectBalanced(await guardAll(path))
      })
      await fc.assert(property, runs(400))
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
      await fc.assert(property, runs(400))
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
      await fc.assert(property, runs(400))
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
    fc.assert(property, runs(400))
  })
})
