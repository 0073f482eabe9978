import type { Finding } from 'unloop'
import { choicesOf, describeChoice, describeCost } from 'unloop/words'
import { printable } from '../printable.js'
import { redactSample } from '../scan/redact.js'
import { oneLine } from '../words.js'

/** Something for the person in the editor. */
export interface Notice {
  title: string
  description: string
}

/** What the person may decide about a loop. */
export type Choice = (typeof OFFERED)[number]

/** What a permission request has answers for. */
export const OFFERED = ['stop', 'continue-once', 'allow'] as const

/** A call was refused in the person's name. */
export const refusedNotice = (finding: Finding): Notice => ({
  title: 'unloop refused a call',
  description: `The agent is stuck: ${whatHappened(finding)} The model will be told why with your next prompt.`,
})

/** A call should have been refused, but the agent offers no way to. */
export const notRefusedNotice = (finding: Finding): Notice => ({
  title: 'unloop would refuse this call',
  description: `The agent is stuck: ${whatHappened(finding)} The agent offers no way to refuse it, so you decide.`,
})

/** The turn was canceled. */
export const stoppedNotice = (finding: Finding, isAsked: boolean): Notice => ({
  title: 'unloop stopped this turn',
  description: `The agent is stuck: ${whatHappened(finding)} ${isAsked ? 'Your answer applies to what comes next. ' : ''}${GO_ON}`,
})

/** The editor answered for the person. */
export const automaticNotice = (finding: Finding): Notice => ({
  title: 'unloop stopped this turn',
  description: `The agent is stuck: ${whatHappened(finding)} Your editor answers permission requests by itself, so nobody could decide. ${GO_ON}`,
})

const GO_ON =
  'To go on, send a prompt that says what to do differently; the model will also be told why it was stopped.'

/** The question, and the answers to it. */
export function questionOf(finding: Finding): {
  title: string
  text: string
  options: { optionId: string; name: string; kind: string }[]
} {
  const { tool, detector } = finding
  return {
    title: `unloop: the agent is stuck: ${detailOf(finding)}`,
    text: `The agent is stuck: ${whatHappened(finding)} Unless you decide otherwise, the turn ends at its next call.`,
    options: choicesOf({ tool, isBudget: detector === 'budget', offered: OFFERED }).map(
      ({ name, label }) => ({
        optionId: name,
        name: oneLine(printable(label), 60),
        kind: KINDS[name as Choice],
      }),
    ),
  }
}

const KINDS: Record<Choice, string> = {
  stop: 'reject_once',
  'continue-once': 'allow_once',
  allow: 'allow_always',
}

/** What became of the question. */
export const answeredTitle = (type: Choice, tool: string | undefined): string =>
  `unloop: ${oneLine(printable(describeChoice({ type, tool })), 200)}`

function whatHappened(finding: Finding): string {
  const sample = finding.sample ? ` (${oneLine(printable(redactSample(finding.sample)), 120)})` : ''
  return `${detailOf(finding)}${sample}. Cost so far: ${describeCost(finding.wasted)}.`
}

const detailOf = ({ detail }: Finding) => oneLine(printable(redactSample(detail)), 300)

/** What the model reads with a prompt of the person. */
export const adviceFor = (words: readonly string[]): string =>
  `[A note from unloop, which watches for loops, about the work before this message:\n${words.join('\n')}]`

/** One line for the log; the traffic goes on. */
export const faultLine = (reason: string): string =>
  `unloop acp: internal error, and the agent goes on: ${oneLine(printable(reason), 300)}`
