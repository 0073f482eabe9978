import type { Choice } from '@unloop/agent'
import type { Finding } from 'unloop'
import { redact } from 'unloop/redact'
import {
  type ChoiceWords,
  choicesOf,
  describeChoice,
  type Fact,
  factsOf,
  type Translate,
} from 'unloop/words'
import type { ChatItem, ItemOf } from './item.js'
import { type LapCall, lastCallsOf } from './laps.js'

/** A loop with all that is said of it in the person's language. */
export interface LoopWords {
  facts: Fact[]
  /** what the person can decide; none if the run went on */
  choices: ChoiceWords[]
  /** the last calls of the loop, to be compared */
  calls: LapCall[]
}

/** What the person can decide about a loop. */
export const loopChoices = ({ tool }: Finding, t: Translate): ChoiceWords[] =>
  choicesOf({ tool, t })

/** What is said of an item that is a loop, in the person's language. */
export function loopWordsOf(
  item: ChatItem,
  items: readonly ChatItem[],
  t: Translate,
): { loop?: LoopWords } {
  if (item.type !== 'loop' && item.type !== 'warning') return {}
  const { finding } = item
  const facts = loopFacts(item, t)
  const choices = item.type === 'loop' ? loopChoices(finding, t) : []
  return { loop: { facts, choices, calls: lastCallsOf(items, finding) } }
}

/** What there is to know of a loop of the chat. */
export const loopFacts = (item: ItemOf<'loop'> | ItemOf<'warning'>, t: Translate): Fact[] =>
  factsOf(item.finding, {
    ...{ dollars: item.dollars, t },
    ...(item.type === 'warning' && {
      call: item.call,
      outcome: item.isObserved ? t('nothing was done: the guard only lists loops') : undefined,
    }),
  })

/** What the person decided, for the chat. */
export const describeDecision = (choice: Choice, { tool }: Finding, t: Translate): string =>
  describeChoice({ tool, ...choice }, t)

/** Whether a finding is only likely; those of chats that were saved before there was such a thing are certain. */
export const isLikely = ({ certainty }: Finding): boolean => certainty === 'likely'

/** How many there are of each, in words. */
export function describeCounts(findings: readonly Finding[], t: Translate): string {
  const likely = findings.filter(isLikely).length
  const certain = findings.length - likely
  return [
    ...(certain > 0 ? [t('{0} stuck', certain)] : []),
    ...(likely > 0 ? [t('{0} struggling', likely)] : []),
  ].join(', ')
}

/** One line with everything, for the log. */
export const toLogLine = (finding: Finding): string =>
  `${logNameOf(finding)}: ` +
  `${finding.detector} (${finding.kind}): ${redact(finding.detail)}; ${finding.count} times since event ${finding.firstEvent}; ` +
  `cost ${JSON.stringify(finding.wasted)}; seen: ${redact(finding.sample)}`

function logNameOf(finding: Finding): string {
  if (isLikely(finding)) return 'struggling, the model is told'
  const { action } = finding
  return `loop ${action === 'ask' || action === 'stop' ? 'detected' : action}`
}
