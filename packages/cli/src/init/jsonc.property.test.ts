import fc from 'fast-check'
import { getNodeValue, parse, parseTree } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { commandsIn, withEntries, withoutEntries } from './hook-entries.js'

const EVENTS = ['PreToolUse', 'PostToolUse', 'Stop']
const entry = (command: string) => ({ hooks: [{ type: 'command', command, timeout: 10 }] })
const wanted = (command = 'unloop hook claude-code') => ({
  events: Object.fromEntries(EVENTS.map((event) => [event, entry(command)])),
  isOurs,
})
const isOurs = (command: string) => command.includes('unloop hook')

const blank = fc.constantFrom(' ', '\t', '  ')
const comment = fc.constantFrom('// one, { "two": [', '/* three: "]} */', '/**/', '//')

/** Blanks, line ends and comments, as people leave them between values. */
const filler = (lineEnd: string) =>
  fc
    .array(fc.oneof(blank, fc.constant(lineEnd), comment), { maxLength: 3 })
    .map((parts) => parts.map((part) => (part.startsWith('//') ? part + lineEnd : part)).join(''))

/** A value as a JSON text with comments, in any layout. */
const written = (value: unknown, lineEnd: string): fc.Arbitrary<string> => {
  const gap = filler(lineEnd)
  const list = (items: fc.Arbitrary<string>[], open: string, close: string) =>
    fc
      .tuple(
        fc.tuple(...items.map((item) => fc.tuple(gap, item, gap))),
        gap,
        fc.boolean(),
        fc.constant(items.length),
      )
      .map(([parts, end, hasTrailing, count]) => {
        const body = parts.map((part) => part.join('')).join(',')
        return `${open}${body}${hasTrailing && count > 0 ? ',' : ''}${end}${close}`
      })
  if (Array.isArray(value)) {
    return list(
      value.map((item) => written(item, lineEnd)),
      '[',
      ']',
    )
  }
  if (typeof value !== 'object' || value === null) return fc.constant(JSON.stringify(value))
  return list(
    Object.entries(value).map(([key, field]) =>
      fc
        .tuple(gap, gap, written(field, lineEnd))
        .map(([a, b, text]) => `${JSON.stringify(key)}${a}:${b}${text}`),
    ),
    '{',
    '}',
  )
}

const theirs = fc.constantFrom('say done', 'npx unloop scan', 'echo "unloop"', 'lint')
const theirHooks = fc.dictionary(
  fc.constantFrom(...EVENTS, 'Notification', 'enabled?'),
  fc.array(theirs.map(entry), { maxLength: 2 }),
)
const settings = fc.record(
  {
    model: fc.jsonValue({ maxDepth: 2 }),
    permissions: fc.record({ allow: fc.array(fc.string(), { maxLength: 3 }) }),
    hooks: theirHooks,
    $schema: fc.webUrl(),
  },
  { requiredKeys: [] },
)
const document = fc
  .constantFrom('\n', '\r\n')
  .chain((lineEnd) =>
    settings.chain((value) =>
      fc
        .tuple(filler(lineEnd), written(value, lineEnd), filler(lineEnd))
        .map((parts) => parts.join('')),
    ),
  )

describe('entries in any JSON with comments', () => {
  const add = (text: string, command?: string) =>
    withEntries(text, 'settings.json', wanted(command))

  it('are added once, and nothing else changes', () => {
    fc.assert(
      fc.property(document, (text) => {
        const { text: added } = add(text)
        const { hooks = {}, ...rest } = read(text)
        const { hooks: now, ...others } = read(added)
        expect(others).toEqual(rest)
        for (const event of Object.keys({ ...hooks, ...now })) {
          const ours = EVENTS.includes(event) ? [entry('unloop hook claude-code')] : []
          expect(now[event]).toEqual([...(hooks[event] ?? []), ...ours])
        }
        expect(add(added)).toEqual({ text: added, made: [] })
      }),
    )
  })

  it('leave every comment and every byte of others where it was', () => {
    fc.assert(
      fc.property(document, (text) => {
        const { text: added } = add(text)
        let at = 0
        for (const character of text.replace(/\s+/g, '')) {
          at = added.indexOf(character, at) + 1
          expect(at).toBeGreaterThan(0)
        }
      }),
    )
  })

  it('are removed again, whatever the layout', () => {
    fc.assert(
      fc.property(document, (text) => {
        const { text: added, made } = add(text)
        const removed = withoutEntries(added, 'settings.json', isOurs, made)
        expect(read(removed)).toEqual(read(text))
        expect(commandsIn(removed, 'settings.json', isOurs)).toEqual([])
        expect(comments(removed)).toEqual(comments(text))
        expect(withoutEntries(removed, 'settings.json', isOurs, made)).toBe(removed)
      }),
    )
  })

  it('are updated where they stand', () => {
    fc.assert(
      fc.property(document, (text) => {
        const { text: added } = add(text, '"/old/unloop" hook claude-code || old unloop hook')
        const { text: updated } = add(added)
        expect(read(updated)).toEqual(read(add(text).text))
        expect(comments(updated)).toEqual(comments(text))
      }),
    )
  })
})

function read(text: string) {
  const errors: never[] = []
  const root = parseTree(text, errors, { allowTrailingComma: true })
  expect(errors).toEqual([])
  return root ? getNodeValue(root) : parse(text)
}

const comments = (text: string) =>
  text.match(/\/\/.*|\/\*.*?\*\/|"(?:[^"\\]|\\.)*"/g)?.filter((part) => !part.startsWith('"'))
