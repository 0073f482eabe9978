import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { AgentEvent } from 'unloop'
import { describe, expect, it } from 'vitest'
import { type Mark, type TranscriptItem, toMarkdown } from '../src/index.js'
import { writeOpencode } from './databases.js'
import { fixture, inFolder, lines, readAll } from './read.js'

const run = { format: 'event-lines', program: 'claude-code', session: 's', project: '/shop' }

/** Items of one run, one event per line. */
const itemsOf = (events: readonly AgentEvent[]): TranscriptItem[][] => [
  events.map((event, number) => ({ event, run, number, line: number + 1, offset: 0 })),
]

/** The lines of a document that are not within a fence, as Markdown tells them apart. */
function outside(document: string): string[] {
  let open: { quote: string; ticks: string } | undefined
  return document.split('\n').filter((row) => {
    const [, quote = '', ticks] = /^(> )?(`{3,})/.exec(row) ?? []
    if (!open) {
      if (ticks !== undefined) open = { quote, ticks }
      return ticks === undefined
    }
    const isEnd =
      ticks !== undefined &&
      quote === open.quote &&
      row === quote + ticks &&
      ticks.length >= open.ticks.length
    if (isEnd) open = undefined
    return false
  })
}

const headings = (document: string) => outside(document).filter((row) => row.startsWith('#'))

describe('a transcript as Markdown', () => {
  it('says who did what, when and where it stands', async () => {
    const { items } = await readAll(fixture('claude-code.jsonl'))
    const { text } = await toMarkdown([items])
    expect(text).toMatchInlineSnapshot(`
      "# Session of Claude Code

      - Session: \`5f0c2f0e-6c1b-4b7c-9a35-0d6f6e1f0a11\`
      - Model: \`claude-sonnet-5\`
      - Project: \`/home/ada/shop\`
      - Time: 2026-11-02 09:00:02 to 2026-11-02 09:00:23 (UTC)

      ### Request (line 3, 09:00:02)

      \`\`\`markdown
      Why does the login test fail?
      \`\`\`

      ### Thought (line 4, 09:00:03)

      > \`\`\`markdown
      > The test may read a file that is gone.
      > \`\`\`

      ### Call of \`Read\` (line 5, 09:00:04)

      \`\`\`json
      {
        "file_path": "/home/ada/shop/login.ts"
      }
      \`\`\`

      ### Call of \`Bash\` (line 6, 09:00:05)

      \`\`\`json
      {
        "command": "npm test",
        "description": "Run the tests"
      }
      \`\`\`

      ### Result of \`Read\` (line 7, 09:00:06)

      \`\`\`text
           1	export function login() {}
      \`\`\`

      ### Error of \`Bash\` (line 8, 09:00:07)

      \`\`\`text
      Error: Exit code 1
      1 failed
      \`\`\`

      ### Call of \`Task\` (line 9, 09:00:08)

      \`\`\`json
      {
        "description": "look around",
        "prompt": "Find the caller of login"
      }
      \`\`\`

      ### Request by sub-agent \`a7f3c2e1\` (line 10, 09:00:09)

      \`\`\`markdown
      Find the caller of login
      \`\`\`

      ### Call of \`Grep\` by sub-agent \`a7f3c2e1\` (line 11, 09:00:10)

      \`\`\`json
      {
        "pattern": "login\\\\("
      }
      \`\`\`

      ### Result of \`Grep\` by sub-agent \`a7f3c2e1\` (line 12, 09:00:11)

      \`\`\`text
      No matches found
      \`\`\`

      ### Result of \`Task\` (line 13, 09:00:12)

      \`\`\`text
      Nobody calls it.
      \`\`\`

      ### Answer (line 15, 09:00:13)

      \`\`\`markdown
      Nobody calls login, so the test fails.
      \`\`\`

      ### The history was condensed (line 16, 09:00:14)

      ### Request (line 18, 09:00:16)

      \`\`\`markdown
      Then remove it.
      \`\`\`

      ### Call of \`Edit\` (line 19, 09:00:17)

      \`\`\`json
      {
        "file_path": "/home/ada/shop/login.ts",
        "old_string": "export function login() {}",
        "new_string": ""
      }
      \`\`\`

      ### Result of \`Edit\` (line 20, 09:00:18)

      \`\`\`text
      The file has been updated.
      \`\`\`

      ### Answer (line 21, 09:00:19)

      \`\`\`markdown
      Removed.
      \`\`\`

      ### Request (line 22, 09:00:20)

      \`\`\`markdown
      No, write it anew instead.
      \`\`\`

      ### Answer (line 24, 09:00:22)

      \`\`\`markdown
      I will write it anew.
      \`\`\`

      ### Request (line 25, 09:00:23)

      \`\`\`markdown
      /cost
      \`\`\`
      "
    `)
  })

  it('shows texts of several lines as they are, and thoughts as quotes', async () => {
    const { text } = await toMarkdown(
      itemsOf([
        { type: 'reasoning', text: 'First\nsecond' },
        { type: 'tool-call', name: 'Write', args: { path: 'a.ts', content: 'one\ntwo\n' } },
        { type: 'tool-result', name: 'Write', isError: true, output: { code: 1 } },
      ]),
    )
    expect(text).toMatchInlineSnapshot(`
      "# Session of Claude Code

      - Session: \`s\`
      - Project: \`/shop\`

      ### Thought (line 1)

      > \`\`\`markdown
      > First
      > second
      > \`\`\`

      ### Call of \`Write\` (line 2)

      \`\`\`json
      {
        "path": "a.ts"
      }
      \`\`\`

      Argument \`content\`:

      \`\`\`text
      one
      two
      \`\`\`

      ### Error of \`Write\` (line 3)

      \`\`\`json
      {
        "code": 1
      }
      \`\`\`
      "
    `)
  })

  it('leads from a line of the source to the document and back', async () => {
    const { text, lineOf, sourceLineOf } = await toMarkdown(fixture('claude-code.jsonl'))
    const rows = text.split('\n')
    const shown = rows.flatMap((row, at) => {
      const line = /^### .*\(line (\d+)/.exec(row)?.[1]
      return line === undefined ? [] : [{ line: Number(line), at: at + 1 }]
    })
    expect(shown.length).toBeGreaterThan(5)
    for (const { line, at } of shown) expect(sourceLineOf(at)).toBe(line)
    for (const { line } of shown) {
      expect(lineOf(line)).toBe(shown.find((one) => one.line === line)?.at)
    }
    expect(sourceLineOf(1)).toBeUndefined()
    expect(lineOf(0)).toBe(1)
    expect(lineOf(1e9)).toBe(shown.findLast(({ line }) => line === shown.at(-1)?.line)?.at)
  })

  it('points out loops where they start and end', async () => {
    const events = Array.from(
      { length: 6 },
      (_, at): AgentEvent => ({ type: 'text', text: `${at}` }),
    )
    const marks = [{ firstLine: 2, lastLine: 4, note: 'the same\n# answer' }]
    const { text, lineOf } = await toMarkdown(itemsOf(events), { marks })
    expect(headings(text)).toEqual([
      '# Session of Claude Code',
      '### Answer (line 1)',
      '## Loop: lines 2 to 4',
      ...['### Answer (line 2)', '### Answer (line 3)', '### Answer (line 4)'],
      '## End of the loop: lines 2 to 4',
      ...['### Answer (line 5)', '### Answer (line 6)'],
    ])
    expect(text.split('\n')[lineOf(2) - 1]).toBe('### Answer (line 2)')
  })

  it('shows a window, and says how much is left out', async () => {
    const events = Array.from(
      { length: 5000 },
      (_, at): AgentEvent => ({ type: 'text', text: `${at}` }),
    )
    const middle = await toMarkdown(itemsOf(events), { around: 3000, window: 10 })
    expect(middle).toMatchObject({ shown: 20, before: 2989, after: 1991 })
    expect(middle.text).toContain('*2,989 earlier events left out.*')
    expect(middle.text).toContain('*1,991 later events left out.*')
    expect(middle.sourceLineOf(middle.lineOf(3000))).toBe(3000)
    const end = await toMarkdown(itemsOf(events), { window: 10 })
    expect(end).toMatchObject({ shown: 20, before: 4980, after: 0 })
  })

  it('shows one session of many, or all with a heading for each', async () => {
    const items = itemsOf([
      { type: 'text', text: 'mine' },
      { type: 'text', text: 'theirs' },
    ]).flat()
    Object.assign(items[1] ?? {}, { run: { ...run, session: 'other' } })
    expect((await toMarkdown([items], { session: 's' })).text).not.toContain('theirs')
    expect(headings((await toMarkdown([items])).text)).toEqual([
      '# Session of Claude Code',
      '### Answer (line 1)',
      '## Session of Claude Code',
      '### Answer (line 2)',
    ])
  })

  it('shows a session of a database', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'opencode.db')
      writeOpencode(path)
      const { text, shown } = await toMarkdown(path, { session: 'ses_02' })
      expect(shown).toBeGreaterThan(1)
      expect(text).toContain('- Session: `ses_02`')
      expect(text).not.toContain('ses_01')
    }))

  it('shortens what is long, and says by how much', async () => {
    const output = `first ${'x'.repeat(50_000)} last`
    const { text } = await toMarkdown(itemsOf([{ type: 'tool-result', name: 'cat', output }]))
    expect(text).toContain('first x')
    expect(text).toContain('x last')
    expect(outside(text)).toContain('*48,011 characters left out.*')
    expect(text.length).toBeLessThan(3000)
  })

  it('takes out what should not be shown', async () => {
    const clean = (text: string) => text.replaceAll('sk-123', '(key)')
    const events: AgentEvent[] = [
      { type: 'prompt', text: 'use sk-123' },
      { type: 'tool-call', name: 'Bash', args: { command: 'a\nsk-123', key: 'sk-123' } },
    ]
    const marks = [{ firstLine: 1, lastLine: 2, note: 'sk-123 again' }]
    const { text } = await toMarkdown(itemsOf(events), { clean, marks })
    expect(text).not.toContain('sk-123')
    expect(text.match(/\(key\)/g)).toHaveLength(4)
  })

  it('shows a place in a file of more than 50 MB', () =>
    inFolder(async (folder) => {
      const path = join(folder, 'large.jsonl')
      const file = openSync(path, 'w')
      const output = 'x'.repeat(100_000)
      for (let line = 1; line <= 600; line++) {
        writeSync(file, lines({ type: 'text', text: `${line} ${output}` }))
      }
      closeSync(file)
      const { text, lineOf, before, after } = await toMarkdown(path, { around: 300, window: 20 })
      expect({ before, after }).toEqual({ before: 279, after: 281 })
      expect(text.split('\n')[lineOf(300) + 2]).toMatch(/^300 x/)
    }))

  it('says why there is nothing to show', async () => {
    const nothing = await toMarkdown('/nowhere.jsonl')
    expect(nothing.problem?.code).toBe('unreadable')
    expect(nothing.text).toContain('no such file')
    expect(nothing.shown).toBe(0)
  })

  it('refuses a window that shows nothing', async () => {
    await expect(toMarkdown(itemsOf([]), { window: 0 })).rejects.toThrow(/window .* got 0$/)
  })
})

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        ...[
          '`',
          '```',
          '````\n',
          '~~~\n',
          '\n# forged\n',
          '\r## forged\r',
          '> ',
          '> ```\n',
          '\n\n',
        ],
        ...[
          '<script>',
          '![](https://x.y/z)',
          '](command:x)',
          '\u2028',
          '\u202e',
          '\x1b[0m',
          '    ',
          '\t',
        ],
        ...['- ', '* ', '---\n', '===\n', '|', '\\', '\ud800', '*', 'a'],
      ),
      { maxLength: 30 },
    )
    .map((parts) => parts.join('')),
)
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const event: fc.Arbitrary<AgentEvent> = fc.oneof(
  fc.record({ type: fc.constantFrom('text' as const, 'reasoning' as const), text: hostile }),
  fc.record({ type: fc.constant('prompt' as const), text: hostile }),
  fc.record({
    ...{ type: fc.constant('tool-call' as const), id: hostile, name: hostile },
    args: fc.oneof(hostile, fc.dictionary(hostile, fc.oneof(hostile, fc.jsonValue()))),
  }),
  fc.record({ type: fc.constant('tool-result' as const), id: hostile, output: fc.anything() }),
  fc.record({ type: fc.constant('handoff' as const), to: hostile, text: hostile, agent: hostile }),
  fc.record({ type: fc.constantFrom('retry' as const, 'usage' as const, 'compaction' as const) }),
)
const facts = fc.record({
  ...{ format: hostile, program: maybe(hostile), session: maybe(hostile) },
  ...{ project: maybe(hostile), model: maybe(hostile) },
})
const mark: fc.Arbitrary<Mark> = fc
  .tuple(fc.nat(20), fc.nat(20), hostile)
  .map(([firstLine, more, note]) => ({ firstLine, lastLine: firstLine + more, note }))

describe('hostile content', () => {
  it('forges no heading and leaves no fence', () =>
    fc.assert(
      fc.asyncProperty(
        ...[fc.array(event, { maxLength: 20 }), facts, fc.array(mark, { maxLength: 3 })],
        async (events, about, marks) => {
          const items = itemsOf(events).flat()
          for (const item of items) Object.assign(item, { run: about })
          const { text, shown, lineOf, sourceLineOf } = await toMarkdown([items], { marks })
          const rows = outside(text)
          expect(rows.filter((row) => row.startsWith('### '))).toHaveLength(shown)
          expect(rows.filter((row) => row.startsWith('# '))).toHaveLength(1)
          expect(rows.filter((row) => !OURS.test(withoutCode(row)))).toEqual([])
          expect(text).not.toMatch(/(?![\n\t])\p{Cc}|[\u2028-\u202e\u2066-\u2069]/u)
          for (const { line, event } of items) {
            if (event.type !== 'usage') expect(sourceLineOf(lineOf(line))).toBe(line)
          }
        },
      ),
      { numRuns: 500 },
    ))
})

// headings, facts, notes and names of arguments, without the code in them
const OURS =
  /^(?:> )?(?:|#{1,3} [\w :(),-]+|- \w+:[\w :(),;-]*|\*[\w,. ]+\*|Argument (?:\(nothing\))?:|Not everything could be read:)$/

/** A line without its code, which begins and ends with the same number of backticks. */
function withoutCode(row: string): string {
  const [before = '', ticks, ...rest] = row.split(/(`+)/)
  const end = rest.indexOf(ticks ?? '')
  return ticks === undefined || end < 0 ? row : before + withoutCode(rest.slice(end + 1).join(''))
}
