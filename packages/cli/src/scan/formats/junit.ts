import { ADVICE, hasTroubles, troubleLines } from '../../troubles.js'
import { STATES } from '../../words.js'
import { certainOf, type LoopReport, type RunReport, type ScanReport } from '../run-report.js'

/** A suite for each agent, a case for each run, a failure for each run that was stuck, an error where the guard failed. */
export function toJunit({ runs }: ScanReport): string {
  const agents = [...new Set(runs.map(agentOf))]
  const suites = agents.map((agent) =>
    toSuite(
      agent,
      runs.filter((run) => agentOf(run) === agent),
    ),
  )
  return `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="unloop scan" tests="${runs.length}" failures="${countStuck(runs)}" errors="${countFaulty(runs)}">
${suites.join('\n')}
</testsuites>
`
}

const agentOf = ({ program, format }: RunReport) => program ?? format

const countStuck = (runs: readonly RunReport[]) =>
  runs.filter(({ loops }) => certainOf(loops).length > 0).length

const countFaulty = (runs: readonly RunReport[]) => runs.filter(hasTroubles).length

function toSuite(agent: string, runs: readonly RunReport[]): string {
  return `  <testsuite name="${toXml(agent)}" tests="${runs.length}" failures="${countStuck(runs)}" errors="${countFaulty(runs)}">
${runs.map(toCase).join('\n')}
  </testsuite>`
}

function toCase(run: RunReport): string {
  const { project = run.format, session, path, loops, spent } = run
  const time = spent.ms === undefined ? '' : ` time="${spent.ms / 1000}"`
  const head = `    <testcase classname="${toXml(project)}" name="${toXml(session ?? path)}"${time}`
  const stuck = certainOf(loops)
  const struggling = loops.filter((loop) => !stuck.includes(loop))
  const parts = [
    ...(stuck.length > 0 ? [toFailure(run, stuck)] : []),
    ...(hasTroubles(run) ? [toError(run)] : []),
    ...(struggling.length > 0 ? [toNote(run, struggling)] : []),
  ]
  if (parts.length === 0) return `${head}/>`
  return `${head}>
${parts.join('\n')}
    </testcase>`
}

function toFailure(run: RunReport, loops: readonly LoopReport[]): string {
  const details = loops.map(({ detail }) => detail).join('; ')
  return `      <failure type="${toXml(loops[0]?.detector ?? '')}" message="${toXml(details)}">${toXml(placesOf(run, loops))}</failure>`
}

/** What is only likely fails nothing, but is there to be read. */
const toNote = (run: RunReport, loops: readonly LoopReport[]) =>
  `      <system-out>${toXml(placesOf(run, loops))}</system-out>`

const placesOf = ({ path, unit }: RunReport, loops: readonly LoopReport[]) =>
  loops
    .map(({ certainty, detector, began, last, detail }) => {
      const [from, to] = [began.line, last.line]
      const place = unit === 'line' ? `${path}:${from}-${to}` : `${path}, ${unit}s ${from} to ${to}`
      return `${place} ${STATES[certainty]}: ${detector}: ${detail}`
    })
    .join('\n')

/** A run that may have other loops. */
function toError(run: RunReport): string {
  const lines = [...troubleLines(run), ADVICE]
  return `      <error type="guard" message="${toXml(lines[0] ?? '')}">${toXml(lines.join('\n'))}</error>`
}

/** Text for XML: characters it cannot have are left out. */
const toXml = (text: string): string =>
  text
    .replace(/(?![\t\n\r])\p{Cc}|\p{Cs}|[\u202a-\u202e\u2066-\u2069\ufffe\uffff]/gu, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
