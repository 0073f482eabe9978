import type { Choice } from '@unloop/agent'
import type { Finding } from 'unloop'
import { redact } from 'unloop/redact'
import { showCount } from 'unloop/words'
import { never } from '../never.js'
import type { Translate } from '../translate.js'
import type { ChatItem, ItemOf } from './item.js'

/** A choice as a button: a hint is asked for once it is pressed. */
export type LoopButton = Choice['type']

/** A button; the short label is for a message, which has little room for six. */
export interface LoopChoice {
  id: LoopButton
  label: string
  short: string
}

/** A loop with all that is said of it in the person's language. */
export interface LoopWords {
  buttons: LoopChoice[]
  cost: string
  action: string
}

/** The buttons for a loop, with what they say. */
export function loopButtons({ tool }: Finding, t: Translate): LoopChoice[] {
  const ids: LoopButton[] = [
    'stop',
    'continue-once',
    ...(tool === undefined ? [] : (['allow'] as const)),
    'hint',
    'go-back',
    'disable',
  ]
  return ids.map((id) => ({ id, ...labelsOf(id, t) }))
}

function labelsOf(id: LoopButton, t: Translate): { label: string; short: string } {
  switch (id) {
    case 'stop':
      return { label: t('Stop'), short: t('Stop') }
    case 'continue-once':
      return { label: t('Continue once'), short: t('Continue') }
    case 'allow':
      return { label: t('Allow this tool'), short: t('Allow') }
    case 'hint':
      return { label: t('Send a hint…'), short: t('Hint…') }
    case 'go-back':
      return { label: t('Go back'), short: t('Back') }
    case 'disable':
      return { label: t('Disable for this session'), short: t('Disable') }
    default:
      return never(id)
  }
}

/** What is said of an item that is a loop, in the person's language. */
export function loopWordsOf(item: ChatItem, t: Translate): { loop?: LoopWords } {
  if (item.type !== 'loop' && item.type !== 'warning') return {}
  const { finding } = item
  const buttons = item.type === 'loop' ? loopButtons(finding, t) : []
  const action = describeOutcome(item, t)
  return { loop: { buttons, cost: describeCost(finding, t), action } }
}

/** What the person decided, for the chat. */
export function describeChoice(choice: Choice, { tool = '' }: Finding, t: Translate): string {
  switch (choice.type) {
    case 'stop':
      return t('Stopped. The model will read why with your next message.')
    case 'continue-once':
      return t('Continued once: the next report of this loop is ignored.')
    case 'allow':
      return t('Allowed: {0} may repeat in this session.', choice.tool ?? tool)
    case 'hint':
      return t('Hint to the model: {0}', choice.text)
    case 'go-back':
      return t('Went back to before the loop; the model tries again.')
    case 'disable':
      return t('Disabled: the guard does not look for loops in this session.')
    default:
      return never(choice)
  }
}

/** What the guard did about a loop. */
export function describeOutcome(item: ItemOf<'loop'> | ItemOf<'warning'>, t: Translate): string {
  const { action } = item.finding
  switch (action) {
    case 'warn':
      return t('the model was told')
    case 'block':
      return describeBlock(item.type === 'warning' ? item.call : undefined, t)
    case 'cut':
      return t('the message was cut')
    case 'ask':
    case 'stop':
      return t('the agent was stopped')
    default:
      return never(action)
  }
}

/** The guard may see a loop only once the answer of a call is there: too late to refuse the call. */
function describeBlock(call: ItemOf<'warning'>['call'], t: Translate): string {
  if (call === 'refused') return t('the call was refused')
  return call === 'ran'
    ? t('the call had already been answered; the model was told')
    : t('the model was told')
}

/** What a loop has cost, in words. */
export function describeCost({ wasted }: Finding, t: Translate): string {
  const { events, characters, tokens } = wasted
  return [
    t('{0} events', showCount(events)),
    ...(characters > 0 ? [t('{0} characters', showCount(characters))] : []),
    ...(tokens ? [t('{0} tokens', showCount(tokens))] : []),
  ].join(', ')
}

/** Whether a finding is only likely; those of chats that were saved before there was such a thing are certain. */
export const isLikely = ({ certainty }: Finding): boolean => certainty === 'likely'

/** What an agent is that may be in a loop, and one that is. */
export const describeState = (finding: Finding, t: Translate): string =>
  isLikely(finding) ? t('struggling') : t('stuck')

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
