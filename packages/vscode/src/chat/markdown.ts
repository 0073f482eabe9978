import type { Token, Tokens } from 'marked'
import { lex } from './lexer.js'
import { toReference } from './path-reference.js'

/** A part of a message: text, or an element with parts of its own. */
export type Markup = string | MarkupElement

/** An element that a message may have; there is no other. */
export type MarkupElement =
  | { type: Plain; children: Markup[] }
  | { type: 'heading'; depth: number; children: Markup[] }
  | { type: 'code-block'; language: string; text: string }
  | { type: 'code'; text: string; path?: string }
  | { type: 'path'; text: string; path: string }
  | { type: 'link'; href: string; children: Markup[] }
  | { type: 'ordered-list'; start: number; children: Markup[] }
  | { type: 'checkbox'; isChecked: boolean }
  | { type: 'table'; header: Cell[]; rows: Cell[][] }
  | { type: 'break' | 'rule' }

type Plain =
  | 'paragraph'
  | 'quote'
  | 'list'
  | 'item'
  | 'strong'
  | 'emphasis'
  | 'deleted'
  | 'fragment'

/** A cell of a table. */
export interface Cell {
  align: 'left' | 'center' | 'right' | undefined
  children: Markup[]
}

/** A message of the model as elements. Markup of other kinds, such as HTML, stays text. */
export function toMarkup(text: string): MarkupElement[] {
  try {
    return blocksOf(lex(text))
  } catch {
    // thousands of quotes within each other
    return [{ type: 'paragraph', children: [text] }]
  }
}

const blocksOf = (tokens: readonly Token[]): MarkupElement[] => tokens.flatMap(toBlock)

function toBlock(token: Token): MarkupElement[] {
  switch (token.type) {
    case 'space':
    case 'def':
      return []
    case 'hr':
      return [{ type: 'rule' }]
    case 'heading':
      return [{ type: 'heading', depth: token.depth, children: spansOf(token.tokens) }]
    case 'paragraph':
      return [{ type: 'paragraph', children: spansOf(token.tokens) }]
    case 'code': {
      const [language = ''] = (token.lang ?? '').split(/\s/)
      return [{ type: 'code-block', language, text: token.text }]
    }
    case 'blockquote':
      return [{ type: 'quote', children: blocksOf(token.tokens ?? []) }]
    case 'list':
      return [toList(token as Tokens.List)]
    case 'table':
      return [toTable(token as Tokens.Table)]
    case 'checkbox':
      return [{ type: 'checkbox', isChecked: token.checked }]
    // in a list whose items are single lines
    case 'text':
      return [{ type: 'fragment', children: token.tokens ? spansOf(token.tokens) : [token.text] }]
    default:
      return [{ type: 'paragraph', children: [token.raw.trimEnd()] }]
  }
}

function toList({ ordered, start, items }: Tokens.List): MarkupElement {
  const children = items.map(
    ({ tokens }): MarkupElement => ({ type: 'item', children: blocksOf(tokens) }),
  )
  return ordered
    ? { type: 'ordered-list', start: Number(start) || 1, children }
    : { type: 'list', children }
}

function toTable({ header, rows, align }: Tokens.Table): MarkupElement {
  const toCell = ({ tokens }: Tokens.TableCell, column: number): Cell => ({
    ...{ align: align[column] ?? undefined, children: spansOf(tokens) },
  })
  return { type: 'table', header: header.map(toCell), rows: rows.map((row) => row.map(toCell)) }
}

const spansOf = (tokens: readonly Token[] = []): Markup[] => tokens.flatMap(toSpan)

function toSpan(token: Token): Markup[] {
  switch (token.type) {
    case 'text':
      return token.tokens ? spansOf(token.tokens) : withPaths(decode(token.text))
    case 'escape':
      return [token.text]
    case 'strong':
      return [{ type: 'strong', children: spansOf(token.tokens) }]
    case 'em':
      return [{ type: 'emphasis', children: spansOf(token.tokens) }]
    case 'del':
      return [{ type: 'deleted', children: spansOf(token.tokens) }]
    case 'codespan': {
      const path = toReference(token.text) && token.text
      return [{ type: 'code', text: token.text, ...(path && { path }) }]
    }
    case 'br':
      return [{ type: 'break' }]
    case 'checkbox':
      return [{ type: 'checkbox', isChecked: token.checked }]
    case 'link':
      return toLink(token as Tokens.Link)
    case 'image':
      return toLink({ ...(token as Tokens.Image), type: 'link', tokens: [] })
    default:
      return [token.raw]
  }
}

/** A link to the web, or to a file if there is one; any other stays as it was written. */
function toLink({ href, raw, text, tokens }: Tokens.Link): Markup[] {
  const children = tokens.length > 0 ? spansOf(tokens) : [text || href]
  if (isWeb(href)) return [{ type: 'link', href, children }]
  return toReference(href) ? [{ type: 'path', text: text || href, path: href }] : [raw]
}

/** Whether it leads to the web or to a letter, and can do nothing else. */
export const isWeb = (href: string): boolean => /^(?:https?:\/\/|mailto:)/i.test(href)

/** A text in which what looks like a path is an element of its own. */
function withPaths(text: string): Markup[] {
  const parts: Markup[] = []
  let plain = ''
  for (const word of text.split(/(\s+)/)) {
    const { before, inner, after } = trim(word)
    const isLikely = inner.includes('/') || /:\d/.test(inner)
    if (!isLikely || !toReference(inner)) plain += word
    else {
      parts.push(plain + before, { type: 'path', text: inner, path: inner })
      plain = after
    }
  }
  return [...parts, plain].filter((part) => part !== '')
}

/** A word without the marks around it. */
function trim(word: string): { before: string; inner: string; after: string } {
  let [first, last] = [0, word.length]
  while (first < last && '"\'(<['.includes(word.charAt(first))) first++
  while (last > first && '.,;:!?"\')]>'.includes(word.charAt(last - 1))) last--
  return { before: word.slice(0, first), inner: word.slice(first, last), after: word.slice(last) }
}

const ENTITIES: Record<string, string> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&nbsp;': '\u00a0' },
}

const decode = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot|#39|nbsp);/g, (entity) => ENTITIES[entity] ?? entity)
