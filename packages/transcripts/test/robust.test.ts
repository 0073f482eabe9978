import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as zlib from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { detectFormat, formats, readTranscript } from '../src/index.js'
import { fixture, inFolder, lines, readAll, readText } from './read.js'

const text = (words: string) => ({ type: 'text', text: words })

describe('what cannot be read', () => {
  it('says so: a path that leads nowhere', async () => {
    const { summary } = await readAll('/nowhere/session.jsonl')
    expect(summary.problem).toEqual({
      code: 'unreadable',
      message: '/nowhere/session.jsonl cannot be read: no such file',
    })
  })

  it('says so: a path through a file', async () => {
    const { summary } = await readAll(join(fixture('codex.jsonl'), 'inside.jsonl'))
    expect(summary.problem?.code).toBe('unreadable')
    expect(summary.problem?.message).toContain('is a file, not a folder')
  })

  it('says so: an empty file, an empty folder, a folder of something else', () =>
    inFolder(async (folder) => {
      expect((await readAll(folder)).summary.problem?.code).toBe('empty')
      mkdirSync(join(folder, 'src'))
      expect((await readAll(folder)).summary.problem?.code).toBe('unknown-format')
      expect((await readText('')).summary.problem?.code).toBe('empty')
    }))

  it('says so: binary, prose, JSON of something else, a damaged database', async () => {
    const binary = Uint8Array.from({ length: 5000 }, (_, i) => i % 7)
    expect((await readText(binary)).summary.problem?.code).toBe('binary')
    expect((await readText('Dear diary,\n')).summary.problem?.code).toBe('unknown-format')
    expect((await readText('{"name":"shop"}')).summary.problem?.code).toBe('unknown-format')
    for (const json of ['[]', '42', 'null', '{}']) {
      expect((await readText(json)).summary.problem?.message).toContain('is JSON, but not a known')
    }
    const damaged = Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(2000, 7)])
    expect((await readText(damaged)).summary.problem?.code).toBe('unreadable')
  })

  it('says so: a file that is cut while it is read, and tells what was there', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'a.jsonl')
      writeFileSync(path, lines(text('Hello')).repeat(100_000))
      const transcript = readTranscript(path)
      let events = 0
      for await (const items of transcript) {
        if (events === 0) writeFileSync(path, lines(text('Hello')))
        events += items.length
      }
      expect(events).toBeGreaterThan(0)
      expect(transcript.summary.problem?.code).toBe('changed')
    }))

  it('names the formats when asked for one that is none', () => {
    expect(() => readTranscript(fixture('events.jsonl'), { format: 'cobol' })).toThrow(
      /^format must be one of event-lines, .*; got "cobol"$/,
    )
  })
})

describe('what is read in spite of it', () => {
  it('is packed with gzip, whatever its name', async () => {
    const { events, summary } = await readText(zlib.gzipSync(lines(text('Hello'))))
    expect(events).toEqual([text('Hello')])
    expect(summary.problem).toBeUndefined()
  })

  it('is packed with zstd where Node can unpack it, and names the Node that can where not', async () => {
    // a frame with one raw block
    const content = Buffer.from(lines(text('Hello')))
    const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, content.length])
    const block = Buffer.alloc(3)
    block.writeUIntLE(1 | (content.length << 3), 0, 3)
    const { events, summary } = await readText(Buffer.concat([head, block, content]))
    if ('createZstdDecompress' in zlib) expect(events).toEqual([text('Hello')])
    else {
      expect(summary.problem?.code).toBe('unsupported')
      expect(summary.problem?.message).toContain('Node 22.15')
    }
  })

  it('breaks off in the middle of a packed file', async () => {
    const content = Array.from({ length: 5000 }, (_, i) => lines(text(`Hello ${Math.sin(i)}`)))
    const packed = zlib.gzipSync(content.join(''))
    const { events, summary } = await readText(packed.subarray(0, packed.length - 2000))
    expect(events.length).toBeGreaterThan(1000)
    expect(summary.problem?.code).toBe('cut-short')
  })

  it('is packed, small, and breaks off or has something else behind it', async () => {
    const packed = zlib.gzipSync(lines(text('Hello'), text('Bye'), text('x'.repeat(500))))
    for (const bytes of [packed.subarray(0, -4), Buffer.concat([packed, packed.subarray(0, 9)])]) {
      const { events, summary } = await readText(bytes)
      expect(events.slice(0, 2)).toEqual([text('Hello'), text('Bye')])
      expect(summary).toMatchObject({ format: 'event-lines', problem: { code: 'cut-short' } })
    }
    const { summary } = await readText(packed.subarray(0, 8))
    expect(summary).toMatchObject({ records: 0, problem: { code: 'cut-short' } })
  })

  it('is packed, and of a format that somebody had to name', async () => {
    const packed = zlib.gzipSync(lines({ type: 'hello' }, { type: 'hello' }, text('Hello')))
    const { events } = await readText(packed, { format: 'event-lines' })
    expect(events).toEqual([text('Hello')])
  })

  it('has a byte order mark before a document', async () => {
    const content = readFileSync(fixture('openai-chat.json'), 'utf8')
    const { summary } = await readText(`\ufeff${content}`)
    expect(summary).toMatchObject({ format: 'openai-chat', records: 6, bad: 0 })
  })

  it('has a byte order mark, the line ends of Windows, or two bytes a character', async () => {
    const content = lines(text('Grüße'), text('一次'))
    const expected = [text('Grüße'), text('一次')]
    expect((await readText(`\ufeff${content}`)).events).toEqual(expected)
    expect((await readText(content.replaceAll('\n', '\r\n'))).events).toEqual(expected)
    const wide = Buffer.from(`\ufeff${content}`, 'utf16le')
    expect((await readText(wide)).events).toEqual(expected)
    expect((await readText(wide.swap16())).events).toEqual(expected)
  })

  it('has no newline at its end, or breaks off in its last line', async () => {
    const content = lines(text('Hello'), text('Bye'))
    expect((await readText(content.trimEnd())).events).toHaveLength(2)
    const { events, summary } = await readText(content.slice(0, -5))
    expect(events).toHaveLength(1)
    expect(summary).toMatchObject({ records: 2, used: 1, bad: 1, badRecords: [{ line: 2 }] })
  })

  it('has a line that is too long', async () => {
    const { events, summary } = await readText(
      lines(text('Hello'), text('long '.repeat(300_000)), text('Bye')),
      { maxRecordBytes: 2 ** 20 },
    )
    expect(events).toEqual([text('Hello'), text('Bye')])
    expect(summary.badRecords).toEqual([{ line: 2, reason: 'longer than 1 MB' }])
  })

  it('is a document that breaks off', async () => {
    const content = readFileSync(fixture('openai-chat.json'), 'utf8')
    const { events, summary } = await readText(content.slice(0, -100))
    expect(events.length).toBeGreaterThan(5)
    expect(summary.badRecords.at(-1)?.reason).toBe('the document ends before it is complete')
  })

  it('has times that no calendar has', async () => {
    for (const timestamp of [1e300, '1e300', -1, '+999999-01-01T00:00:00Z', 8.64e21 * 2]) {
      const { items } = await readText(
        lines({ role: 'user', content: 'Hello', timestamp }, { role: 'assistant', content: 'Hi.' }),
      )
      expect(items).toHaveLength(3)
      expect(items[0]?.event.at).toBeUndefined()
    }
  })

  it('tells where each event stands', async () => {
    const content = lines(text('Grüße'), '', text('Bye'))
    const { items } = await readText(content)
    expect(items.map(({ line }) => line)).toEqual([1, 3])
    const bytes = Buffer.from(content)
    for (const { offset, event } of items) {
      const end = bytes.indexOf(10, offset)
      expect(JSON.parse(bytes.toString('utf8', offset, end))).toEqual(event)
    }
  })

  it('tells where each event stands in a document', async () => {
    const path = fixture('openai-chat.json')
    const bytes = readFileSync(path)
    const { items } = await readAll(path)
    expect(bytes.toString('utf8', items[0]?.offset)).toMatch(/^\{\s*"role": "user"/)
  })
})

describe('the format', () => {
  it('is told by the content of every fixture, under any name', async () => {
    const named: [string, string][] = [
      ['claude-code.jsonl', 'claude-code'],
      ['codex.jsonl', 'codex'],
      ['gemini-cli.jsonl', 'gemini-cli'],
      ['swe-agent.traj', 'swe-agent'],
    ]
    for (const [file, name] of named) {
      const { summary } = await readText(readFileSync(fixture(file)), {}, 'backup.txt')
      expect(summary.format).toBe(name)
    }
  })

  it('is told although the first lines are damaged', async () => {
    const content = readFileSync(fixture('claude-code.jsonl'), 'utf8')
    const { summary } = await readText(`{"type":"user","uu\n\n${content}`)
    expect(summary).toMatchObject({ format: 'claude-code', bad: 1 })
  })

  it('has a name of its own, a title and a stage', async () => {
    expect(new Set(formats.map(({ name }) => name)).size).toBe(formats.length)
    const { format } = await detectFormat(fixture('codex.jsonl'))
    expect(format).toMatchObject({ name: 'codex', title: 'Codex', stage: 'stable' })
  })
})
