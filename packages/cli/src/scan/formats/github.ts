import { plural, showCount } from 'unloop/words'
import { type AnnotationPlace, toAnnotation } from '../../annotation.js'
import { printable } from '../../printable.js'
import { hasTroubles, troubleLines } from '../../troubles.js'
import { ENDINGS, STATES } from '../../words.js'
import { showSpent } from '../amounts.js'
import { isNoTranscript, whyNotAll } from '../problem.js'
import type { FileReport, LoopReport, RunReport, ScanReport } from '../run-report.js'
import { showPlace } from '../unit.js'

/**
 * Annotations for GitHub Actions: an error for each loop that no baseline knows, a notice where an agent struggled, a warning
 * for each file that could not be read. GitHub shows ten of each level, so the worst come first and the rest is counted.
 */
export function toGithub(report: ScanReport): string {
  const { stuck, struggling } = sorted(report)
  const files = unreadOf(report)
  return [
    ...some(stuck.map(({ run, loop }) => annotate('error', run, loop))),
    ...some(struggling.map(({ run, loop }) => annotate('notice', run, loop))),
    ...some(files.map(annotateFile)),
    ...some(report.runs.filter(hasTroubles).flatMap(annotateTroubles)),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** The same as Markdown, for `$GITHUB_STEP_SUMMARY`. */
export function toGithubSummary(report: ScanReport): string {
  const { stuck, known, struggling } = sorted(report)
  const files = unreadOf(report)
  const runs = new Set(stuck.map(({ run }) => run)).size
  const verdict = runs === 0 ? 'no new loops' : plural(runs, `${STATES.certain} run`)
  return `${[
    `### unloop: ${verdict} in ${plural(report.runs.length, 'run')}`,
    stuck.length > 0 && toTable(stuck),
    known.length > 0 && `${plural(known.length, 'loop')} in the baseline.`,
    struggling.length > 0 &&
      toDetails(`${showCount(struggling.length)} ${STATES.likely}`, toTable(struggling)),
    files.length > 0 &&
      toDetails(`${plural(files.length, 'file')} could not be read in full`, toList(files)),
    report.interrupted && 'The scan was interrupted; there may be more.',
  ]
    .filter(Boolean)
    .join('\n\n')}\n\n`
}

interface Row {
  run: RunReport
  loop: LoopReport
}

/** The loops, the worst of each kind first. */
function sorted({ runs }: ScanReport): Record<'stuck' | 'known' | 'struggling', Row[]> {
  const rows = runs
    .flatMap((run) => run.loops.map((loop) => ({ run, loop })))
    .sort((a, b) => weight(b.loop) - weight(a.loop))
  const certain = rows.filter(({ loop }) => loop.certainty === 'certain')
  return {
    stuck: certain.filter(({ loop }) => !loop.known),
    known: certain.filter(({ loop }) => loop.known),
    struggling: rows.filter(({ loop }) => loop.certainty === 'likely'),
  }
}

const weight = ({ wasted }: LoopReport) => wasted.tokens * 1000 + (wasted.ms ?? 0)

const unreadOf = ({ files }: ScanReport) =>
  files.filter((file) => whyNotAll(file) !== undefined && !isNoTranscript(file))

// what GitHub shows of one level and step
const SHOWN_ANNOTATIONS = 10
// a summary has a megabyte, a reader less
const SHOWN_ROWS = 50

const some = (lines: readonly string[]) => lines.slice(0, SHOWN_ANNOTATIONS)

/** What went wrong in the guard: loops may be missing. */
const annotateTroubles = (run: RunReport): string[] =>
  troubleLines(run).map((line) =>
    toAnnotation('warning', printable(line), {
      file: printable(run.path),
      title: 'Part of the guard failed',
    }),
  )

function annotate(level: 'error' | 'notice', run: RunReport, loop: LoopReport): string {
  const { line, file = run.path } = loop.evident
  const message = `${loop.detail} (${showSpent(loop.wasted)}); the run ${ENDINGS[run.ended]}`
  const place: AnnotationPlace = {
    file: printable(file),
    ...(run.unit === 'line' && { line: Math.max(1, line) }),
    title: printable(`${run.program ?? run.format} is ${STATES[loop.certainty]}: ${loop.detector}`),
  }
  return toAnnotation(level, printable(message), place)
}

const annotateFile = (file: FileReport) =>
  toAnnotation('warning', printable(whyNotAll(file) ?? ''), {
    file: printable(file.path),
    title: 'unloop could not read all of it',
  })

function toTable(rows: readonly Row[]): string {
  const cells = rows
    .slice(0, SHOWN_ROWS)
    .map(({ run, loop }) =>
      [
        run.program ?? run.format,
        run.project ?? '',
        `${loop.detector}${loop.tool === undefined ? '' : `: ${loop.tool}`}`,
        loop.detail,
        showSpent(loop.wasted),
        ENDINGS[run.ended],
        showPlace(run, loop.evident),
      ].map(toText),
    )
  const more = rows.length - cells.length
  return [
    '| agent | project | what looped | what happened | wasted | how it ended | where |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...cells.map((row) => `| ${row.join(' | ')} |`),
    ...(more > 0 ? ['', `and ${showCount(more)} more`] : []),
  ].join('\n')
}

const toList = (files: readonly FileReport[]) =>
  files
    .slice(0, SHOWN_ROWS)
    .map((file) => `- ${toText(file.path)}: ${toText(whyNotAll(file) ?? '')}`)
    .join('\n')

const toDetails = (title: string, content: string) =>
  `<details><summary>${title}</summary>\n\n${content}\n\n</details>`

/** Text that is nothing but text in Markdown: no link, image, tag, mention or cell. */
const toText = (text: string): string =>
  printable(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]()<>#+!|~&@:"'-]/g, (mark) => `&#${mark.charCodeAt(0)};`)
