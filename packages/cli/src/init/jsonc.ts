import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import { UsageError } from '../exit-code.js'

/** A JSON file as text, with what is needed to write in its style. */
export interface Jsonc {
  text: string
  root: Node
  lineEnd: string
  /** one step of indentation */
  indent: string
}

/**
 * The file, parsed; comments and trailing commas are fine. Throws a `UsageError` with the line and column if it is not
 * an object.
 */
export function parseJsonc(text: string, path: string): Jsonc {
  const errors: ParseError[] = []
  const root = parse(text, errors, path)
  const [error] = errors
  if (error) {
    const words = WORDS[printParseErrorCode(error.error)] ?? 'this is not JSON'
    throw new UsageError(`cannot read ${placeOf(text, error.offset, path)}: ${words}`)
  }
  if (root?.type !== 'object') throw shapeError({ text }, root, path, 'an object')
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? '\n'
  return { text, root, lineEnd, indent: indentIn(text, root) ?? '  ' }
}

/** The error for a value that should be something else. */
export const shapeError = (
  { text }: Pick<Jsonc, 'text'>,
  node: Node | undefined,
  path: string,
  expected: string,
): UsageError =>
  new UsageError(
    `cannot add hooks to ${placeOf(text, node?.offset ?? 0, path)}: expected ${expected}`,
  )

/** The value of a key; of a key that is there twice, the one that programs read. */
export function valueAt(object: Node, key: string): Node | undefined {
  return object.children?.findLast((property) => property.children?.[0]?.value === key)
    ?.children?.[1]
}

/** The text with a value added at the end of an array, or under a key at the end of an object. */
export function withAdded(
  { text, lineEnd, indent }: Jsonc,
  at: Node,
  value: unknown,
  key?: string,
) {
  const closing = endOf(at) - 1
  const last = at.children?.at(-1)
  const { end, hasComma } = readFiller(text, last ? endOf(last) : at.offset + 1, closing)
  const outer = lineIndent(text, at.offset)
  const inner = indentIn(text, at) ?? outer + indent
  const isRow = last && at.type === 'array' && !text.slice(at.offset, closing).includes('\n')
  const json = isRow ? inOneLine(value) : toText(value, lineEnd + inner, indent)
  const rest = text.slice(end, closing)
  return [
    text.slice(0, last ? endOf(last) : end),
    last && !hasComma ? ',' : '',
    last ? text.slice(endOf(last), end) : '',
    isRow ? ' ' : lineEnd + inner,
    key === undefined ? json : `${JSON.stringify(key)}: ${json}`,
    last && hasComma ? ',' : '',
    isRow || rest.includes('\n') ? rest : lineEnd + outer,
    text.slice(closing),
  ].join('')
}

/** The text with another value in place of one. */
export const withReplaced = ({ text }: Jsonc, node: Node, value: unknown): string =>
  text.slice(0, node.offset) + inOneLine(value) + text.slice(endOf(node))

/** The text without an element of an array or a property of an object. Comments stay. */
export function withoutChild({ text }: Jsonc, node: Node): string {
  const siblings = node.parent?.children ?? []
  const index = siblings.indexOf(node)
  const before = siblings[index - 1]
  const from = before ? endOf(before) : (node.parent?.offset ?? 0) + 1
  const ahead = readFiller(text, from, node.offset)
  // what stands behind a line comment must stay on a line of its own
  const start = ahead.endsInLineComment ? node.offset : ahead.end
  const next = siblings[index + 1]
  const behind = readFiller(text, endOf(node), next?.offset ?? endOf(node.parent as Node) - 1)
  if (behind.hasComma) {
    const kept = text.slice(endOf(node), behind.comma)
    return text.slice(0, start) + kept + text.slice(behind.comma + 1)
  }
  const comma = before ? ahead.comma : start
  return (
    text.slice(0, comma) + text.slice(comma + (before ? 1 : 0), start) + text.slice(endOf(node))
  )
}

/** The property that a value belongs to, or the value itself in an array. */
export const childOf = (node: Node): Node => (node.parent?.type === 'property' ? node.parent : node)

/** A list with an element per line; everything else in one line, so that there is little to read. */
const toText = (value: unknown, newLine: string, indent: string): string =>
  Array.isArray(value)
    ? `[${value.map((item) => newLine + indent + inOneLine(item)).join(',')}${newLine}]`
    : inOneLine(value)

function inOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inOneLine).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const fields = Object.entries(value).map(([key, field]) => `"${key}": ${inOneLine(field)}`)
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`
}

const endOf = (node: Node) => node.offset + node.length

function parse(text: string, errors: ParseError[], path: string): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true })
  } catch (error) {
    // the parser calls itself for each level
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(`cannot read ${path}: it is nested too deeply`)
  }
}

const FILLER = /\s+|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/|,/y

/** What is between two values: where the comma is, and where blanks before the second one begin. */
function readFiller(text: string, from: number, to: number) {
  let end = from
  let comma = -1
  let endsInLineComment = false
  FILLER.lastIndex = from
  while (FILLER.lastIndex < to) {
    const at = FILLER.lastIndex
    const token = FILLER.exec(text)?.[0]
    if (token === undefined) break
    if (token === ',') comma = at
    if (token.trim() === '') continue
    end = at + token.length
    endsInLineComment = token.startsWith('//')
  }
  return { end, comma, hasComma: comma >= 0, endsInLineComment }
}

/** The blanks before the first child, if it begins a line. */
function indentIn(text: string, node: Node): string | undefined {
  const [first] = node.children ?? []
  if (!first) return
  const start = text.lastIndexOf('\n', first.offset - 1) + 1
  const blanks = text.slice(start, first.offset)
  return start > node.offset && /^[ \t]+$/.test(blanks) ? blanks : undefined
}

const lineIndent = (text: string, offset: number) =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? ''

function placeOf(text: string, offset: number, path: string): string {
  const lines = text.slice(0, offset).split('\n')
  return `${path}, line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`
}

const WORDS: Record<string, string> = {
  CloseBraceExpected: 'a closing } is missing',
  CloseBracketExpected: 'a closing ] is missing',
  ColonExpected: 'a colon is missing',
  CommaExpected: 'a comma is missing',
  EndOfFileExpected: 'the JSON should end here',
  PropertyNameExpected: 'a key in double quotes is missing',
  UnexpectedEndOfComment: 'a comment does not end',
  UnexpectedEndOfString: 'a string does not end',
  ValueExpected: 'a value is missing',
}
