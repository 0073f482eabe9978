import { showCount } from 'unloop/words'
import { element, setAttribute, setText } from './dom.js'
import type { Item } from './keyed-list.js'
import type { FindingView } from './live.js'
import { showOutcome, showTime, showWasted } from './show.js'

/** A finding with its evidence; only the latest is open at first. */
export function createFindingItem(isOpen: boolean): Item<FindingView> {
  const badge = element('span')
  const detail = element('b', { class: 'what' })
  const when = element('span', { class: 'when' })
  const values = FACTS.map(([name, show]) => {
    const value = element('dd')
    const fact = element('div', {}, element('dt', {}, name), value)
    return { fact, value, show }
  })
  const sample = element('pre')
  const advice = element('blockquote')
  const parts = [
    { node: sample, title: element('h4', {}, 'What repeats') },
    { node: advice, title: element('h4', {}, 'Advice to the model') },
  ]
  const body = element(
    'details',
    { open: isOpen },
    element('summary', {}, badge, detail, when),
    element('dl', { class: 'facts' }, ...values.map(({ fact }) => fact)),
    ...parts.flatMap(({ title, node }) => [title, node]),
  )
  const item = element('li', { class: 'finding' }, body)
  return {
    element: item,
    update(finding) {
      const { at } = finding
      const isCertain = finding.certainty === 'certain'
      setText(badge, isCertain ? 'stuck' : 'struggling')
      setAttribute(badge, 'class', `badge ${isCertain ? 'stuck' : 'struggling'}`)
      setAttribute(item, 'data-state', isCertain ? 'stuck' : 'struggling')
      setText(detail, finding.detail)
      setText(when, showTime(at, Date.now()))
      for (const { fact, value, show } of values) {
        const text = show(finding)
        fact.hidden = text === ''
        setText(value, text)
      }
      setText(sample, finding.sample)
      setText(advice, finding.advice)
      for (const { node, title } of parts) title.hidden = node.hidden = node.textContent === ''
    },
  }
}

const FACTS: [name: string, show: (finding: FindingView) => string][] = [
  ['The gateway', showOutcome],
  ['Detector', ({ detector }) => detector],
  ['Tool', ({ tool = '' }) => tool],
  ['Count', ({ count }) => showCount(count)],
  ['Wasted', showWasted],
]
