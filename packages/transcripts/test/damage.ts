import fc from 'fast-check'
import { createGuard, type Guard } from 'unloop'
import { expect } from 'vitest'
import { type Run, readTranscript, type Summary } from '../src/index.js'

const soak = process.env.UNLOOP_SOAK === '1'

/** what a failure has to be told with to be seen again */
export const seed = Number(process.env.UNLOOP_SEED ?? Date.now() % 2 ** 31)

/** How often something is tried: a few times with every test, often when there is time. */
export const runs = (few: number, many = 10_000) => ({ numRuns: soak ? many : few, seed })

/** Some damage to one file: edits, an end that is missing, another file woven in, another encoding. */
export const damageWith = (others: readonly Buffer[]): fc.Arbitrary<(bytes: Buffer) => Buffer> =>
  fc
    .record({
      other: fc.option(fc.constantFrom(...others)),
      edits: fc.array(edit, { maxLength: 6 }),
      end: fc.oneof(fc.constant(1), fc.double({ min: 0, max: 1, noNaN: true })),
      encoding: fc.constantFrom<BufferEncoding>(
        'utf8',
        'utf8',
        'utf8',
        'latin1',
        'utf16le',
        'base64',
      ),
    })
    .map(({ other, edits, end, encoding }) => (content: Buffer) => {
      let bytes = edits.reduce(apply, content)
      if (other) bytes = woven(bytes, other)
      bytes = bytes.subarray(0, Math.ceil(end * bytes.length))
      return encoding === 'utf8' ? bytes : Buffer.from(bytes.toString('utf8'), encoding)
    })

function woven(one: Buffer, other: Buffer): Buffer {
  const [a, b] = [one, other].map((bytes) => bytes.toString('latin1').split('\n'))
  const mixed = (a as string[]).flatMap((line, i) => (b?.[i] === undefined ? [line] : [line, b[i]]))
  return Buffer.from(mixed.join('\n'), 'latin1')
}

/** Every record is accounted for, and the bad ones are named. */
export function expectBalanced(summary: Summary): void {
  const { records, used, skipped, bad, badRecords } = summary
  expect(used + skipped + bad).toBe(records)
  expect(badRecords).toHaveLength(Math.min(20, bad))
  for (const { line } of badRecords) expect(line).toBeLessThanOrEqual(records)
}

/** Reads a file to its end with a guard for each run, as a program would. */
export async function guardAll(path: string, format?: string): Promise<Summary> {
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
