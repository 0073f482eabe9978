import { cpSync, existsSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fixture, inFolder, readAll, readText } from './read.js'

// each is a megabyte or two: what takes time that grows with the square of it would not end
const long = 2 ** 20
const line = '{"type":"text","text":"Hello"}\n'
const hostile: Record<string, string> = {
  'open brackets': '['.repeat(long),
  'open objects': '{"a":'.repeat(long / 4),
  'open brackets on one line of many': `${line}${'['.repeat(long)}\n${line}`,
  'a deep value in a line': `${line}{"type":"tool-call","name":"a","args":${'['.repeat(50_000)}${']'.repeat(50_000)}}\n`,
  'nothing but newlines': '\n'.repeat(long),
  'blanks without an end': ' '.repeat(long),
  'a text without an end': `{"type":"${'a'.repeat(long)}`,
  'quotes without an end': '"'.repeat(long),
  'backslashes without an end': `{"a":"${'\\'.repeat(long)}`,
  commas: `[${','.repeat(long)}`,
  'zeros behind a good line': `${line}${'\0'.repeat(long)}\n${line}`,
  'many keys': `{${Array.from({ length: 50_000 }, (_, i) => `"k${i}":{}`).join()}}`,
  'tags without an end': JSON.stringify([
    { role: 'user', content: `<environment_details>${'<task>'.repeat(long / 6)}`, ts: 1 },
    { role: 'assistant', content: [{ type: 'text', text: '<read_file>'.repeat(long / 11) }] },
    { role: 'assistant', content: [{ type: 'text', text: `<read_file>${'<a>'.repeat(20_000)}` }] },
  ]),
  'fences without an end': JSON.stringify({
    info: { mini_version: '1' },
    messages: [{ role: 'assistant', content: '```bash\nls '.repeat(long / 11) }],
  }),
  'exit codes without an end': `${JSON.stringify({
    type: 'response_item',
    payload: { type: 'function_call_output', output: 'exit \n'.repeat(long / 6) },
  })}\n`,
  'rewinds to and fro': geminiWith((i) => `{"id":"n${i}","type":"user"}\n{"$rewindTo":"n${i}"}\n`),
  'a history that is replaced again and again': geminiWith(
    (i) => `{"id":"n${i}","type":"user"}\n{"$set":{"messages":[{"id":"m8000"}]}}\n`,
  ),
  'reminders without an end': JSON.stringify([
    { role: 'user', content: '<system-reminder>'.repeat(long / 17) },
    { role: 'assistant', content: 'Hm.' },
  ]),
}

/** A session with as many messages as are remembered, and many lines behind them. */
function geminiWith(line: (i: number) => string): string {
  const head = '{"sessionId":"s","projectHash":"p"}\n'
  const messages = Array.from({ length: 8001 }, (_, i) => `{"id":"m${i}","type":"user"}\n`)
  return head + messages.join('') + Array.from({ length: 40_000 }, (_, i) => line(i)).join('')
}

describe('a hostile file ends in time', () => {
  it.each(Object.entries(hostile))('%s', async (_, content) => {
    const { summary } = await readText(content)
    expect(summary.used + summary.skipped + summary.bad).toBe(summary.records)
  })
})

// a device that never ends stands where a file should
describe.skipIf(!existsSync('/dev/zero'))('a folder with something in it that has no end', () => {
  const readWith = (name: string, file: string, path = '') =>
    inFolder(async (folder) => {
      cpSync(fixture(name), folder, { recursive: true })
      rmSync(join(folder, file))
      symlinkSync('/dev/zero', join(folder, file))
      return (await readAll(join(folder, path))).summary
    })

  it('is read without it', async () => {
    const summary = await readWith('openhands', 'events/event-00004-e4.json')
    expect(summary).toMatchObject({ records: 11, bad: 1 })
    expect(summary.badRecords[0]?.reason).toContain('is not a file')
  })

  it('is read without what would stand beside it', async () => {
    const file = 'api_conversation_history.json'
    const whole = (await readAll(fixture(`cline/${file}`))).summary
    const summary = await readWith('cline', 'ui_messages.json', file)
    expect(summary).toMatchObject({ records: whole.records, bad: 0 })
  })
})
