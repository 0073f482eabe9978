import type { Tokens } from 'marked'
import { fillUp, widthOfRow } from '../columns.js'
import { type Row, span } from '../row.js'
import { wrap } from '../wrap.js'
import { inlineSpans } from './inline.js'

const GAP = '  '
// narrower than that, and words fall apart
const MIN_CELL = 6

/** A table with as wide columns as it needs; where there is less room, the widest cells are wrapped. */
export function tableRows({ header, rows, align }: Tokens.Table, columns: number): Row[] {
  const cells = [header, ...rows].map((row, index) =>
    row.map(({ tokens }) => inlineSpans(tokens, index === 0 ? ['bold'] : [])),
  )
  const wanted = header.map((_, at) =>
    Math.max(1, ...cells.map((row) => widthOfRow(row[at] ?? []))),
  )
  const widths = fit(wanted, columns - GAP.length * (header.length - 1))
  const [head = [], ...body] = cells.map((row) => {
    const wrapped = widths.map((width, at) => wrap(row[at] ?? [], width))
    const height = Math.max(1, ...wrapped.map(({ length }) => length))
    return Array.from(
      { length: height },
      (_, line): Row =>
        widths.flatMap((width, at) => {
          const cell = placed(wrapped[at]?.[line] ?? [], width, align[at])
          const isLast = at === widths.length - 1
          return isLast ? cell : [...fillUp(cell, width), span(GAP)]
        }),
    )
  })
  const rule: Row = [span(widths.map((width) => '─'.repeat(width)).join(GAP), 'dim')]
  return [...head, rule, ...body.flat()]
}

/** The cell, as far to the right as its column wants it. */
function placed(cell: Row, width: number, align: Tokens.Table['align'][number] | undefined): Row {
  const free = width - widthOfRow(cell)
  const before = align === 'right' ? free : align === 'center' ? Math.floor(free / 2) : 0
  return before > 0 ? [span(' '.repeat(before)), ...cell] : cell
}

/** The widths, the widest made narrower until all fit. */
function fit(wanted: readonly number[], room: number): number[] {
  const least = Math.max(1, Math.min(MIN_CELL, Math.floor(room / wanted.length)))
  let cap = Math.max(...wanted)
  const within = () => wanted.map((width) => Math.min(width, Math.max(least, cap)))
  while (cap > least && within().reduce((sum, width) => sum + width, 0) > room) cap--
  return within()
}
