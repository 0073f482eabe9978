import { describeState, plural, showCost } from 'unloop/words'
import { never } from '../../never.js'
import { printable } from '../../printable.js'
import { type DialogOption, optionsOf } from '../dialog.js'
import { evidenceOf } from '../evidence.js'
import type { ChatState, Dialog } from '../state.js'
import { cut, fillUp, widthOf } from './columns.js'
import { lapRows } from './lap-rows.js'
import { promptRows, type Written } from './prompt-rows.js'
import { windowOf } from './prompt-window.js'
import { type Row, span, TONES } from './row.js'
import { wrap } from './wrap.js'

export interface DialogRoom {
  rows: number
  columns: number
  now: number
}

// a line for the status, and one to spare
const OUTSIDE = 2
// below this the border costs more than it gives
const BORDERED = 12
// the bar and a space
const FRAME = 2

/** A question to the person, with what there is to choose from; on a small screen what is around the choice. */
export function dialogRows(
  dialog: Dialog,
  editor: ChatState['editor'],
  { rows, columns, now }: DialogRoom,
): Written {
  const isBordered = rows >= BORDERED
  const room = Math.max(1, rows - OUTSIDE - (isBordered ? 2 : 0))
  const width = isBordered ? columns - FRAME : columns
  const options = optionsOf(dialog, now)
  const asked =
    dialog.type === 'hint'
      ? Math.min(HINT_ROWS, Math.ceil(room / 2))
      : options.length + noteRows(options, width) - 1
  const question = questionRows(dialog, Math.max(room > 2 ? 1 : 0, room - asked), width)
  const written: Written =
    dialog.type === 'hint'
      ? promptRows(
          windowOf(editor, Math.max(1, asked - 1), width - HINT_MARK.length - 2),
          HINT_MARK,
        )
      : optionRows(options, dialog.selected, room - question.length, width)
  const all = [...question, ...written.rows].slice(0, room)
  const cursor = { row: question.length + written.cursor.row, column: written.cursor.column }
  if (!isBordered) return { rows: all, cursor }
  return { rows: framed(all, width), cursor: { row: cursor.row + 1, column: cursor.column + 2 } }
}

const HINT_ROWS = 4
const HINT_MARK = 'hint:'

/** A bar at the left: a whole frame would fall apart when the terminal gets narrower. */
function framed(rows: readonly Row[], width: number): Row[] {
  const line = '─'.repeat(Math.min(width, LINE))
  return [
    [span(`╭${line}`)],
    ...rows.map((row): Row => [span('│ '), ...cut(row, width)]),
    [span(`╰${line}`)],
  ]
}

const LINE = 40

const labelOf = ({ key, label }: DialogOption) => (key === undefined ? label : `${key} ${label}`)

const widthOfLabels = (options: readonly DialogOption[], columns: number) =>
  Math.min(
    Math.floor(columns / 2),
    Math.max(0, ...options.map((option) => widthOf(labelOf(option)))),
  )

// the mark, and what is between a label and its note
const MARK = 2
const GAP = 2

const wholeNote = (note: string, width: number, columns: number): Row[] =>
  wrap([span(note, TONES.quiet)], Math.max(1, columns - MARK - width - GAP))

/** How many rows the longest note takes: the dialog keeps its height, whichever is selected. */
function noteRows(options: readonly DialogOption[], columns: number): number {
  const width = widthOfLabels(options, columns)
  return Math.max(1, ...options.map(({ note }) => wholeNote(note, width, columns).length))
}

/** The options around the selected one; where there is room for them all, its note is whole. */
function optionRows(
  options: readonly DialogOption[],
  selected: number,
  rows: number,
  columns: number,
): Written {
  const width = widthOfLabels(options, columns)
  const first = Math.max(0, Math.min(selected - Math.floor(rows / 2), options.length - rows))
  const shown = options.slice(first, first + Math.max(1, rows))
  const drawn = shown.flatMap((option, at): Row[] => {
    const isSelected = first + at === selected
    const name = cut([span(labelOf(option), isSelected ? TONES.strong : undefined)], width)
    const head: Row = [
      span(isSelected ? '❯ ' : '  '),
      ...fillUp(name, width),
      span(' '.repeat(GAP)),
    ]
    const [line = [], ...more] = wholeNote(option.note, width, columns)
    if (!isSelected || shown.length + more.length > rows)
      return [cut([...head, span(option.note, TONES.quiet)], columns)]
    const indent = span(' '.repeat(MARK + width + GAP))
    return [[...head, ...line], ...more.map((row): Row => [indent, ...row])]
  })
  return { rows: drawn, cursor: { row: Math.max(0, selected - first), column: 0 } }
}

function questionRows(dialog: Dialog, rows: number, columns: number): Row[] {
  if (rows === 0) return []
  switch (dialog.type) {
    case 'loop':
    case 'hint':
      return loopRows(dialog, rows, columns)
    case 'approval':
      return [
        ...questionLines(dialog.approval.question, Math.max(1, rows - 2), columns),
        ...(rows > 2
          ? [cut([span('what you type is kept for the prompt; Esc refuses', TONES.quiet)], columns)]
          : []),
      ]
    case 'sessions':
      return [filterRow('Which conversation?', dialog.query, columns)]
    case 'models':
      return [filterRow('Which model?', dialog.query, columns)]
    case 'trust':
      return [
        cut(
          [span('Do you trust the configuration above? It came with this folder.', TONES.warn)],
          columns,
        ),
      ]
    default:
      return never(dialog)
  }
}

const filterRow = (title: string, query: string, columns: number): Row =>
  cut([span(`${title} `, TONES.strong), span(printable(query), TONES.person)], columns)

// enough for a command; of an edit the rest stands in the transcript above
const QUESTION_ROWS = 4

function questionLines(question: string, rows: number, columns: number): Row[] {
  const lines = printable(question).split('\n')
  const shown = lines.slice(0, Math.min(rows, QUESTION_ROWS))
  const more = lines.length - shown.length
  return shown.map((line, index) =>
    cut(
      [
        span(line, TONES.warn),
        ...(more > 0 && index === shown.length - 1
          ? [span(` … ${plural(more, 'line')} more above`, TONES.quiet)]
          : []),
      ],
      columns,
    ),
  )
}

const NAME_COLUMNS = 8

/** What is known of the loop; where there is room, its calls side by side, and each fact whole. */
function loopRows(
  dialog: Dialog & { type: 'loop' | 'hint' },
  rows: number,
  columns: number,
): Row[] {
  const title =
    dialog.type === 'hint'
      ? 'A hint to the model (Esc: back)'
      : `The agent is ${describeState(dialog.finding)}. What now?`
  const facts = evidenceOf(dialog.finding, dialog.since).map(({ name, label, value }) => ({
    label,
    value:
      name === 'cost' && dialog.dollars
        ? `${value}; the session has cost ${showCost(dialog.dollars)} so far`
        : value,
  }))
  const whole = facts.flatMap(({ label, value }) =>
    wrap([span(value)], columns, {
      first: [span(label.padEnd(NAME_COLUMNS), TONES.quiet)],
      rest: [span(' '.repeat(NAME_COLUMNS))],
    }),
  )
  const short = facts.map(({ label, value }) =>
    cut([span(label.padEnd(NAME_COLUMNS), TONES.quiet), span(value)], columns),
  )
  const laps = lapRows(dialog.calls, dialog.finding.period, columns)
  const room = rows - 1
  const told = whole.length + laps.length <= room ? whole : short
  const calls = told.length + laps.length <= room ? laps : []
  return [cut([span(title, ['bold', 'yellow'])], columns), ...[...told, ...calls].slice(0, room)]
}
