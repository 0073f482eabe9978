import { plural, showCost, showCount, showMs, showTokens } from '@unloop/agent/amounts'
import { createPaint, type Paint } from '../../paint.js'
import { printable } from '../../printable.js'
import { ADVICE, hasTroubles, troubleLines } from '../../troubles.js'
import { inColumns, widthOf } from '../../width.js'
import { ENDINGS, oneLine, STATES } from '../../words.js'
import { isMoment, least, showSpent, total } from '../amounts.js'
import { isNoTranscript, whyNotAll } from '../problem.js'
import { redact } from '../redact.js'
import { type LoopReport, type RunReport, type ScanReport, stateOf } from '../run-report.js'
import { showPlace } from '../unit.js'

export interface PrettyOptions {
  isColoured: boolean
  columns: number
  home: string
}

/** The report as people read it in a terminal: a row a loop, those that are certain first; the sum; and the worst three with evidence. */
export function toPretty(report: ScanReport, options: PrettyOptions): string {
  const paint = createPaint(options.isColoured)
  const rows = report.runs
    .flatMap((run) => run.loops.map((loop) => ({ run, loop })))
    .sort((a, b) => byCertainty(a, b) || (a.run.startedAt ?? 0) - (b.run.startedAt ?? 0))
  const troubles = troubleText(report, paint)
  if (rows.length === 0) return `${paint('green', 'No loops.')} ${sumOf(report)}\n${troubles}`
  const table = tableOf(
    [HEADING, ...rows.map(({ run, loop }) => cellsOf(run, loop, options.home))],
    options.columns,
  )
  const [heading = '', ...lines] = table
  const worst = [...rows]
    .sort((a, b) => byCertainty(a, b) || weight(b.loop) - weight(a.loop))
    .slice(0, 3)
  return [
    paint('bold', heading),
    ...lines,
    '',
    sumOf(report),
    troubles,
    paint('bold', worst.length === 1 ? 'The loop' : `The worst ${worst.length}`),
    ...worst.flatMap(({ run, loop }) => ['', ...evidenceLines(run, loop, options, paint)]),
    '',
  ].join('\n')
}

const HEADING = [
  'when',
  'agent',
  'project',
  'state',
  'what looped',
  'times',
  'time',
  'tokens',
  'cost',
  'how it ended',
]

function cellsOf(run: RunReport, loop: LoopReport, home: string): string[] {
  const { wasted } = loop
  return [
    isMoment(run.startedAt) ? showDay(run.startedAt) : '',
    run.program ?? run.format,
    lastPart(redact(run.project ?? '', home)),
    loop.known ? 'known' : STATES[loop.certainty],
    `${loop.detector}${loop.tool === undefined ? '' : `: ${loop.tool}`}`,
    `${loop.count}`,
    wasted.ms === undefined ? '' : showMs(wasted.ms),
    wasted.tokens === 0 ? '' : showTokens(wasted.tokens),
    wasted.cost === undefined ? '' : showCost(wasted.cost),
    ENDINGS[run.ended],
  ].map(printable)
}

const lastPart = (path: string) => path.split(/[/\\]/).filter(Boolean).at(-1) ?? path

/** The day and the minute where the person is. */
function showDay(at: number): string {
  const date = new Date(at)
  const parts = [date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()]
  const [month, day, hour, minute] = parts.map((part) => `${part}`.padStart(2, '0'))
  return `${date.getFullYear()}-${month}-${day} ${hour}:${minute}`
}

/** Certain before likely. */
const byCertainty = (a: { loop: LoopReport }, b: { loop: LoopReport }) =>
  Number(a.loop.certainty === 'likely') - Number(b.loop.certainty === 'likely')

/** What weighs most is what cost most, by what is known. */
const weight = ({ wasted }: LoopReport) => wasted.tokens * 1000 + (wasted.ms ?? 0) + wasted.events

function sumOf({ runs, files, prices, interrupted }: ScanReport): string {
  const stuck = runs.filter((run) => stateOf(run) === 'certain')
  const struggling = runs.filter((run) => stateOf(run) === 'likely')
  const others = files.filter(isNoTranscript).length
  const problems = files.filter((file) => whyNotAll(file) !== undefined).length - others
  const wasted = total(stuck.map(({ wasted }) => wasted))
  return [
    `${plural(stuck.length, `${STATES.certain} run`)}${struggling.length > 0 ? `, ${showCount(struggling.length)} ${STATES.likely},` : ''} of ${plural(runs.length, 'run')} in ${plural(files.length - others, 'file')}`,
    stuck.length > 0 && `wasted: ${showSpent(wasted)}`,
    struggling.length > 0 && `${STATES.likely} took ${showSpent(total(struggling.map(tookOf)))}`,
    wasted.cost !== undefined && `list prices of ${prices.date}`,
    others > 0 && `${plural(others, 'other file')} left out`,
    problems > 0 && `${plural(problems, 'file')} could not be read in full`,
    interrupted && 'interrupted; there may be more',
  ]
    .filter(Boolean)
    .join('; ')
}

/** What a run took while it struggled; some of it may have been honest work. */
const tookOf = ({ loops, spent }: RunReport) =>
  least(total(loops.map(({ wasted }) => wasted)), spent)

/** What went wrong in the guard, each thing once, and in how many runs. */
function troubleText({ runs }: ScanReport, paint: Paint): string {
  const faulty = runs.filter(hasTroubles)
  if (faulty.length === 0) return ''
  const lines = [...new Set(faulty.flatMap(troubleLines))]
  const more = lines.length - SHOWN_TROUBLES
  return [
    paint('red', `Part of the guard failed in ${plural(faulty.length, 'run')}:`),
    ...lines.slice(0, SHOWN_TROUBLES).map((line) => `  - ${printable(line)}`),
    ...(more > 0 ? [`  - and ${showCount(more)} more; --format json has them all`] : []),
    ADVICE,
    '',
  ].join('\n')
}

// the other formats have them all
const SHOWN_TROUBLES = 5

function evidenceLines(
  run: RunReport,
  loop: LoopReport,
  { columns, home }: PrettyOptions,
  paint: Paint,
): string[] {
  const width = Math.max(40, columns - 4)
  const place = redact(showPlace(run, loop.began), home)
  return [
    `${paint(loop.certainty === 'certain' ? 'yellow' : 'dim', `${STATES[loop.certainty]}: ${loop.detector}`)}  ${printable(loop.detail)}`,
    `  ${paint('dim', place)}`,
    `  ${showSpent(loop.wasted)} since it began, ${showSpent(loop.avoidable)} of it after it was evident`,
    ...loop.evidence.map(
      ({ line, text }) =>
        `  ${paint('dim', `${line}`.padStart(6))}  ${oneLine(printable(text), width - 8)}`,
    ),
  ]
}

/** Columns as wide as they need to be; the widest give way first. */
function tableOf(rows: readonly (readonly string[])[], columns: number): string[] {
  const used = HEADING.map((_, i) => i).filter((i) => rows.slice(1).some((row) => row[i] !== ''))
  const widths = used.map((i) => Math.max(...rows.map((row) => widthOf(row[i] ?? ''))))
  const room = columns - 2 * (used.length - 1)
  while (widths.reduce((a, b) => a + b, 0) > room && Math.max(...widths) > 10) {
    widths[widths.indexOf(Math.max(...widths))] = Math.max(...widths) - 1
  }
  return rows.map((row) =>
    used
      .map((i, at) => {
        const cell = (row[i] ?? '').replace(/\s+/g, ' ')
        return inColumns(cell, widths[at] ?? 0, NUMBERS.has(i) ? 'right' : 'left')
      })
      .join('  ')
      .trimEnd(),
  )
}

const NUMBERS = new Set([5, 6, 7, 8])
