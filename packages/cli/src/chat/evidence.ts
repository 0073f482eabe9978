import type { Finding } from 'unloop'
import { describeState, type Fact, factsOf } from 'unloop/words'
import { printable } from '../printable.js'
import { redactSample } from '../scan/redact.js'
import { oneLine } from '../words.js'
import type { Since } from './state.js'

/** What there is to know of a loop, each in a line or two. */
export const evidenceOf = (finding: Finding, since?: Since): Fact[] =>
  factsOf(finding, { since: isSpan(finding) ? since : undefined, clean }).filter(
    ({ name }) => name !== 'then',
  )

/** Whether anybody knows when it began: a judge may not. */
const isSpan = ({ firstEvent, lastEvent }: Finding) => firstEvent < lastEvent

// some lines of a terminal
const clean = (text: string) => oneLine(printable(redactSample(text)), 300)

/** The findings of a session as text, those that are certain first. */
export function listFindings(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'no loops so far'
  const certain = findings.filter(({ certainty }) => certainty === 'certain')
  const likely = findings.filter(({ certainty }) => certainty === 'likely')
  return [...certain, ...likely]
    .map((finding, index) => {
      const title = `${index + 1}. ${describeState(finding)}: ${finding.detector}`
      const facts = factsOf(finding, { clean }).filter(({ name }) => name !== 'rule')
      return [title, ...facts.map(({ label, value }) => `   ${label.padEnd(7)} ${value}`)].join(
        '\n',
      )
    })
    .join('\n')
}
