import { charactersOf, isPlain, widthOf } from './columns.js'
import type { Row, Span } from './row.js'

/** What stands before the first row and before the others. */
export interface Margin {
  first: Row
  rest: Row
}

const NO_MARGIN: Margin = { first: [], rest: [] }

/** The text in rows of so many columns, broken between words; a word that is too long is broken where the row is full. */
export function wrap(spans: readonly Span[], columns: number, margin: Margin = NO_MARGIN): Row[] {
  const room = Math.max(1, columns - widthOfMargin(margin))
  const rows = linesOf(spans).flatMap((line) => wrapLine(line, room))
  return rows.map((row, index) => [...(index === 0 ? margin.first : margin.rest), ...row])
}

const widthOfMargin = ({ first, rest }: Margin) =>
  Math.max(...[first, rest].map((row) => row.reduce((width, { text }) => width + widthOf(text), 0)))

/** The spans of each line. */
export function linesOf(spans: readonly Span[]): Span[][] {
  const lines: Span[][] = [[]]
  for (const { text, style } of spans) {
    for (const [index, part] of text.split('\n').entries()) {
      if (index > 0) lines.push([])
      if (part !== '') lines.at(-1)?.push({ text: part, style })
    }
  }
  return lines
}

/** Letters without a space between them, and the columns they take. */
interface Word {
  spans: Span[]
  width: number
  isSpace: boolean
}

function wrapLine(line: Span[], room: number): Row[] {
  if (line.reduce((length, { text }) => length + text.length, 0) <= room / 2) return [line]
  const [only] = line
  if (only && line.length === 1 && isPlain(only.text)) {
    return wrapPlain(only.text, room).map((text) => [{ text, style: only.style }])
  }
  const rows: Span[][] = [[]]
  let used = 0
  let spaces: Word | undefined
  const put = (word: Word) => {
    for (const each of word.spans) append(rows.at(-1) ?? [], each)
    used += word.width
  }
  const breakRow = () => {
    rows.push([])
    used = 0
    spaces = undefined
  }
  for (const word of wordsOf(line)) {
    if (word.isSpace) {
      spaces = word
      continue
    }
    const before = spaces?.width ?? 0
    if (used + before + word.width > room && (used > 0 || before >= room)) breakRow()
    if (spaces) put(spaces)
    spaces = undefined
    if (word.width <= room - used) put(word)
    else putPieces(word)
  }

  /** A word that is longer than a row. */
  function putPieces({ spans }: Word) {
    for (const { text, style } of spans) {
      for (const character of charactersOf(text)) {
        const width = widthOf(character)
        if (used + width > room && used > 0) breakRow()
        put({ spans: [{ text: character, style }], width, isSpace: false })
      }
    }
  }

  return rows
}

/** The same for text of one look with a column for each character, in a fraction of the time. */
function wrapPlain(text: string, room: number): string[] {
  const rows: string[] = []
  let at = 0
  while (text.length - at > room) {
    const space = text.lastIndexOf(' ', at + room)
    let end = space
    while (end > at && text[end - 1] === ' ') end--
    if (end <= at) {
      // one word, or spaces, as wide as the row
      rows.push(text.slice(at, at + room))
      at += room
    } else {
      rows.push(text.slice(at, end))
      at = space
    }
    if (text[at] === ' ' && rows.length > 0) while (text[at] === ' ') at++
  }
  return at < text.length || rows.length === 0 ? [...rows, text.slice(at)] : rows
}

/** Puts a span at the end of a row; one of the same look is made longer. */
function append(row: Span[], { text, style }: Span): void {
  const last = row.at(-1)
  if (last && last.style === style) row[row.length - 1] = { text: last.text + text, style }
  else row.push({ text, style })
}

function* wordsOf(line: readonly Span[]): Generator<Word> {
  let open: Word | undefined
  for (const { text, style } of line) {
    for (const [part] of text.matchAll(/ +|[^ ]+/g)) {
      const isSpace = part.startsWith(' ')
      for (const [index, piece] of (isSpace ? [part] : breakable(part)).entries()) {
        // a word may have several looks
        if (open && (index > 0 || isSpace || open.isSpace)) {
          yield open
          open = undefined
        }
        open ??= { spans: [], width: 0, isSpace }
        open.spans.push({ text: piece, style })
        open.width += widthOf(piece)
      }
    }
  }
  if (open) yield open
}

/** Before and after the signs of Chinese and Japanese a line may be broken. */
const breakable = (part: string): string[] =>
  isPlain(part)
    ? [part]
    : part.split(/(?<=[\u3000-\u30ff\u3400-\u9fff\uff01-\uff60])|(?=[\u3041-\u30ff\u3400-\u9fff])/u)
