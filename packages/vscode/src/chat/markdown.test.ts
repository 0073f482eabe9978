import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Markup, type MarkupElement, toMarkup } from './markdown.js'
import { createPieces } from './markdown-pieces.js'
import { toReference } from './path-reference.js'

const elementsIn = (all: readonly Markup[]): MarkupElement[] =>
  all.flatMap((one) => {
    if (typeof one === 'string') return []
    if (one.type === 'table') {
      const cells = [...one.header, ...one.rows.flat()]
      return [one, ...cells.flatMap(({ children }) => elementsIn(children))]
    }
    return [one, ...('children' in one ? elementsIn(one.children) : [])]
  })

const textOf = (all: readonly Markup[]): string =>
  all
    .map((one) => {
      if (typeof one === 'string') return one
      if ('text' in one) return one.text
      return 'children' in one ? textOf(one.children) : ''
    })
    .join('')

describe('a message', () => {
  it('has lists that go on counting, also where their items stand apart', () => {
    const [list] = toMarkup('1. one\n\n2. two\n\n3. three')
    expect(list).toMatchObject({ type: 'ordered-list', start: 1, children: [{}, {}, {}] })
    expect(toMarkup('7. seven')).toMatchObject([{ type: 'ordered-list', start: 7 }])
  })

  it('has lists of tasks, lists within lists, quotes, tables and rules', () => {
    expect(toMarkup('- [x] done\n- [ ] todo')).toMatchObject([
      {
        type: 'list',
        children: [
          { children: [{ type: 'checkbox', isChecked: true }, { type: 'fragment' }] },
          { children: [{ type: 'checkbox', isChecked: false }, { type: 'fragment' }] },
        ],
      },
    ])
    expect(elementsIn(toMarkup('- a\n  - b')).filter(({ type }) => type === 'list')).toHaveLength(2)
    expect(toMarkup('> so **it** is\n\n---')).toMatchObject([
      { type: 'quote', children: [{ children: ['so ', { type: 'strong' }, ' is'] }] },
      { type: 'rule' },
    ])
    expect(toMarkup('| a | b |\n|--|--:|\n| 1 | `2` |')).toMatchObject([
      {
        type: 'table',
        header: [{ children: ['a'] }, { align: 'right', children: ['b'] }],
        rows: [[{ children: ['1'] }, { children: [{ type: 'code', text: '2' }] }]],
      },
    ])
  })

  it('has code with its language, as it was written', () => {
    expect(toMarkup('```ts title=x\nconst a = "<b>&amp;"\n```')).toEqual([
      { type: 'code-block', language: 'ts', text: 'const a = "<b>&amp;"' },
    ])
  })

  it('has links to the web; all others are text', () => {
    expect(toMarkup('[a](https://a.example) <mailto:b@c.example>')[0]).toMatchObject({
      children: [{ type: 'link', href: 'https://a.example' }, ' ', { href: 'mailto:b@c.example' }],
    })
    for (const href of [
      'command:x',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'vscode://x',
      'data:text/html,x',
      '/etc/passwd',
      '../x.ts',
    ]) {
      const markup = toMarkup(`[click](${href})`)
      expect(
        elementsIn(markup).map(({ type }) => type),
        href,
      ).toEqual(['paragraph'])
      expect(textOf(markup)).toBe(`[click](${href})`)
    }
  })

  it('keeps markup of other kinds as text', () => {
    const html = '<img src=x onerror=alert(1)> <script>x</script>'
    expect(textOf(toMarkup(html))).toBe(html)
    expect(textOf(toMarkup(`see ${html}`))).toBe(`see ${html}`)
  })

  it('names the files it speaks of, in code, links and words', () => {
    const paths = elementsIn(
      toMarkup(
        'See `src/a.ts:12`, [this](docs/b.md#L3) and (lib/c.js:4). Not and/or, 1/2 or e.g. this.',
      ),
    ).flatMap((one) => ('path' in one ? [one.path] : []))
    expect(paths).toEqual(['src/a.ts:12', 'docs/b.md#L3', 'lib/c.js:4'])
  })

  it('has, whatever is written, no link but to the web, and loses nothing', () => {
    const words = fc.constantFrom(
      ...[
        '[x](',
        ')',
        'javascript:',
        'https://',
        '<a href=x>',
        '`',
        '*',
        '_',
        '|',
        '\n',
        '- ',
        '> ',
        '1. ',
        'a.ts:1',
        '```',
        ' ',
      ],
    )
    fc.assert(
      fc.property(fc.array(words, { maxLength: 40 }), (parts) => {
        for (const element of elementsIn(toMarkup(parts.join('')))) {
          if (element.type === 'link') expect(element.href).toMatch(/^(https?:|mailto:)/i)
        }
      }),
    )
  })
})

describe('a paragraph with thousands of marks', () => {
  it.each(['*a_', '_a*', '*a ', '_a ', '**a_', '***a_', '~*_a', '`a', 'a_b', '[a]('])(
    'stays text: %s',
    (part) => {
      const text = `${part.repeat(12_000 / part.length)} \`code\``
      expect(toMarkup(text)).toEqual([{ type: 'paragraph', children: [text] }])
      expect(toMarkup(`- ${text}\n- *b*`)).toMatchObject([
        {
          type: 'list',
          children: [
            { children: [{ children: [text] }] },
            { children: [{ children: [{ type: 'emphasis' }] }] },
          ],
        },
      ])
    },
  )

  it('leaves the others as they are', () => {
    const bold = '**bold** and `code` '.repeat(80)
    const all = toMarkup(`${bold}\n\n${'*a_'.repeat(1000)}\n\n${bold}`)
    expect(all.map((one) => elementsIn([one]).length)).toEqual([161, 1, 161])
  })

  it('is one only by its own marks', () => {
    const list = toMarkup('- **bold** and `code`\n'.repeat(500))
    expect(elementsIn(list).filter(({ type }) => type === 'strong')).toHaveLength(500)
  })
})

it.each([
  ['src/a.ts', { path: 'src/a.ts' }],
  ['a.ts:3:9', { path: 'a.ts', line: 3 }],
  ['./a.ts#L3', { path: './a.ts', line: 3 }],
  ['../a.ts', undefined],
  ['/etc/passwd.txt', undefined],
  ['~/a.txt', undefined],
  ['https://a.b', undefined],
  ['command:a.b', undefined],
  ['word', undefined],
])('%s is a place in a file, or not', (word, expected) => {
  expect(toReference(word)).toEqual(expected)
})

describe('a message that is being written', () => {
  const cut = (text: string, size: number) => {
    const pieces = createPieces()
    const complete: string[] = []
    let longest = 0
    let rest = ''
    for (let at = 0; at < text.length; at += size) {
      const now = pieces.write(text.slice(at, at + size))
      complete.push(...now.complete.map((piece) => piece.text))
      rest = now.rest
      longest = Math.max(longest, rest.length)
    }
    return { complete, rest, longest }
  }

  const block = fc.constantFrom(
    'Some **words** of it.',
    '- a\n- b',
    '1. x\n2. y',
    '```js\nlet a\n\nlet b\n```',
    '> quote',
    '# Title',
    '| a |\n|--|\n| 1 |',
  )
  it('looks in pieces as it does at once', () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 12 }),
        fc.integer({ min: 1, max: 50 }),
        (blocks, size) => {
          const text = blocks.join('\n\n')
          const { complete, rest } = cut(text, size)
          expect([...complete, rest].join('')).toBe(text)
          // two lists or quotes in a row are one, and code ends none
          expect([...complete, rest].flatMap(toMarkup)).toEqual(toMarkup(text))
        },
      ),
    )
  })

  it.each([
    ['prose', 'Some words, **bold** ones.\n\n'],
    ['one list', '- an item with `code`\n'],
    ['one table', '| a | b |\n'],
    ['one paragraph', 'word '],
    ['open brackets', '[[[['],
    ['quotes', '> '],
    ['code', 'let a = 1\n', '```js\n'],
  ])('is drawn in bounded parts: %s', (_, part, before = '') => {
    const { complete, rest, longest } = cut(before + part.repeat(250_000 / part.length), 200)
    expect(longest).toBeLessThan(65_000)
    expect([...complete, rest].join('').length).toBeGreaterThan(249_000)
  })

  it.each([
    ['at its end', ''],
    ['before a paragraph', '\nThat is all.'],
  ])('has code that is complete in one part: %s', (_, after) => {
    const code = `\`\`\`js\n${'let a = 1\n'.repeat(3000)}\`\`\``
    const { complete, rest } = cut(code + after, 200)
    const parts = [...complete, rest].map((part) => part.trim()).filter(Boolean)
    expect(parts).toEqual([code, after.trim()].filter(Boolean))
  })

  it('keeps long code together as far as it can, and says where it goes on', () => {
    const pieces = createPieces()
    const { complete } = pieces.write(`\`\`\`js\n${'let a = 1\n'.repeat(15_000)}`)
    expect(complete.map(({ joint }) => joint)).toEqual([undefined, '\n'])
    expect(pieces.joint).toBe('\n')
    for (const { text } of complete) {
      expect(toMarkup(text)).toMatchObject([{ type: 'code-block', language: 'js' }])
    }
  })
})
