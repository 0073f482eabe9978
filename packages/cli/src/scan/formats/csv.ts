import { inOneLine, printable } from '../../printable.js'
import { hasTroubles } from '../../troubles.js'
import { STATES } from '../../words.js'
import { isMoment } from '../amounts.js'
import { isNoTranscript, whyNotAll } from '../problem.js'
import type { LoopReport, RunReport, ScanReport } from '../run-report.js'

/**
 * One loop a row, as spreadsheets read it (RFC 4180); a run in which the guard had trouble has a row also without one, and
 * so has a file that could not be read in full.
 */
export function toCsv({ runs, files }: ScanReport): string {
  const rows = runs.flatMap((run) => {
    const loops = run.loops.length === 0 && hasTroubles(run) ? [undefined] : run.loops
    return loops.map((loop) => COLUMNS.map(([, pick]) => pick(run, loop)))
  })
  const unread = files
    .filter((file) => whyNotAll(file) !== undefined && !isNoTranscript(file))
    .map((file) => [
      ...COLUMNS.map(([name]) => (name === 'path' ? file.path : '')),
      whyNotAll(file),
    ])
  return [
    [...COLUMNS.map(([name]) => name), 'problem'],
    ...rows.map((row) => [...row, '']),
    ...unread,
  ]
    .map((row) => `${row.map(toCell).join(',')}\r\n`)
    .join('')
}

type Cell = string | number | undefined

const COLUMNS: readonly (readonly [
  string,
  (run: RunReport, loop: LoopReport | undefined) => Cell,
])[] = [
  [
    'started',
    ({ startedAt }) => (isMoment(startedAt) ? new Date(startedAt).toISOString() : undefined),
  ],
  ['agent', (run) => run.program ?? run.format],
  ['project', ({ project }) => project],
  ['model', ({ model }) => model],
  ['state', (_, loop) => loop && STATES[loop.certainty]],
  ['known', (_, loop) => loop && (loop.known ? 'yes' : 'no')],
  ['detector', (_, loop) => loop?.detector],
  ['detail', (_, loop) => loop?.detail],
  ['count', (_, loop) => loop?.count],
  ['wasted_events', (_, loop) => loop?.wasted.events],
  ['wasted_seconds', (_, loop) => loop?.wasted.ms && loop.wasted.ms / 1000],
  ['wasted_tokens', (_, loop) => loop?.wasted.tokens],
  ['wasted_dollars', (_, loop) => loop?.wasted.cost],
  ['ended', ({ ended }) => ended],
  ['path', ({ path }) => path],
  ['first_line', ({ unit }, loop) => (unit === 'line' ? loop?.began.line : undefined)],
  ['last_line', ({ unit }, loop) => (unit === 'line' ? loop?.last.line : undefined)],
  ['guard_faults', ({ faults }) => faults.map(({ message }) => message).join('; ')],
  ['skipped_events', ({ skipped }) => skipped],
]

/** A cell that no spreadsheet takes for a formula. */
function toCell(value: Cell): string {
  if (value === undefined) return ''
  if (typeof value === 'number') return `${value}`
  // a line of its own would be a command for the runner of a CI job
  const plain = inOneLine(printable(value))
  const text = /^\s*[=+\-@]/.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
