import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import sqlite from 'node-sqlite3-wasm'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { followWith } from '../src/follow.js'
import { followTranscript, type TranscriptItem } from '../src/index.js'
import { writeOpencode } from './databases.js'
import { fixture, inFolder, lines } from './read.js'

const text = (words: string) => ({ type: 'text', text: words })

/** Follows a file in a folder of its own; `next` waits for the next batch. */
const following = (
  name: string,
  use: (path: string, next: () => Promise<TranscriptItem[]>) => Promise<void>,
) =>
  inFolder(async (folder) => {
    const path = join(folder, name)
    const end = new AbortController()
    const transcript = followTranscript(path, { pollMs: 5, signal: end.signal })
    const batches = transcript[Symbol.asyncIterator]()
    const next = async () => {
      const { value } = await batches.next()
      return value as TranscriptItem[]
    }
    await use(path, next)
    end.abort()
    expect((await batches.next()).done).toBe(true)
  })

const words = (items: TranscriptItem[]) =>
  items.map(({ event }) => (event.type === 'text' ? event.text : event.type))

describe('following a transcript', () => {
  afterEach(() => vi.useRealTimers())

  it('tells what is there, says that this was all, and goes on', () =>
    following('a.jsonl', async (path, next) => {
      writeFileSync(path, lines(text('one'), text('two')))
      expect(words(await next())).toEqual(['one', 'two'])
      expect(await next()).toEqual([])
      appendFileSync(path, lines(text('three')))
      const [item] = await next()
      expect(item).toMatchObject({ event: text('three'), number: 2, line: 3 })
    }))

  it('has its counts when the signal has come', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'a.jsonl')
      writeFileSync(path, lines(text('one'), text('two'), 'nonsense'))
      const end = new AbortController()
      const transcript = followTranscript(path, { pollMs: 5, signal: end.signal })
      for await (const items of transcript) if (items.length === 0) end.abort()
      expect(transcript.summary).toMatchObject({ format: 'event-lines', records: 3, bad: 1 })
    }))

  it('waits for the end of a line', () =>
    following('a.jsonl', async (path, next) => {
      const line = lines(text('Grüße'))
      writeFileSync(path, lines(text('one')))
      expect(words(await next())).toEqual(['one'])
      await next()
      const bytes = Buffer.from(line)
      appendFileSync(path, bytes.subarray(0, 20))
      appendFileSync(path, bytes.subarray(20, 28))
      appendFileSync(path, bytes.subarray(28))
      expect(words(await next())).toEqual(['Grüße'])
    }))

  it('waits for a file that is not there yet', () =>
    following('a.jsonl', async (path, next) => {
      const first = next()
      writeFileSync(path, '')
      appendFileSync(path, lines(text('one')))
      expect(words(await first)).toEqual(['one'])
    }))

  it('reads a file that was cut, or put in its place, from the beginning', () =>
    following('a.jsonl', async (path, next) => {
      writeFileSync(path, lines(text('one'), text('two')))
      const [before] = await next()
      await next()
      writeFileSync(path, lines(text('new')))
      const [item] = await next()
      expect(item).toMatchObject({ event: text('new'), number: 0, line: 1 })
      expect(item?.run).not.toBe(before?.run)
      await next()
      writeFileSync(`${path}.tmp`, lines(text('newer'), text('still')))
      renameSync(`${path}.tmp`, path)
      expect(words(await next())).toEqual(['newer', 'still'])
    }))

  it('tells what is new in a document that is written anew each time', () =>
    following('api_conversation_history.json', async (path, next) => {
      const messages = JSON.parse(
        readFileSync(fixture('cline/api_conversation_history.json'), 'utf8'),
      )
      const write = (count: number) => {
        writeFileSync(`${path}.tmp`, JSON.stringify(messages.slice(0, count)))
        renameSync(`${path}.tmp`, path)
      }
      write(2)
      const first = await next()
      expect(first.map(({ event }) => event.type)).toContain('tool-call')
      expect(await next()).toEqual([])
      write(3)
      const second = await next()
      expect(second.map(({ event }) => event.type)).toEqual(['tool-result'])
      expect(second[0]?.run).toBe(first[0]?.run)
      expect(second[0]?.number).toBe(first.length)
    }))

  it.each([
    ['written anew', (path: string, content: string) => writeFileSync(path, content)],
    [
      'removed and made again',
      (path: string, content: string) => {
        rmSync(path)
        writeFileSync(path, content)
      },
    ],
  ])('reads a file that was %s and is longer than before from the beginning', (_, write) =>
    following('a.jsonl', async (path, next) => {
      writeFileSync(path, lines(text('one'), text('two')))
      const [before] = await next()
      await next()
      write(path, lines(text('new one'), text('new two'), text('new three')))
      const items = await next()
      expect(words(items)).toEqual(['new one', 'new two', 'new three'])
      expect(items[0]).toMatchObject({ number: 0, line: 1 })
      expect(items[0]?.run).not.toBe(before?.run)
    }),
  )

  it('begins anew with a document that has become shorter, and goes on from there', () =>
    following('messages.json', async (path, next) => {
      const write = (...contents: string[]) => {
        const messages = contents.map((content) => ({ role: 'assistant', content }))
        writeFileSync(
          `${path}.tmp`,
          JSON.stringify([{ role: 'user', content: 'Go.' }, ...messages]),
        )
        renameSync(`${path}.tmp`, path)
      }
      const said = (items: TranscriptItem[]) => words(items).filter((type) => type !== 'turn-start')
      write('one', 'two', 'three')
      const before = await next()
      await next()
      write('summary')
      const after = await next()
      expect(said(after)).toEqual(['prompt', 'summary'])
      expect(after[0]?.run).not.toBe(before[0]?.run)
      expect(after[0]?.number).toBe(0)
      write('summary', 'four')
      const more = await next()
      expect(said(more)).toEqual(['four'])
      expect(more[0]?.run).toBe(after[0]?.run)
    }))

  it('sees what opencode wrote into other files than that of the session', () =>
    inFolder(async (storage) => {
      cpSync(fixture('opencode-tree'), storage, { recursive: true })
      const write = (path: string, record: object) => {
        mkdirSync(dirname(join(storage, path)), { recursive: true })
        writeFileSync(join(storage, path), JSON.stringify(record))
      }
      const end = new AbortController()
      const path = join(storage, 'session/prj/ses_02.json')
      const batches = followTranscript(path, { pollMs: 5, signal: end.signal })[
        Symbol.asyncIterator
      ]()
      const next = async () =>
        ((await batches.next()).value as TranscriptItem[]).map((i) => i.event)
      await next()
      while ((await next()).length > 0);
      const ids = { sessionID: 'ses_02', messageID: 'msg_13' }
      const part = { id: 'prt_30', ...ids, type: 'tool', callID: 'c', tool: 'ls' }
      write('part/msg_13/prt_30.json', { ...part, state: { status: 'running', input: {} } })
      write('message/ses_02/msg_13.json', { id: 'msg_13', sessionID: 'ses_02', role: 'assistant' })
      expect(await next()).toMatchObject([{ type: 'tool-call', name: 'ls' }])
      write('part/msg_13/prt_30.json', { ...part, state: { status: 'completed', output: 'a.ts' } })
      expect(await next()).toMatchObject([{ type: 'tool-result', output: 'a.ts' }])
      end.abort()
      await batches.next()
    }))

  it('forgets a session of a database that is silent, and tells all of it when it grows', () =>
    inFolder(async (folder) => {
      vi.useFakeTimers({ toFake: ['Date'] })
      const path = join(folder, 'opencode.db')
      writeOpencode(path)
      const transcript = followWith(path, { silentMs: 60_000, pause: async () => true })
      const batches = transcript[Symbol.asyncIterator]()
      const next = async () => (await batches.next()).value as TranscriptItem[]
      const isSilent = ({ run }: TranscriptItem) => run.session === 'ses_02'
      const before = (await next()).filter(isSilent)
      expect(await next()).toEqual([])
      vi.setSystemTime(Date.now() + 120_000)
      addPrompt(path, 'ses_02')
      const after = await next()
      expect(after.every(isSilent)).toBe(true)
      expect(after.map(({ event }) => event)).toEqual([
        ...before.map(({ event }) => event),
        expect.objectContaining({ type: 'prompt', text: 'Go on.' }),
      ])
      expect(after[0]).toMatchObject({ number: 0 })
      expect(after[0]?.run).not.toBe(before[0]?.run)
      await batches.return?.()
    }))
})

/** A person says something in a session of opencode. */
function addPrompt(path: string, session: string): void {
  const database = new sqlite.Database(path)
  const at = Date.now()
  const message = { role: 'user', time: { created: at } }
  const part = { type: 'text', text: 'Go on.' }
  const put = (table: string, ...values: (string | number)[]) =>
    database.run(`insert into ${table} values (${values.map(() => '?').join(', ')})`, values)
  put('message', 'msg_99', session, at, at, JSON.stringify(message))
  put('part', 'prt_99', 'msg_99', session, at, at, JSON.stringify(part))
  database.close()
}
