import fc from 'fast-check'

const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000)

/** Values that are JSON, and that hardly anybody expects. */
export const VALUES = [
  '{"toString":0}',
  '{"toString":0,"valueOf":0}',
  '{"toString":{"toString":0},"valueOf":"x"}',
  '{"toJSON":0}',
  '{"then":0}',
  '{"__proto__":{"type":"user","text":"x","toString":0}}',
  '{"__proto__":null}',
  '{"constructor":null,"hasOwnProperty":0}',
  '{"length":1000000000}',
  '{"length":-1,"0":{"toString":0}}',
  '{"text":{"toString":0},"type":{"toString":0}}',
  '{"a":1,"a":{"toString":0},"a":[]}',
  '{"":{"":{"":0}}}',
  '[{"toString":0}]',
  '[[{"toString":0}],null,[]]',
  '[null]',
  '[]',
  '{}',
  'null',
  'true',
  '-0',
  '1e999',
  '-1e999',
  '1e-999',
  '9007199254740993',
  '-123456789012345678901234567890',
  '"1e999"',
  '""',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"\\ud800"',
  '"\\udfff\\ud800x"',
  '"\\u0000"',
  '"-0"',
  `"${'a'.repeat(1_000_000)}"`,
  deep('[', ']'),
  deep('{"a":', '}').replace('}', '0}'),
  deep('{"arrayValue":{"values":[', ']}}'),
  deep('{"kvlistValue":{"values":[{"key":"a","value":', '}]}}').replace('}]}}', '0}]}}'),
]

/** Members that may stand in any object besides its own. */
const MEMBERS = [
  '"__proto__":{"type":"assistant","role":"user","content":"x"}',
  '"__proto__":null',
  '"constructor":{"toString":0}',
  '"toString":0',
  '"valueOf":0',
  '"hasOwnProperty":0',
  '"toJSON":0',
  '"length":1e9',
  '"":{"toString":0}',
  '"\\ud800":"\\udc00"',
]

interface Span {
  start: number
  end: number
  isObject: boolean
}

/** Where values stand in a JSON text, or in many behind each other. */
function spansIn(text: string): Span[] {
  const spans: Span[] = []
  const open: number[] = []
  const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]|-?[\w.+-]+/g
  for (const [found, isKey] of [...text.matchAll(token)].map(
    (match) => [match, match[1]] as const,
  )) {
    const start = found.index
    const [word] = found
    if (word === '{' || word === '[') open.push(start)
    else if (word === '}' || word === ']') {
      spans.push({ start: open.pop() ?? 0, end: start + 1, isObject: word === '}' })
    } else if (isKey === undefined) spans.push({ start, end: start + word.length, isObject: false })
  }
  return spans
}

/** A text with something exotic in it, and where. */
export interface Planted {
  text: string
  at: number
}

/** Puts something exotic into a text of JSON: in place of a value, or as another member of an object. */
export const plantIn = (text: string): fc.Arbitrary<Planted> => {
  const all = spansIn(text)
  const objects = all.filter(({ isObject }) => isObject)
  // a text that is something else as a whole is of no interest
  const spans = all.filter(({ start, end }) => end - start < text.trim().length)
  const value = fc
    .tuple(fc.constantFrom(...spans), fc.constantFrom(...VALUES))
    .map(([{ start, end }, put]) => ({
      text: text.slice(0, start) + put + text.slice(end),
      at: start,
    }))
  const member = fc
    .tuple(fc.constantFrom(...objects), fc.constantFrom(...MEMBERS), fc.boolean())
    .map(([{ start, end }, put, isFirst]) => {
      const isEmpty = text.slice(start + 1, end - 1).trim() === ''
      const comma = isEmpty ? '' : ','
      return {
        text: isFirst
          ? `${text.slice(0, start + 1)}${put}${comma}${text.slice(start + 1)}`
          : `${text.slice(0, end - 1)}${comma}${put}${text.slice(end - 1)}`,
        at: isFirst ? start : end - 1,
      }
    })
  if (objects.length === 0) return value
  return fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: member })
}
