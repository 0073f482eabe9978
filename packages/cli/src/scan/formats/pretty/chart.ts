import { plural, showCost, showCount, showTokens } from 'unloop/words'
import type { Paint } from '../../../paint.js'
import { printable } from '../../../printable.js'
import { inColumns, widthOf } from '../../../width.js'
import type { Grouping, Row, ScanReport } from '../../run-report.js'

interface ChartOptions {
  columns: number
  top: number
}

const GROUPS: readonly (readonly [Grouping, string])[] = [
  ['day', 'By day'],
  ['project', 'By project'],
  ['agent', 'By agent'],
  ['model', 'By model'],
  ['tool', 'By tool'],
]

const DAYS = 14
const NUMBER = 10

/** What was spent on each day, project, agent, model and tool: a bar with the wasted part at its end, and the numbers. */
export function chartLines(
  { by, totals }: ScanReport,
  { columns, top }: ChartOptions,
  paint: Paint,
): string[] {
  const { tokens, cost } = totals.spent
  if (tokens === 0 && cost === undefined) return []
  const unit = cost === undefined ? TOKENS : DOLLARS
  const tables = GROUPS.map(([name, title]) => ({
    title,
    rows: shownRows(name, by[name].filter(hasSpent), top),
  }))
  const all = tables.flatMap(({ rows }) => rows)
  const names = Math.min(
    Math.max(...all.map(({ name }) => widthOf(printable(name)))),
    columns < 100 ? 24 : 40,
  )
  const bar = columns - names - 2 * NUMBER - 4 - (columns < 100 ? 0 : NUMBER)
  return tables.flatMap(({ title, rows }) => {
    if (rows.length === 0) return []
    const most = Math.max(...rows.filter(({ isRest }) => !isRest).map(unit.spent))
    const head = ['spent', 'wasted', ...(columns < 100 ? [] : ['runs'])]
    return [
      '',
      paint('bold', inColumns(title, names + bar + 2, 'left') + head.map(toCell).join('')),
      ...rows.map((row) =>
        [
          inColumns(printable(row.name), names, 'left'),
          '  ',
          row.isRest
            ? ' '.repeat(bar)
            : barOf(unit.spent(row) / most, unit.wasted(row) / most, bar, paint),
          toCell(unit.show(row.tokens, row.cost)),
          toCell(unit.show(row.wastedTokens, row.wastedCost)),
          columns < 100 || row.isRest ? '' : toCell(showCount(row.runs)),
        ]
          .join('')
          .trimEnd(),
      ),
    ]
  })
}

const hasSpent = ({ tokens, cost = 0 }: Row) => tokens > 0 || cost > 0

const toCell = (text: string) => inColumns(text, NUMBER, 'right')

const DOLLARS = {
  spent: ({ cost = 0 }: Row) => cost,
  wasted: ({ wastedCost = 0 }: Row) => wastedCost,
  // what has no price was not free
  show: (tokens: number, cost = 0) =>
    cost > 0 ? showCost(cost) : tokens > 0 ? `${showTokens(tokens)} tok` : '-',
}

const TOKENS = {
  spent: ({ tokens }: Row) => tokens,
  wasted: ({ wastedTokens }: Row) => wastedTokens,
  show: (tokens: number) => (tokens > 0 ? showTokens(tokens) : '-'),
}

/** A row of the chart; one for all that have none of their own has no bar, for it would be the longest. */
interface ChartRow extends Row {
  isRest?: true
}

/** The last days in full, of the others the dearest; the rest as one row. */
function shownRows(group: Grouping, rows: readonly Row[], top: number): ChartRow[] {
  const isDay = group === 'day'
  const count = isDay ? Math.max(DAYS, top) : top
  if (rows.length <= count) return rows.every(({ name }) => name === 'unknown') ? [] : [...rows]
  const rest = isDay ? rows.slice(0, -count) : rows.slice(count)
  const name = isDay ? `${plural(rest.length, 'earlier day')}` : `${showCount(rest.length)} more`
  const sum: ChartRow = { ...rest.reduce(addRow), name, isRest: true }
  return isDay ? [sum, ...rows.slice(-count)] : [...rows.slice(0, count), sum]
}

const addRow = (sum: Row, row: Row): Row => ({
  ...sum,
  tokens: sum.tokens + row.tokens,
  cost: (sum.cost ?? 0) + (row.cost ?? 0),
  wastedTokens: sum.wastedTokens + row.wastedTokens,
  wastedCost: (sum.wastedCost ?? 0) + (row.wastedCost ?? 0),
})

/** A bar of blocks; the wasted part is hatched and coloured, and never too small to be seen. */
function barOf(share: number, wasted: number, columns: number, paint: Paint): string {
  const length = share > 0 ? Math.max(1, Math.round(share * columns)) : 0
  const bad = wasted > 0 ? Math.min(length, Math.max(1, Math.round(wasted * columns))) : 0
  return `${'█'.repeat(length - bad)}${bad > 0 ? paint('yellow', '▒'.repeat(bad)) : ''}${' '.repeat(columns - length)}`
}
