import type { Editor } from '../editor.js'
import { rowsOf } from './rows.js'

/** The part of a text that is shown, with the cursor in it and how many characters are left out. */
export interface PromptWindow extends Editor {
  above: number
  below: number
}

/**
 * As much of a text as fits: the lines around the cursor, and of a very long line what is around it there. The work depends
 * on the size of the screen, not on that of the text.
 */
export function windowOf(editor: Editor, rows: number, columns: number): PromptWindow {
  const near = nearCursor(editor, rows * columns)
  if (near.above + near.below === 0 && rowsOf(near.text, columns) <= rows) return near
  // a row tells how much is left out
  const room = Math.max(1, rows - 1)
  const lines = near.text.split('\n')
  let last = near.text.slice(0, near.cursor).split('\n').length - 1
  let first = last
  const fits = (from: number, to: number) =>
    rowsOf(lines.slice(from, to + 1).join('\n'), columns) <= room
  while (first > 0 && fits(first - 1, last)) first--
  while (last < lines.length - 1 && fits(first, last + 1)) last++
  const from = lines.slice(0, first).reduce((sum, { length }) => sum + length + 1, 0)
  const shown = cut(near, from, from + lines.slice(first, last + 1).join('\n').length)
  if (fits(first, last)) return shown
  // half, since what is wide takes two columns
  const units = Math.max(2, Math.floor((room * columns) / 2))
  const start = Math.max(0, shown.cursor - units + 2)
  return cut(shown, start, start + units)
}

/** So many characters before and after the cursor. */
const nearCursor = ({ text, cursor }: Editor, reach: number): PromptWindow =>
  cut({ text, cursor, above: 0, below: 0 }, cursor - reach, cursor + reach)

/** The window without what is before and after these places; a character of two code units stays whole. */
function cut({ text, cursor, above, below }: PromptWindow, from: number, to: number): PromptWindow {
  const start = Math.max(0, from)
  const first = isLow(text, start) ? start + 1 : start
  const end = Math.min(text.length, to)
  const last = isLow(text, end) ? end - 1 : end
  return {
    text: text.slice(first, last),
    cursor: cursor - first,
    above: above + first,
    below: below + text.length - last,
  }
}

const isLow = (text: string, place: number) => (text.charCodeAt(place) & 0xfc00) === 0xdc00
