import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toPlain, toPlainLines } from './plain-text.js'

// what VS Code 1.100 does to a message before it looks for links, and what it then takes for one
const inMessage = (text: string) =>
  text
    .slice(0, 1000)
    .replace(/\r\n|\n|\r/g, ' ')
    .trim()
const LINK = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)[^)\s]+(?: (["']).+?\1)?\)/i
const ICON = /\$\([a-z0-9-]+(?:~[a-z]+)?\)/i

const LINK_PARTS = ['[', 'x', ']', '(', 'command:', 'a', ')']
const ICON_PARTS = ['$', '(', 'error', ')']
const PIECES = [
  ...['[', ']', '(', ')', '](', '[x](', '$(', '$', '"', "'", '\\', ' ', 'x', '…'],
  ...['command:', 'COMMAND:a', 'https://a.example', 'http://', 'file:///a', 'error', 'sync~spin'],
  ...['\n', '\r\n', '\t', '\0', '\x1b[31m', '\x7f', '\x85', '\u2028', '\u00a0', '\ufeff'],
  ...['\u200b', '\u200d', '\u2060', '\u00ad', '\u202e', '\u2066', '\u2069', '\u200f', '\u061c'],
  ...['［', '］', '（', '\u0301', '\ud83d', '\ude00', '😀', '\u{e0020}'],
]
const piece = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...PIECES) }, fc.string())
/** A link or an icon, with something in between here and there. */
const nearly = fc.constantFrom(LINK_PARTS, ICON_PARTS).chain((parts) =>
  fc
    .array(fc.oneof({ weight: 5, arbitrary: fc.constant('') }, piece), {
      minLength: parts.length,
      maxLength: parts.length,
    })
    .map((between) => parts.map((part, index) => part + between[index]).join('')),
)
const outside = fc.array(fc.oneof(piece, nearly), { maxLength: 12 }).map((all) => all.join(''))

describe('outside text', () => {
  it.each([
    '[click](command:workbench.action.terminal.sendSequence?%7B%7D)',
    '[click](https://evil.example "a title")',
    '[a]b](file:///etc/passwd)',
    '[x]\u202e(command:a)',
    '[x]\0(command:a)',
    `${'a'.repeat(990)}[x](command:a)`,
    '$(error) $(sync~spin)',
  ])('is not made a link or an icon: %j', (text) => {
    const plain = inMessage(toPlain(text))
    expect(plain).not.toMatch(LINK)
    expect(plain).not.toMatch(ICON)
  })

  it('never becomes a link or an icon, whatever it is made of', () => {
    let links = 0
    fc.assert(
      fc.property(outside, (text) => {
        if (LINK.test(inMessage(text)) || ICON.test(text)) links++
        for (const plain of [toPlain(text), toPlain(toPlain(text))]) {
          // neither grammar can do without these two characters side by side
          expect(plain).not.toMatch(/[\]$]\(/)
          expect(inMessage(plain)).not.toMatch(LINK)
          expect(plain).not.toMatch(ICON)
        }
        expect(toPlain(text)).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069\u2028\u2029]/u)
      }),
      { numRuns: 2000, examples: [['[x](command:a)'], ['$(x)']] },
    )
    // the generator does make them
    expect(links).toBeGreaterThan(1000)
  })

  it('is read as it was written', () => {
    const seen = (text: string) => toPlain(text).replaceAll('\u2060', '')
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 900 }), (text) => {
        expect(seen(text)).toBe(text)
      }),
    )
    expect(seen('cat routes[0](x) $(pwd)')).toBe('cat routes[0](x) $(pwd)')
    expect(toPlain('نص 中文 👩‍👩‍👧 é')).toBe('نص 中文 👩‍👩‍👧 é')
    expect(toPlain('a\r\nb\x1b[0m\u202e')).toBe('a  b�[0m�')
  })

  it('of any length takes little room', () => {
    expect(toPlain('x'.repeat(1_000_000)).length).toBeLessThan(1010)
  })

  it('in several lines keeps only the line breaks that are ours', () => {
    expect(toPlainLines(['a\nb', '[c](command:d)'])).toBe('a b\n[c]\u2060(command:d)')
  })
})
