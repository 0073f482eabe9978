import { lexer, type Token, type Tokens } from 'marked'
import { widthOf } from '../columns.js'
import { type Row, type Span, span } from '../row.js'
import { linesOf, wrap } from '../wrap.js'
import { highlight } from './highlight.js'
import { inlineSpans } from './inline.js'
import { tableRows } from './table.js'

/** Markdown as rows of so many columns. The text comes from a model: it has to be printable. */
export function markdownRows(text: string, columns: number): Row[] {
  return trim(blocks(lexer(text), columns))
}

function blocks(tokens: readonly Token[], columns: number): Row[] {
  return tokens.flatMap((token) => blockRows(token, Math.max(MIN_COLUMNS, columns)))
}

// deeper than anyone reads
const MIN_COLUMNS = 8

function blockRows(token: Token, columns: number): Row[] {
  switch (token.type) {
    case 'space':
      return [[]]
    case 'heading': {
      const style = token.depth === 1 ? (['bold', 'underline'] as const) : (['bold'] as const)
      return wrap(inlineSpans(token.tokens, style), columns)
    }
    case 'code':
      return codeRows(token as Tokens.Code, columns)
    case 'list':
      return listRows(token as Tokens.List, columns)
    case 'blockquote':
      return trim(blocks(token.tokens ?? [], columns - QUOTE.length)).map((row) => [
        span(QUOTE, 'dim'),
        ...row,
      ])
    case 'table':
      return tableRows(token as Tokens.Table, columns)
    case 'hr':
      return [[span('─'.repeat(Math.min(columns, RULE)), 'dim')]]
    case 'def':
      return wrap([span(token.raw.trimEnd(), 'dim')], columns)
    case 'html':
      return wrap([span(token.raw.trimEnd())], columns)
    default:
      return wrap(inlineSpans([token]), columns)
  }
}

const QUOTE = '│ '
const RULE = 40
const CODE: Span = span('  ')

function codeRows({ text, lang }: Tokens.Code, columns: number): Row[] {
  const margin = { first: [CODE], rest: [CODE] }
  return linesOf(highlight(text, lang)).flatMap((line) => wrap(line, columns, margin))
}

function listRows({ items, ordered, start }: Tokens.List, columns: number): Row[] {
  const first = typeof start === 'number' ? start : 1
  const rows = items.flatMap((item, index): Row[] => {
    const box = item.task ? (item.checked ? '☑ ' : '☐ ') : ''
    const mark = `${ordered ? `${first + index}.` : '•'} ${box}`
    const indent = span(' '.repeat(widthOf(mark)))
    const body = trim(blocks(item.tokens, columns - widthOf(mark)))
    const own = (body.length === 0 ? [[]] : body).map((row, at) => [
      at === 0 ? span(mark) : indent,
      ...row,
    ])
    // as far apart as they were written
    const isApart = endsWithEmptyLine(items[index - 1]?.raw ?? '')
    return isApart ? [[], ...own] : own
  })
  return rows
}

const endsWithEmptyLine = (text: string) => text.slice(text.trimEnd().length).split('\n').length > 2

const isEmpty = (row: Row) => row.every(({ text }) => text.trim() === '')

/** Without empty rows at its ends. */
function trim(rows: readonly Row[]): Row[] {
  const first = rows.findIndex((row) => !isEmpty(row))
  return first < 0 ? [] : rows.slice(first, rows.findLastIndex((row) => !isEmpty(row)) + 1)
}
