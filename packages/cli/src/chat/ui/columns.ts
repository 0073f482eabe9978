import { widthOf as slowWidthOf } from '../../width.js'
import type { Row, Span } from './row.js'

const JOINER = 0x200d
const FIRST_FLAG = 0x1f1e6
const LAST_FLAG = 0x1f1ff

/** How many columns a text takes; what is joined to an emoji takes none. */
export function widthOf(text: string): number {
  if (isPlain(text)) return text.length
  let width = 0
  let isJoined = false
  let isFlagOpen = false
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0
    const isFlag = code >= FIRST_FLAG && code <= LAST_FLAG
    if (!isJoined && !(isFlag && isFlagOpen)) width += widthOfOne(character, code)
    isFlagOpen = isFlag && !isFlagOpen
    isJoined = code === JOINER
  }
  return width
}

/** The columns of a whole row. */
export const widthOfRow = (row: Row): number =>
  row.reduce((width, { text }) => width + widthOf(text), 0)

// no combining mark and nothing wide comes before this
const FIRST_ODD = 0x300

export const isPlain = (text: string): boolean => /^[ -~]*$/.test(text)

const widthOfOne = (character: string, code: number) =>
  code < FIRST_ODD ? 1 : slowWidthOf(character)

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** What a reader takes for the characters of a text. */
export const charactersOf = (text: string): string[] =>
  isPlain(text) ? [...text] : Array.from(segmenter.segment(text), ({ segment }) => segment)

/** As much of a text as fits into so many columns. */
export function takeColumns(text: string, columns: number): string {
  if (text.length <= columns && isPlain(text)) return text
  let width = 0
  let taken = ''
  for (const character of charactersOf(text.slice(0, columns * LONGEST))) {
    width += widthOf(character)
    if (width > columns) return taken
    taken += character
  }
  return taken
}

// code units of a column, at most: letters with marks, joined emoji
const LONGEST = 16

/** The row in so many columns; what does not fit is left out, and three dots say so. */
export function cut(row: Row, columns: number): Row {
  if (widthOfRow(row) <= columns) return row
  const kept: Span[] = []
  let left = Math.max(0, columns - 1)
  for (const { text, style } of row) {
    const taken = takeColumns(text, left)
    kept.push({ text: taken, style })
    left -= widthOf(taken)
    if (taken !== text) break
  }
  return [...kept, { text: '…', style: kept.at(-1)?.style }]
}

/** The row, filled up with spaces. */
export const fillUp = (row: Row, columns: number): Row => [
  ...row,
  { text: ' '.repeat(Math.max(0, columns - widthOfRow(row))) },
]
