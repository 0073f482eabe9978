import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { detectFormat, listFolder, transcriptLocations } from '../src/index.js'
import { fixture, inFolder, readAll, readText, told } from './read.js'
import { nothing, rounded, type Tally, tallyOf } from './tally.js'

const HISTORY = fixture('aider.chat.history.md')

describe('a history of Aider', () => {
  it('tells requests, answers, edits and commands', async () => {
    const { items, events, summary } = await readAll(HISTORY)
    expect(summary).toMatchObject({ format: 'aider', bad: 0, runs: 2 })
    expect(told(events)).toEqual([
      'prompt Why does the checkout test fail?\nIt worked yesterday.',
      'turn-start',
      expect.stringMatching(/^text The total is rounded twice[\s\S]*```$/),
      'usage 4500 0 1200',
      'call  edit undefined',
      'result edit failed "The LLM did not conform to the edit format."',
      'turn-start',
      expect.stringMatching(/^text I read the file wrongly/),
      'usage 12000 3400 382',
      'call  edit undefined',
      'result edit "Applied edit to checkout.ts"',
      'call  shell {"command":"npm test"}',
      'prompt /run git status',
      'prompt Add a test.',
      'usage 33484 0 75',
      'turn-start',
      'text Please add `checkout.test.ts` to the chat.',
    ])
    expect([...new Set(items.map(({ run }) => run))]).toEqual([
      {
        format: 'aider',
        program: 'aider',
        project: fixture('').replace(/\/$/, ''),
        session: '2026-11-13 09:00:00',
        model: 'anthropic/claude-sonnet-4-5',
        startedAt: new Date(2026, 10, 13, 9).getTime(),
      },
      {
        format: 'aider',
        program: 'aider',
        project: fixture('').replace(/\/$/, ''),
        session: '2026-11-14 10:30:00',
        model: 'gpt-4o',
        startedAt: new Date(2026, 10, 14, 10, 30).getTime(),
        outcome: { kind: 'limit', status: 'reflections' },
      },
    ])
  })

  it('adds up to what a script counts', async () => {
    const { items } = await readAll(HISTORY)
    expect(tallyOf(items)).toEqual(counted(readFileSync(HISTORY, 'utf8')))
  })

  it('is known by its beginning only', async () => {
    const text = 'We use Aider.\n\n# aider chat started at 2026-11-13 09:00:00\n'
    expect((await readText(text, {}, 'notes.md')).summary.problem?.code).toBe('unknown-format')
    const json = '\n# aider chat started at 2026-11-13 09:00:00\n\n{"type":"text"}\n{"a":1}\n'
    expect((await readText(json, {}, 'notes.md')).summary.format).toBe('aider')
  })

  it('is found in the folder of a project', () =>
    inFolder(async (folder) => {
      const path = join(folder, '.aider.chat.history.md')
      copyFileSync(HISTORY, path)
      const found = []
      for await (const one of listFolder(folder)) found.push(one.path)
      expect(found).toEqual([path])
      expect((await detectFormat(path)).format?.name).toBe('aider')
      const env = { PWD: folder, AIDER_CHAT_HISTORY_FILE: '/elsewhere.md' }
      const places = transcriptLocations(env, 'linux', '/home/ada').filter(
        ({ program }) => program === 'aider',
      )
      expect(places.map((place) => place.path)).toEqual([
        '/elsewhere.md',
        path,
        '/home/ada/.aider.chat.history.md',
      ])
    }))

  it('may have a block that is longer than a record may be', async () => {
    const text = `# aider chat started at 2026-11-13 09:00:00\n\n#### Why?\n\n${'word\n'.repeat(100)}\n#### So?\n`
    const { events, summary } = await readText(text, { maxRecordBytes: 300 }, 'it.md')
    expect(summary).toMatchObject({ records: 4, bad: 1 })
    expect(told(events)).toEqual(['prompt Why?', 'prompt So?'])
  })
})

/** Counts without the reader. */
function counted(text: string): Tally {
  const sum = nothing()
  let before = ''
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const kind = /^(?:# aider|#### |> )/.exec(line)?.[0] ?? 'model'
    if (kind === '#### ' && before !== kind) sum.prompts++
    if (kind === 'model' && before !== kind) sum.turns++
    before = kind
    if (/^> (?:Applied edit|Running|The LLM did not)/.test(line)) sum.calls++
    if (/^> (?:Applied edit|The LLM did not)/.test(line)) sum.results++
    if (line.startsWith('> The LLM did not')) sum.errors++
    const number = (pattern: RegExp) => {
      const [, digits = '0', k] = pattern.exec(line) ?? []
      return Number(digits) * (k ? 1000 : 1)
    }
    sum.input += number(/ ([\d.]+)(k)? (?:sent|prompt)/)
    sum.cached += number(/ ([\d.]+)(k)? cache hit/)
    sum.written += number(/ ([\d.]+)(k)? cache write/)
    sum.output += number(/ ([\d.]+)(k)? (?:received|completion)/)
    sum.cost += number(/\$([\d.]+) (?:message|cost)/)
  }
  return rounded(sum)
}
