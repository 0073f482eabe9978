import { inOneLine, printable } from '../../printable.js'
import { ADVICE, hasTroubles, troubleLines } from '../../troubles.js'
import { STATES } from '../../words.js'
import { isNoTranscript, whyNotAll } from '../problem.js'
import {
  certainOf,
  type FileReport,
  type LoopReport,
  type RunReport,
  type ScanReport,
} from '../run-report.js'

/**
 * A suite for each agent, a case for each run, a failure for each run that was stuck unless a baseline knows it, an error
 * where the guard failed; and a suite of files that could not be read in full.
 */
export function toJunit({ runs, files }: ScanReport): string {
  const agents = [...new Set(runs.map(agentOf))]
  const unread = files.filter((file) => whyNotAll(file) !== undefined && !isNoTranscript(file))
  const suites = [
    ...agents.map((agent) =>
      toSuite(agent, runs.filter((run) => agentOf(run) === agent).map(toCase)),
    ),
    ...(unread.length > 0 ? [toSuite('files', unread.map(toFileCase))] : []),
  ]
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="unloop scan"${countsOf(suites.flatMap(({ cases }) => cases))}>
${suites.map(({ text }) => text).join('\n')}
</testsuites>
`
}

const agentOf = ({ program, format }: RunReport) => program ?? format

interface Case {
  text: string
  isFailure: boolean
  isError: boolean
}

const toSuite = (name: string, cases: readonly Case[]) => ({
  cases,
  text: `  <testsuite name="${toXml(name)}"${countsOf(cases)}>
${cases.map(({ text }) => text).join('\n')}
  </testsuite>`,
})

function countsOf(cases: readonly Case[]): string {
  const failures = cases.filter(({ isFailure }) => isFailure).length
  const errors = cases.filter(({ isError }) => isError).length
  return ` tests="${cases.length}" failures="${failures}" errors="${errors}"`
}

/** What could not be read: loops in it are not known. */
const toFileCase = (file: FileReport): Case => ({
  text: `    <testcase classname="files" name="${toXml(file.path)}">
      <error type="${toXml(file.problem?.code ?? 'bad-records')}" message="${toXml(whyNotAll(file) ?? '')}"/>
    </testcase>`,
  isFailure: false,
  isError: true,
})

function toCase(run: RunReport): Case {
  const { project = run.format, session, path, loops, spent } = run
  const time = spent.ms === undefined ? '' : ` time="${spent.ms / 1000}"`
  const head = `    <testcase classname="${toXml(project)}" name="${toXml(session ?? path)}"${time}`
  const stuck = certainOf(loops).filter(({ known }) => !known)
  const others = loops.filter((loop) => !stuck.includes(loop))
  const isFaulty = hasTroubles(run)
  const parts = [
    ...(stuck.length > 0 ? [toFailure(run, stuck)] : []),
    ...(isFaulty ? [toError(run)] : []),
    ...(others.length > 0 ? [toNote(run, others)] : []),
  ]
  return {
    text: parts.length === 0 ? `${head}/>` : `${head}>\n${parts.join('\n')}\n    </testcase>`,
    isFailure: stuck.length > 0,
    isError: isFaulty,
  }
}

function toFailure(run: RunReport, loops: readonly LoopReport[]): string {
  const details = loops.map(({ detail }) => detail).join('; ')
  return `      <failure type="${toXml(loops[0]?.detector ?? '')}" message="${toXml(details)}">${toXmlLines(placesOf(run, loops))}</failure>`
}

/** What is only likely or known fails nothing, but is there to be read. */
const toNote = (run: RunReport, loops: readonly LoopReport[]) =>
  `      <system-out>${toXmlLines(placesOf(run, loops))}</system-out>`

const placesOf = ({ path, unit }: RunReport, loops: readonly LoopReport[]) =>
  loops.map(({ certainty, known, detector, began, last, detail }) => {
    const [from, to] = [began.line, last.line]
    const place = unit === 'line' ? `${path}:${from}-${to}` : `${path}, ${unit}s ${from} to ${to}`
    return `${place} ${known ? 'known' : STATES[certainty]}: ${detector}: ${detail}`
  })

/** A run that may have other loops. */
function toError(run: RunReport): string {
  const lines = [...troubleLines(run), ADVICE]
  return `      <error type="guard" message="${toXml(lines[0] ?? '')}">${toXmlLines(lines)}</error>`
}

/** Text for XML, line by line, none of which is a command for the runner of a CI job. */
const toXmlLines = (lines: readonly string[]): string => lines.map(toXml).join('\n')

/** Text for XML on one line: characters it cannot have are left out. */
const toXml = (text: string): string =>
  inOneLine(printable(text))
    .replace(/(?![\t\n\r])\p{Cc}|\p{Cs}|[\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
