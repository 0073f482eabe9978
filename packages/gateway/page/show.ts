import { plural, showCost, showMs, showTokens } from 'unloop/words'
import type { FindingView, Saved, SessionView } from './live.js'

/** What a person calls the session. */
export const nameOf = ({ name, id }: SessionView): string => name || shortId(id)

const shortId = (id: string): string => (id.length > 10 ? `${id.slice(0, 8)}…` : id)

/** `claude-code · claude-opus-4-5` */
export const showMaker = ({ agent, model }: SessionView): string =>
  [agent || 'unknown agent', model].filter(Boolean).join(' · ')

/** `12 s ago` */
export const showAge = (ms: number): string => (ms < 1000 ? 'just now' : `${showMs(ms)} ago`)

const clock = new Intl.DateTimeFormat('en-US', { timeStyle: 'medium' })
const calendar = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'medium' })

/** `9:14:02 AM`, with the date if it is not today's. */
export function showTime(at: number, now: number): string {
  const isToday = new Date(at).toDateString() === new Date(now).toDateString()
  return (isToday ? clock : calendar).format(at)
}

/** `42 requests, 1.2M tokens, $3.20`; dollars only where the price is known */
export const showSpent = ({ requests, tokens, dollars }: Saved): string =>
  [
    plural(requests, 'request'),
    tokens > 0 && `${showTokens(tokens)} tokens`,
    dollars > 0 && showCost(dollars),
  ]
    .filter(Boolean)
    .join(', ')

export const isSaving = ({ requests, tokens, dollars }: Saved): boolean =>
  requests > 0 || tokens > 0 || dollars > 0

const OUTCOMES: Record<string, string> = {
  go: 'the request was passed on',
  nudge: 'the model was told',
  respond: 'the gateway answered instead of the model',
  error: 'the request was refused with an error',
  cut: 'the answer was cut off',
  observe: 'recorded only',
}

/** What the gateway did, in words; a word this page does not know is shown as it is. */
export const showOutcome = ({ outcome, action }: FindingView): string =>
  OUTCOMES[outcome] ?? (outcome || action)
