import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readJson, TooMuch, writeJson } from './json.js'

const MANY = { values: 1_000_000, depth: 1000 }

/** Lets go of the event loop as often as it can. */
const SHORT_OF_BREATH = { isDue: true, take: () => Promise.resolve() }

// so long that it is not left to the engine
const FILLER = `"filler":"${'x,'.repeat(10_000)}"`

const read = async (text: string, limits = MANY) =>
  (await readJson(Buffer.from(text), limits, SHORT_OF_BREATH)).value

it('reads what JSON.parse reads', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.json({ maxDepth: 6 }),
      fc.constantFrom('', ' ', '\n\t'),
      async (json, gap) => {
        const text = `{${gap}${FILLER}${gap},${gap}"value"${gap}:${gap}${json}${gap}}${gap}`
        expect(await read(text)).toEqual(JSON.parse(text))
      },
    ),
    { numRuns: 300 },
  )
})

it('reads long texts in pieces, whatever is at the seams', async () => {
  for (const unit of [
    'a',
    'é',
    '🙂',
    '\\n',
    '\\"',
    '\\\\',
    '\\ud83d\\ude42',
    '日本\\u00e9"'.slice(0, -1),
  ])
    for (const offset of ['', 'b', 'bc', 'bcd']) {
      const text = `{"text":"${offset}${unit.repeat(Math.ceil(1_200_000 / Buffer.byteLength(unit)))}","after":1}`
      // not by expect: a difference would be printed
      expect(JSON.stringify(await read(text)) === JSON.stringify(JSON.parse(text))).toBe(true)
    }
})

it.each([
  '{"a":1',
  '{"a" 1}',
  '{"a":1,}',
  '{"a":[1,]}',
  '{"a":[1}',
  '{"a":1}}',
  '{"a":tru}',
  '{"a":"b}',
  '{a:1}',
  '[1,2',
  '{"a":,}',
  '{,}',
  '',
])('refuses %s', async (text) => {
  const padding = `[${'0,'.repeat(10_000)}`
  await expect(read(padding + text)).rejects.toBeInstanceOf(SyntaxError)
})

it('is not fooled by names of objects', async () => {
  const body = (await read(`{${FILLER},"__proto__":{"polluted":1}}`)) as object
  expect(Object.getPrototypeOf(body)).toBe(Object.prototype)
  expect(Object.keys(body)).toEqual(['filler', '__proto__'])
})

it('reads no more values than it may, and none that are deeper', async () => {
  const list = (count: number) => `{${FILLER},"a":[${Array(count).fill('{}').join()}]}`
  // the body, the filler and the list
  await expect(read(list(97), { values: 100, depth: 9 })).resolves.toBeTruthy()
  await expect(read(list(98), { values: 100, depth: 9 })).rejects.toEqual(new TooMuch('values'))
  const deep = (levels: number) => `{${FILLER},"a":${'['.repeat(levels)}${']'.repeat(levels)}}`
  await expect(read(deep(8), { values: 100, depth: 9 })).resolves.toBeTruthy()
  await expect(read(deep(9), { values: 100, depth: 9 })).rejects.toEqual(new TooMuch('depth'))
})

it('counts values, and never too few', async () => {
  const valuesOf = async (text: string) =>
    (await readJson(Buffer.from(text), MANY, SHORT_OF_BREATH)).values
  expect(await valuesOf(`[${'{},'.repeat(50_000)}1]`)).toBe(50_002)
  for (const text of ['1', '[]', '{"a":[1,2,{}]}', `[${'{},'.repeat(2000)}1]`])
    expect(await valuesOf(text)).toBeGreaterThanOrEqual(countOf(JSON.parse(text)))
})

const countOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum, inner) => sum + countOf(inner), 1)
    : 1

it('skips the mark of UTF-8', async () => {
  expect(await read('\uFEFF{"a":1}')).toEqual({ a: 1 })
  expect(await read(`\uFEFF{${FILLER}}`)).toEqual(JSON.parse(`{${FILLER}}`))
})

it('writes what JSON.stringify writes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), async (body) => {
      const bytes = await writeJson(body, SHORT_OF_BREATH)
      expect(bytes.toString()).toBe(JSON.stringify(body))
    }),
    { numRuns: 300 },
  )
  const gaps = { a: undefined, b: [undefined, 1], c: [] }
  expect((await writeJson(gaps, SHORT_OF_BREATH)).toString()).toBe(JSON.stringify(gaps))
})
