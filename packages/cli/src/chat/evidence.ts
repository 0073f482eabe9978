import type { Finding } from 'unloop'
import { plural, showMs } from 'unloop/words'
import { printable } from '../printable.js'
import { redactSample } from '../scan/redact.js'
import { ACTIONS, costOf, oneLine, STATES } from '../words.js'
import type { Since } from './state.js'

/** What there is to know of a loop, as names and values. */
export function evidenceOf(finding: Finding, since?: Since): [name: string, value: string][] {
  const { advice, detector, kind, wasted } = finding
  const detail = printable(redactSample(finding.detail))
  const sample = printable(redactSample(finding.sample))
  return [
    ['what', detail],
    ...optional('seen', !detail.includes(sample) && oneLine(sample, 200)),
    ...timesOf(finding, since),
    ...optional('cost', wasted.events > 0 && costOf(finding)),
    ['rule', kind === detector ? detector : `${detector} (${kind})`],
    ['advice', oneLine(printable(advice), 300)],
  ]
}

const optional = (name: string, value: string | false): [string, string][] =>
  value === false ? [] : [[name, value]]

/** How often and since when; a judge does not count, and may not know. */
function timesOf({ count, firstEvent, lastEvent }: Finding, since?: Since): [string, string][] {
  const when = since && `turn ${since.turn}, ${showAgo(since.agoMs)}`
  if (count > 1) return [['times', `${plural(count, 'time')}${when ? `, since ${when}` : ''}`]]
  return when && firstEvent < lastEvent ? [['since', when]] : []
}

/** What an action comes to: a judge speaks between calls, where none can be refused. */
export const effectOf = ({ action, detector }: Finding): Finding['action'] =>
  action === 'block' && detector === 'judge' ? 'warn' : action

/** `4 min ago` */
export const showAgo = (ms: number): string => (ms < 1000 ? 'just now' : `${showMs(ms)} ago`)

/** The findings of a session as text, those that are certain first. */
export function listFindings(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'no loops so far'
  const certain = findings.filter(({ certainty }) => certainty === 'certain')
  const likely = findings.filter(({ certainty }) => certainty === 'likely')
  return [...certain, ...likely]
    .map((finding, index) => {
      const lines = evidenceOf(finding).map(([name, value]) => `   ${name.padEnd(7)} ${value}`)
      const action = `   action  ${finding.action}: ${ACTIONS[effectOf(finding)]}`
      const title = `${index + 1}. ${STATES[finding.certainty]}: ${finding.detector}`
      return [title, ...lines, action].join('\n')
    })
    .join('\n')
}
