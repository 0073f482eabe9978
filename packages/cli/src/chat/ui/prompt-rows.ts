import { showCount } from 'unloop/words'
import { printable } from '../../printable.js'
import { oneLine } from '../../words.js'
import type { Completion, Search } from '../state.js'
import { cut, fillUp, takeColumns, widthOf } from './columns.js'
import type { PromptWindow } from './prompt-window.js'
import { type Row, span, TONES } from './row.js'

/** Rows, and where in them the person writes. */
export interface Written {
  rows: Row[]
  cursor: { row: number; column: number }
}

/** The text being written; of a long one what is around the cursor, and how much more there is. */
export function promptRows({ rows, above, below, height }: PromptWindow, mark: string): Written {
  const before = `${mark} `
  const indent = ' '.repeat(widthOf(before))
  const cursor = { row: 0, column: widthOf(before) }
  const written = rows.map((row, index): Row => {
    if (row.cursor !== undefined) {
      cursor.row = index
      cursor.column = widthOf(before) + widthOf(printable(row.text.slice(0, row.cursor)))
    }
    return [index === 0 ? span(before, TONES.person) : span(indent), span(printable(row.text))]
  })
  if (height > rows.length) {
    const left = `… ${showCount(above)} characters above, ${showCount(below)} below`
    written.push([span(indent), span(left, TONES.quiet)])
  }
  return { rows: written, cursor }
}

/** Lines that wait for the end of the answer. */
export const queuedRows = (queued: readonly string[], columns: number): Row[] =>
  queued.map((line) => cut([span(`… ${oneLine(printable(line), columns)}`, TONES.quiet)], columns))

// more is longer than a glance
const MAX_OPTIONS = 8

/** What the word at the cursor may become, those around the selected one. */
export function completionRows(
  { options, selected }: Completion,
  columns: number,
  most: number,
): Row[] {
  const rows = Math.max(1, Math.min(MAX_OPTIONS, most))
  const first = Math.max(0, Math.min(selected - Math.floor(rows / 2), options.length - rows))
  const shown = options.slice(first, first + rows)
  const nameOf = (text: string) => takeColumns(oneLine(printable(text), MAX_NAME), MAX_NAME)
  const width = Math.max(...shown.map(({ text }) => widthOf(nameOf(text))))
  return shown.map(({ text, note }, at) => {
    const isSelected = first + at === selected
    const label = fillUp([span(nameOf(text), isSelected ? TONES.person : undefined)], width)
    return cut(
      [
        span(isSelected ? '❯ ' : '  '),
        ...label,
        span(`  ${oneLine(printable(note), columns)}`, TONES.quiet),
      ],
      columns,
    )
  })
}

const MAX_NAME = 48

/** The prompt that was found among the earlier ones. */
export const searchRow = ({ query, match }: Search, columns: number): Row =>
  cut(
    [
      span(`search: ${printable(query)}`, TONES.person),
      span(
        match === undefined ? '  nothing found' : `  ${oneLine(printable(match), columns)}`,
        TONES.quiet,
      ),
    ],
    columns,
  )
