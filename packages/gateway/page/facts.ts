import { plural, showCost, showTokens } from 'unloop/words'
import { element, setText } from './dom.js'
import type { SessionView } from './live.js'
import { isSaving, showAge, showSpent, showTime } from './show.js'

/** What is known about a session, as a list of names and values. */
export function createFacts(): {
  element: HTMLElement
  update(session: SessionView, now: number): void
} {
  const list = element('dl', { class: 'facts' })
  const values = FACTS.map(([name, show]) => {
    const value = element('dd')
    list.append(element('div', {}, element('dt', {}, name), value))
    return { value, show }
  })
  return {
    element: list,
    update(session, now) {
      for (const { value, show } of values) setText(value, show(session, now))
    },
  }
}

const FACTS: [name: string, show: (session: SessionView, now: number) => string][] = [
  ['Agent', ({ agent }) => agent || 'unknown'],
  ['Model', ({ model }) => model || 'unknown'],
  ['Protocol', ({ protocol }) => protocol],
  ['Session id', ({ id }) => id],
  ['Started', ({ startedAt }, now) => showTime(startedAt, now)],
  ['Last activity', ({ lastAt }, now) => `${showTime(lastAt, now)} (${showAge(now - lastAt)})`],
  ['Requests', ({ requests }) => plural(requests, 'request')],
  ['Tokens', ({ tokens }) => showTokens(tokens)],
  ['Cost', ({ dollars }) => (dollars > 0 ? showCost(dollars) : 'no price known')],
  ['Saved', ({ saved }) => (isSaving(saved) ? showSpent(saved) : 'nothing so far')],
]
