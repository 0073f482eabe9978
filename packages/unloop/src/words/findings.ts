import type { Action, Certainty, Finding } from '../finding.js'
import { showCost, showCount, showMs } from './amounts.js'
import { inEnglish, type Translate } from './translate.js'

/** What an agent is that may be in a loop, and one that is. */
export const STATES: Record<Certainty, string> = { likely: 'struggling', certain: 'stuck' }

/** The same in the person's language. */
export const describeState = (
  { certainty }: Pick<Finding, 'certainty'>,
  t: Translate = inEnglish,
): string => (certainty === 'likely' ? t('struggling') : t('stuck'))

/** What became of the call that a finding is about; the guard may see a loop only once a call was answered. */
export type CallFate = 'refused' | 'ran'

/** What was done about a loop. */
export function describeOutcome(
  { action, certainty }: { action: Action; certainty?: Certainty },
  { call, t = inEnglish }: { call?: CallFate | undefined; t?: Translate | undefined } = {},
): string {
  if (certainty === 'likely') return t('the model was told')
  switch (action) {
    case 'warn':
      return t('the model was told')
    case 'block':
      if (call === 'refused') return t('the call was refused')
      return call === 'ran'
        ? t('the call had run; its answer was withheld')
        : t('the model was told')
    case 'cut':
      return t('the message was cut')
    case 'ask':
    case 'stop':
      return t('the agent was stopped')
  }
}

/** What a loop has cost so far. */
export function describeCost(
  wasted: Finding['wasted'],
  { dollars, t = inEnglish }: { dollars?: number | undefined; t?: Translate | undefined } = {},
): string {
  const { events, characters, tokens = 0 } = wasted
  return [
    ...amount(events, t, '{0} event', '{0} events'),
    ...amount(characters, t, '{0} character', '{0} characters'),
    ...amount(tokens, t, '{0} token', '{0} tokens'),
    ...(dollars ? [t('about {0}', showCost(dollars))] : []),
  ].join(', ')
}

function amount(count: number, t: Translate, one: string, many: string): string[] {
  return count > 0 ? [t(count === 1 ? one : many, showCount(count))] : []
}

/** Names of what there is to know of a loop, in the order in which it is told. */
export type FactName = 'what' | 'seen' | 'times' | 'cost' | 'rule' | 'advice' | 'then'

/** One thing there is to know of a loop. */
export interface Fact {
  name: FactName
  label: string
  value: string
}

export interface FactOptions {
  /** when it began, as far as that is known */
  since?: { turn: number; agoMs: number } | undefined
  /** what the wasted tokens cost, if the price is known */
  dollars?: number | undefined
  /** what became of the call it is about */
  call?: CallFate | undefined
  /** what was done about it, if not what the guard asked for */
  outcome?: string | undefined
  /** Takes out of a text what must not be shown. */
  clean?: ((text: string) => string) | undefined
  t?: Translate | undefined
}

/** What of a finding is told. */
export interface Told
  extends Pick<Finding, 'detector' | 'detail' | 'sample' | 'advice' | 'count' | 'wasted'> {
  kind?: string
  action?: Action
  certainty?: Certainty
}

/**
 * What there is to know of a loop, in the order in which it is told everywhere.
 *
 * @example
 * for (const { label, value } of factsOf(finding)) console.log(`${label}: ${value}`)
 */
export function factsOf(finding: Told, options: FactOptions = {}): Fact[] {
  const { dollars, call, clean = (text) => text, t = inEnglish } = options
  const { detector, kind = detector, wasted, action } = finding
  const detail = clean(finding.detail)
  const sample = clean(finding.sample)
  const outcome =
    options.outcome ?? (action && describeOutcome({ ...finding, action }, { call, t })) ?? ''
  const facts: Fact[] = [
    { name: 'what', label: t('What'), value: detail },
    { name: 'seen', label: t('Seen'), value: detail.includes(sample) ? '' : sample },
    { name: 'times', label: t('Times'), value: describeTimes(finding, options, t) },
    { name: 'cost', label: t('Cost'), value: describeCost(wasted, { dollars, t }) },
    { name: 'rule', label: t('Rule'), value: kind === detector ? kind : `${detector} (${kind})` },
    { name: 'advice', label: t('Advice'), value: clean(finding.advice) },
    { name: 'then', label: t('Then'), value: outcome },
  ]
  return facts.filter(({ value }) => value !== '')
}

/** How often and since when; a judge does not count, and may not know. */
function describeTimes({ count }: Told, { since }: FactOptions, t: Translate): string {
  const times = count > 1 ? showCount(count) : ''
  if (!since) return times
  const ago = since.agoMs < 1000 ? t('just now') : t('{0} ago', showMs(since.agoMs))
  return times === ''
    ? t('since turn {0}, {1}', since.turn, ago)
    : t('{0}, since turn {1}, {2}', times, since.turn, ago)
}
