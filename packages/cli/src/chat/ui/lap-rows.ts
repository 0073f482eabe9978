import { printable } from '../../printable.js'
import { oneLine } from '../../words.js'
import type { LoopCall } from '../state.js'
import { cut, fillUp } from './columns.js'
import { type Row, span, TONES } from './row.js'

const GAP = 2
// below this there is nothing to be read in a column
const MIN_COLUMNS = 18

/** The calls of a loop side by side, a column for each lap; what differs from the lap before stands out. */
export function lapRows(calls: readonly LoopCall[], period: number, columns: number): Row[] {
  const laps = lapsOf(calls, Math.max(1, period), columns)
  if (laps.length < 2) return []
  const width = Math.floor((columns - GAP * (laps.length - 1)) / laps.length)
  const beside = (cells: readonly Row[]): Row =>
    cells.flatMap((cell, index) =>
      index === cells.length - 1 ? cut(cell, width) : fillUp(cut(cell, width), width + GAP),
    )
  const last = laps.length - 1
  const titles = laps.map(
    (_, index): Row => [span(index === last ? 'last' : `${last - index} before`, TONES.quiet)],
  )
  const height = Math.max(...laps.map(({ length }) => length))
  const rows = Array.from({ length: height }, (_, line) =>
    beside(
      laps.map((lap, index): Row => {
        const text = lap[line] ?? ''
        const isNew = index > 0 && laps[index - 1]?.[line] !== text
        return [span(text, isNew ? TONES.warn : undefined)]
      }),
    ),
  )
  return [beside(titles), ...rows]
}

/** The last laps that fit, two lines for each call. */
function lapsOf(calls: readonly LoopCall[], period: number, columns: number): string[][] {
  const laps: string[][] = []
  for (let end = calls.length; end - period >= 0; end -= period) {
    if ((laps.length + 1) * (MIN_COLUMNS + GAP) > columns) break
    laps.unshift(calls.slice(end - period, end).flatMap(linesOf))
  }
  return laps
}

// more than any column shows
const MAX_LINE = 200

const linesOf = ({ name, args, output }: LoopCall): string[] => [
  oneLine(printable(`${name} ${args}`), MAX_LINE),
  output === undefined ? '  (no answer)' : `  ${oneLine(printable(output), MAX_LINE)}`,
]
