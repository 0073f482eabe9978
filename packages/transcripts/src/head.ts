import type { Layout } from './format.js'
import { isObject, type Json } from './json.js'
import { withoutStamp } from './log-line.js'
import { parse, parsePartial } from './partial-json.js'

/** What the beginning of a file tells, for formats to recognise themselves. */
export interface Head {
  /** undefined where it could be either: a single value */
  layout: Layout | undefined
  isJson: boolean
  /** the root of a document is an array; its elements are `records` */
  isArray: boolean
  /** the first records; of a document with an object as its root, that object as far as it goes */
  records: Json[]
  /** how the file begins */
  text: string
}

// formats are recognised by any of their first records; some begin with many lines of bookkeeping
const MAX_RECORDS = 100

/** Looks at the first characters of a file; `isMany` if something is known to stand behind its first value. */
export function toHead(text: string, isMany = false): Head {
  const clean = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text
  const body = clean.trimStart()
  const lines = body.split('\n', MAX_RECORDS).map(withoutStamp)
  if (body.startsWith('[') && !isListAmongLines(lines)) {
    const list = parsePartial(body)
    const records = Array.isArray(list) ? list.filter(isObject).slice(0, MAX_RECORDS) : []
    return { layout: 'document', isJson: list !== undefined, isArray: true, records, text: body }
  }
  const whole = lines
    .map((line) => (line.startsWith('{') ? parse(line) : undefined))
    .filter(isObject)
  if (
    whole.length > 0 &&
    lines.length > 1 &&
    lines.some((line, i) => i > 0 && line.trim() !== '')
  ) {
    const last = parsePartial(lines.at(-1) ?? '')
    const records = isObject(last) && whole.at(-1) !== last ? [...whole, last] : whole
    return { layout: 'lines', isJson: true, isArray: false, records, text: body }
  }
  const root = parsePartial(body) ?? parse(body)
  const records = isObject(root) ? [root] : []
  const isPretty = whole.length === 0 && lines.length > 1
  const layout = isPretty ? 'document' : isMany ? 'lines' : undefined
  return { layout, isJson: root !== undefined, isArray: false, records, text: body }
}

/** Whether lines of objects follow on one that is a list: a line that should not be there, and not a document. */
const isListAmongLines = ([first = '', ...rest]: readonly string[]) =>
  rest.some((line) => line.startsWith('{')) && parse(first) !== undefined
