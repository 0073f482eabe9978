import { plural, showCount } from 'unloop/words'
import { createPaint, type Paint } from '../../paint.js'
import { inOneLine, printable } from '../../printable.js'
import { ADVICE, hasTroubles, troubleLines } from '../../troubles.js'
import { isMoment } from '../amounts.js'
import { answerOf, periodOf, worstOf } from '../answer.js'
import { isNoTranscript, whyNotAll } from '../problem.js'
import type { ScanReport } from '../run-report.js'
import { chartLines } from './pretty/chart.js'
import { loopLines } from './pretty/loops.js'
import { wrap } from './pretty/wrap.js'

export interface PrettyOptions {
  isColoured: boolean
  columns: number
  home: string
  /** rows of each table, and loops, that are shown; 5 if not given */
  top?: number | undefined
}

// wider lines are hard to read
const MAX_COLUMNS = 120

/** The report as people read it in a terminal: the answer, what was spent and wasted on what, and the worst loops with what to do. */
export function toPretty(report: ScanReport, options: PrettyOptions): string {
  const paint = createPaint(options.isColoured)
  const columns = Math.max(40, Math.min(options.columns, MAX_COLUMNS))
  const shown = { ...options, columns, top: options.top ?? 5 }
  return [
    ...answerLines(report, columns, paint),
    ...chartLines(report, shown, paint),
    ...loopLines(report, shown, paint),
    ...troubleText(report, paint),
    '',
  ]
    .map(inOneLine)
    .join('\n')
}

/** The answer, and what to know about its numbers. */
function answerLines(report: ScanReport, columns: number, paint: Paint): string[] {
  const { runs, totals, prices, since, scannedAt } = report
  const first = runs.map(({ startedAt }) => startedAt).filter(isMoment)
  const { phrases, notes } = answerOf({
    totals,
    worst: worstOf(runs)?.loop.wasted,
    period: periodOf(
      since === undefined ? undefined : Date.parse(since),
      first.length === 0 ? undefined : first.reduce((a, b) => Math.min(a, b)),
      Date.parse(scannedAt),
    ),
    prices,
  })
  const sentence = phrases.map(({ text }) => text).join('')
  const style = totals.stuck > 0 ? 'bold' : 'green'
  return [
    ...wrap(sentence, columns).map((line) => paint(style, line)),
    ...wrap([...notes, ...restOf(report)].join(' '), columns).map((line) => paint('dim', line)),
  ]
}

/** What was read and what was not. */
function restOf({ runs, totals, files, interrupted }: ScanReport): string[] {
  const known = runs.flatMap(({ loops }) => loops).filter((loop) => loop.known).length
  const others = files.filter(isNoTranscript).length
  const problems = files.filter((file) => whyNotAll(file) !== undefined).length - others
  const struggling = totals.struggling > 0 ? `, ${showCount(totals.struggling)} struggling` : ''
  return [
    totals.runs > 0 &&
      `${plural(totals.runs, 'run')} in ${plural(files.length - others, 'file')}: ${showCount(totals.stuck)} stuck${struggling}.`,
    known > 0 && `The baseline knows ${plural(known, 'loop')} of them.`,
    others > 0 && `${plural(others, 'other file')} left out.`,
    problems > 0 && `${plural(problems, 'file')} could not be read, or not in full.`,
    interrupted && 'Interrupted; there may be more.',
  ].filter((text) => text !== false)
}

/** What went wrong in the guard, each thing once, and in how many runs. */
function troubleText({ runs }: ScanReport, paint: Paint): string[] {
  const faulty = runs.filter(hasTroubles)
  if (faulty.length === 0) return []
  const lines = [...new Set(faulty.flatMap(troubleLines))]
  const more = lines.length - SHOWN_TROUBLES
  return [
    '',
    paint('red', `Part of the guard failed in ${plural(faulty.length, 'run')}:`),
    ...lines.slice(0, SHOWN_TROUBLES).map((line) => `  - ${printable(line)}`),
    ...(more > 0 ? [`  - and ${showCount(more)} more; --format json has them all`] : []),
    ADVICE,
  ]
}

// the other formats have them all
const SHOWN_TROUBLES = 5
