import { describeState, type FactName, factsOf } from 'unloop/words'
import { element, setAttribute, setText } from './dom.js'
import type { Item } from './keyed-list.js'
import type { FindingView } from './live.js'
import { showOutcome, showTime } from './show.js'

/** A finding with its evidence; only the latest is open at first. */
export function createFindingItem(isOpen: boolean): Item<FindingView> {
  const badge = element('span')
  const detail = element('b', { class: 'what' })
  const when = element('span', { class: 'when' })
  const facts = element('dl', { class: 'facts' })
  const body = element(
    'details',
    { open: isOpen },
    element('summary', {}, badge, detail, when),
    facts,
  )
  const item = element('li', { class: 'finding' }, body)
  let shown = ''
  return {
    element: item,
    update(finding) {
      const state = describeState(finding)
      setText(badge, state)
      setAttribute(badge, 'class', `badge ${state}`)
      setAttribute(item, 'data-state', state)
      setText(detail, finding.detail)
      const { action: _, at, ...loop } = finding
      setText(when, showTime(at, Date.now()))
      const told = factsOf(loop, { outcome: showOutcome(finding) }).filter(
        ({ name }) => name !== 'what',
      )
      // a text that is selected stays so
      if (JSON.stringify(told) === shown) return
      shown = JSON.stringify(told)
      facts.replaceChildren(
        ...told.map(({ name, label, value }) =>
          element('div', { class: `fact-${name}` }, element('dt', {}, label), toValue(name, value)),
        ),
      )
    },
  }
}

const toValue = (name: FactName, value: string) =>
  element('dd', {}, name === 'seen' ? element('pre', {}, value) : value)
