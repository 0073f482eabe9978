import { plural, showCount } from 'unloop/words'
import type { Paint } from '../../../paint.js'
import { printable } from '../../../printable.js'
import { ENDINGS, oneLine, STATES } from '../../../words.js'
import { isMoment, showSpent } from '../../amounts.js'
import { compareSpent } from '../../answer.js'
import { projectName } from '../../project-name.js'
import { redact } from '../../redact.js'
import type { LoopReport, RunReport, ScanReport } from '../../run-report.js'
import { showPlace } from '../../unit.js'
import { wrap } from './wrap.js'

interface LoopOptions {
  columns: number
  home: string
  top: number
}

// the calls of a lap or two; the transcript has the rest
const EVENTS = 4

/** The worst loops, those that are certain first: what, when, where, what it took, what happened, and what to do. */
export function loopLines({ runs }: ScanReport, options: LoopOptions, paint: Paint): string[] {
  const found = runs.flatMap((run) => run.loops.map((loop) => ({ run, loop })))
  if (found.length === 0) return []
  found.sort((a, b) => rank(a.loop) - rank(b.loop) || compareSpent(a.loop.wasted, b.loop.wasted))
  const more = found.length - options.top
  return [
    ...found
      .slice(0, options.top)
      .flatMap(({ run, loop }, index) => ['', ...oneLoop(index + 1, run, loop, options, paint)]),
    ...(more > 0
      ? [
          '',
          paint(
            'dim',
            `${plural(more, 'more loop')}: --top ${showCount(found.length)} lists all, --html FILE shows them.`,
          ),
        ]
      : []),
  ]
}

/** New and certain before known, known before likely. */
const rank = ({ certainty, known }: LoopReport) => (certainty === 'likely' ? 2 : known ? 1 : 0)

function oneLoop(
  number: number,
  run: RunReport,
  loop: LoopReport,
  { columns, home }: LoopOptions,
  paint: Paint,
): string[] {
  const state = `${loop.known ? 'known, ' : ''}${STATES[loop.certainty]}`
  const project = run.project === undefined ? undefined : projectName(redact(run.project, home))
  const who = [
    run.program ?? run.format,
    run.agent,
    // many runs may be in one file
    project ?? (run.session && redact(run.session, home)),
    isMoment(run.startedAt) && showMinute(run.startedAt),
  ]
  const indent = '   '
  const width = columns - indent.length
  return [
    `${number}. ${paint(loop.certainty === 'certain' ? 'yellow' : 'dim', state)}  ${paint('bold', oneLine(printable(toTitle(loop)), width - 24))}`,
    ...wrap(who.filter(Boolean).join(' · '), columns, indent),
    ...wrap(loop.detail, columns, indent),
    ...wrap(`${showSpent(loop.wasted)}${late(loop)}; the run ${endOf(run)}.`, columns, indent),
    `${indent}${paint('dim', printable(redact(showPlace(run, loop.began), home)))}`,
    ...loop.evidence
      .slice(-EVENTS)
      .map(
        ({ line, text }) =>
          `${indent}${paint('dim', `${line}`.padStart(6))}  ${oneLine(printable(text), width - 8)}`,
      ),
    ...loop.steps.flatMap(({ text, command }) => [
      ...wrap(`→ ${text}`, columns, indent, `${indent}  `),
      ...(command === undefined ? [] : [`${indent}  ${paint('cyan', command)}`]),
    ]),
  ]
}

const toTitle = ({ detector, tool, count }: LoopReport) =>
  `${detector}${tool === undefined ? '' : `: ${tool}`} × ${showCount(count)}`

/** What could have been saved, if anything. */
function late({ avoidable, certainty }: LoopReport): string {
  if (avoidable.events === 0) return ''
  return ` (${showSpent(avoidable)} after it was ${certainty === 'certain' ? 'proven' : 'seen'})`
}

const endOf = ({ ended, status }: RunReport) =>
  `${ENDINGS[ended]}${status === undefined || status === ended ? '' : ` (${status})`}`

/** The day and the minute where the person is. */
function showMinute(at: number): string {
  const date = new Date(at)
  const parts = [date.getMonth() + 1, date.getDate(), date.getHours(), date.getMinutes()]
  const [month, day, hour, minute] = parts.map((part) => `${part}`.padStart(2, '0'))
  return `${date.getFullYear()}-${month}-${day} ${hour}:${minute}`
}
