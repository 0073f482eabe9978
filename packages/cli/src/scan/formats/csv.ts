import { printable } from '../../printable.js'
import { isMoment } from '../amounts.js'
import type { LoopReport, RunReport, ScanReport } from '../run-report.js'

/** One loop a row, as spreadsheets read it (RFC 4180). */
export function toCsv({ runs }: ScanReport): string {
  const rows = runs.flatMap((run) =>
    run.loops.map((loop) => COLUMNS.map(([, pick]) => pick(run, loop))),
  )
  return [COLUMNS.map(([name]) => name), ...rows]
    .map((row) => `${row.map(toCell).join(',')}\r\n`)
    .join('')
}

type Cell = string | number | undefined

const COLUMNS: readonly (readonly [string, (run: RunReport, loop: LoopReport) => Cell])[] = [
  [
    'started',
    ({ startedAt }) => (isMoment(startedAt) ? new Date(startedAt).toISOString() : undefined),
  ],
  ['agent', (run) => run.program ?? run.format],
  ['project', ({ project }) => project],
  ['model', ({ model }) => model],
  ['detector', (_, { detector }) => detector],
  ['detail', (_, { detail }) => detail],
  ['count', (_, { count }) => count],
  ['wasted_events', (_, { wasted }) => wasted.events],
  ['wasted_seconds', (_, { wasted }) => (wasted.ms === undefined ? undefined : wasted.ms / 1000)],
  ['wasted_tokens', (_, { wasted }) => wasted.tokens],
  ['wasted_dollars', (_, { wasted }) => wasted.cost],
  ['ended', ({ ended }) => ended],
  ['path', ({ path }) => path],
  ['first_line', ({ unit }, { began }) => (unit === 'line' ? began.line : undefined)],
  ['last_line', ({ unit }, { last }) => (unit === 'line' ? last.line : undefined)],
]

/** A cell that no spreadsheet takes for a formula. */
function toCell(value: Cell): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return `${value}`
  const plain = printable(value)
  const text = /^\s*[=+\-@]/.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
