import { printable } from '../../printable.js'
import { widthOf } from '../../width.js'
import type { Editor } from '../editor.js'

/** The rows of a text that are shown, and how many characters before and after them are not. */
export interface PromptWindow {
  rows: readonly PromptRow[]
  above: number
  below: number
  /** the rows it takes, with that which tells what is left out */
  height: number
}

export interface PromptRow {
  text: string
  /** where the cursor stands, in the row that has it */
  cursor?: number
}

/**
 * As many rows of a text as fit, around the cursor; one less where a row has to tell what is left out. The work depends
 * on the size of the screen, not on that of the text.
 */
export function windowOf({ text, cursor }: Editor, rows: number, columns: number): PromptWindow {
  const reach = rows * columns
  const from = rowStart(text, cursor - reach, columns)
  const to = outsidePair(text, Math.min(text.length, cursor + reach))
  const starts = rowStarts(text.slice(from, to), columns).map((start) => from + start)
  const isWhole = from === 0 && to === text.length && starts.length <= rows
  const room = isWhole ? rows : Math.max(1, rows - 1)
  const at = starts.findLastIndex((start) => start <= cursor)
  // what was written before the cursor says more than what comes after it
  const first = Math.max(0, at - room + 1)
  const shown = starts.slice(first, first + room)
  const end = starts[first + room] ?? to
  return {
    height: shown.length + (isWhole || rows === 1 ? 0 : 1),
    rows: shown.map((start, index) => {
      const row = text.slice(start, shown[index + 1] ?? end).replace(/\n$/, '')
      return first + index === at ? { text: row, cursor: cursor - start } : { text: row }
    }),
    above: shown[0] ?? 0,
    below: text.length - end,
  }
}

/** A place to begin at: so many columns into its line that rows do not change while the cursor moves within it. */
function rowStart(text: string, place: number, columns: number): number {
  if (place <= 0) return 0
  const line = text.lastIndexOf('\n', place - 1) + 1
  return outsidePair(text, place - ((place - line) % columns))
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Where the rows of a text begin that is broken where a row is full. */
function rowStarts(text: string, columns: number): number[] {
  const starts: number[] = []
  let from = 0
  for (const line of text.split('\n')) {
    for (const start of lineStarts(line, columns)) starts.push(from + start)
    from += line.length + 1
  }
  return starts
}

/** Broken between words where there are some; one space may stand behind the last column. */
function lineStarts(line: string, columns: number): number[] {
  const cells = cellsOf(line)
  const starts = [0]
  let first = 0
  let word = 0
  let width = 0
  for (const [at, cell] of cells.entries()) {
    const room = cell.isSpace ? columns + 1 : columns
    while (at > first && width + cell.width > room) {
      first = word > first ? word : at
      starts.push(cells[first]?.index ?? 0)
      width = cells.slice(first, at).reduce((sum, each) => sum + each.width, 0)
    }
    width += cell.width
    if (cell.isSpace) word = at + 1
  }
  return starts
}

/** What takes a place of its own in a line. */
interface Cell {
  index: number
  width: number
  isSpace: boolean
}

function cellsOf(line: string): Cell[] {
  // most lines, in a tenth of the time
  if (/^[ -~]*$/.test(line)) {
    return Array.from(line, (letter, index) => ({ index, width: 1, isSpace: letter === ' ' }))
  }
  return Array.from(segmenter.segment(line), ({ segment, index }) => ({
    index,
    width: widthOf(printable(segment)),
    isSpace: segment === ' ',
  }))
}

/** This place, or the one before it where a character of two code units is there. */
const outsidePair = (text: string, place: number) =>
  (text.charCodeAt(place) & 0xfc00) === 0xdc00 ? place - 1 : place
