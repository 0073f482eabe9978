import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { splitBlocks } from '../../answer-blocks.js'
import { widthOfRow } from '../columns.js'
import { type Row, toTerminal } from '../row.js'
import { answerRows } from './answer-rows.js'
import { loadHighlighter } from './highlight.js'

const draw = (text: string, columns = 60) =>
  answerRows(text, columns).map((row) => toTerminal(row, false))

beforeAll(loadHighlighter)

describe('Markdown in the terminal', () => {
  it('has lists with their numbers, nested and loose', () => {
    expect(draw('3. three\n4. four\n   - deep')).toEqual(['3. three', '4. four', '   • deep'])
    expect(draw('1. one\n\n2. two')).toEqual(['1. one', '', '2. two'])
    expect(draw('- [x] done\n- [ ] open')).toEqual(['• ☑ done', '• ☐ open'])
  })

  it('has headings, quotes, rules and links without their marks', () => {
    expect(draw('# Title\n\n> said **so**\n\n---\n\n[here](https://a.b)')).toEqual([
      ...['Title', '', '│ said so', '', '─'.repeat(40), '', 'here (https://a.b)'],
    ])
  })

  it('has tables in columns, and wraps wide cells', () => {
    expect(draw('| a | b |\n|---|---|\n| 1 | two three |', 20)).toEqual([
      ...['a  b', '─  ─────────', '1  two three'],
    ])
    expect(draw('| a | b |\n|---|---|\n| 1 | two three four |', 12)).toEqual([
      ...['a  b', '─  ─────────', '1  two three', '   four'],
    ])
  })

  it('puts cells where their columns want them', () => {
    expect(draw('| name | count |\n|---|---:|\n| a | 1 |\n| b | 1000 |')).toEqual([
      ...['name  count', '────  ─────', 'a         1', 'b      1000'],
    ])
  })

  it('has code as it is, in colours where the language is known', () => {
    expect(draw('```ts\nconst a = "<b>" // 1 & 2\n```')).toEqual(['  const a = "<b>" // 1 & 2'])
    const [row] = answerRows('```ts\nconst a = 1\n```', 60)
    expect(row?.find(({ text }) => text === 'const')?.style).toBe('magenta')
    expect(draw('```nope\n  x\n```')).toEqual(['    x'])
  })

  it('shows HTML as text', () => {
    expect(draw('<script>alert(1)</script>')).toEqual(['<script>alert(1)</script>'])
  })

  it('takes what is nested too deep as text', () => {
    expect(draw('>'.repeat(20_000), 80).join('').length).toBeGreaterThan(0)
  })

  it('fits, whatever the text is', () => {
    const pieces = [
      '# ',
      '- ',
      '1. ',
      '> ',
      '```',
      '|',
      '**',
      '`',
      '\n',
      '\n\n',
      '  ',
      'word',
      '日本',
    ]
    const texts = fc.string({ unit: fc.constantFrom(...pieces), maxLength: 60 })
    fc.assert(
      fc.property(texts, fc.integer({ min: 12, max: 80 }), (text, columns) => {
        for (const row of answerRows(text, columns)) {
          expect(row.some(({ text }) => text.includes('\n'))).toBe(false)
          expect(widthOfRow(row)).toBeLessThanOrEqual(columns + DEEP)
        }
      }),
    )
  })
})

// nested lists and quotes keep a few columns, however little room there is
const DEEP = 60

/** What is drawn of an answer that comes in pieces. */
function streamed(text: string, size: number): string[] {
  const rows: Row[] = []
  let live = ''
  let isJoined = true
  const print = (done: string) => {
    if (!isJoined) rows.push([])
    rows.push(...answerRows(done, 60))
  }
  for (let at = 0; at < text.length; at += size) {
    const split = splitBlocks(live + text.slice(at, at + size))
    if (split.done !== '') {
      print(split.done)
      isJoined = split.isJoined
    }
    live = split.rest
  }
  if (live.trim() !== '') print(live)
  return rows.map((row) => toTerminal(row, false))
}

describe('an answer that is streamed', () => {
  const block = fc.constantFrom(
    ...['A paragraph\nof two lines.', '- one\n- two\n  more', '1. one\n\n   within it\n2. two'],
    ...['```js\nlet a\n\nlet b\n```', '~~~\n```\n~~~', '> quoted\n>\n> more', '# Title', '---'],
    '| a | b |\n|---|---|\n| 1 | 2 |',
  )

  it('looks as it does when it is there at once, however it comes', () => {
    fc.assert(
      fc.property(
        fc.array(block, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 1, max: 30 }),
        (blocks, size) => {
          const text = blocks.join('\n\n')
          expect(streamed(text, size)).toEqual(draw(text))
        },
      ),
    )
  })

  it('loses nothing of code that is longer than what is drawn at a time', () => {
    const code = Array.from({ length: 2000 }, (_, line) => `line ${line}`)
    const text = `Look:\n\n\`\`\`\n${code.join('\n')}\n\`\`\`\n\nThat was it.`
    const wanted = ['Look:', '', ...code.map((line) => `  ${line}`), '', 'That was it.']
    expect(streamed(text, 100)).toEqual(wanted)
    expect(draw(text)).toEqual(wanted)
  })

  it('keeps the part that may still change short', () => {
    let rest = ''
    for (let count = 0; count < 3000; count++) {
      rest = splitBlocks(`${rest}words without an end `).rest
      expect(rest.length).toBeLessThan(4100)
    }
  })
})
