import { type ChoiceName, describeChoice } from 'unloop/words'
import { createChoicePanel, type Send } from './choice-panel.js'
import { element, setAttribute, setText } from './dom.js'
import { createFacts } from './facts.js'
import { createFindingItem } from './finding-item.js'
import { createKeyedList } from './keyed-list.js'
import type { FindingView, Live, PastChoice, SessionView } from './live.js'
import { createPressure } from './pressure.js'
import { nameOf, showTime } from './show.js'

/** Everything about one session. */
export interface SessionDetail {
  id: string
  element: HTMLElement
  heading: HTMLElement
  /** Presses the choice with this key; false if there is none. */
  press(key: string): boolean
  update(session: SessionView, store: Live['store'], isGone: boolean): void
  showTimes(now: number): void
}

export function createSessionDetail({ id }: SessionView, send: Send): SessionDetail {
  const badge = element('span')
  const heading = element('h2', { id: 'detail-heading', tabindex: '-1' })
  const pressure = createPressure()
  const lead = element('p', { class: 'lead' })
  const facts = createFacts()
  const panel = createChoicePanel(send)
  const findings = element('ol', { class: 'findings' })
  const noFindings = element('p', { class: 'quiet' }, 'No loop was found so far.')
  const past = element('ol', { class: 'past' })
  const pastHeading = element('h3', {}, 'Past choices')
  const body = element(
    'article',
    {},
    element('div', { class: 'detail-head' }, badge, pressure.element),
    heading,
    lead,
    panel.element,
    element('h3', {}, 'Findings, newest first'),
    noFindings,
    findings,
    pastHeading,
    past,
    element('h3', {}, 'Session'),
    facts.element,
  )
  let newest = 0
  let shown: SessionView | undefined
  const findingList = createKeyedList(findings, keyOf, ({ at }: FindingView) =>
    createFindingItem(at >= newest),
  )
  const pastList = createKeyedList(past, pastKeyOf, createPastItem)

  return {
    id,
    element: body,
    heading,
    press: panel.press,
    update(session, store, isGone) {
      shown = session
      const last = session.findings.at(-1)
      newest = last?.at ?? 0
      setText(badge, session.state)
      setAttribute(badge, 'class', `badge ${session.state}`)
      setAttribute(body, 'data-state', session.state)
      setText(heading, nameOf(session))
      setText(lead, last?.detail ?? '')
      pressure.update(session.pressure)
      panel.update(session, store, isGone)
      noFindings.hidden = session.findings.length > 0
      findingList.show([...session.findings].reverse())
      pastHeading.hidden = session.choices.length === 0
      pastList.show([...session.choices].reverse())
    },
    showTimes(now) {
      if (shown) facts.update(shown, now)
    },
  }
}

const keyOf = ({ at, detector }: FindingView) => `${at} ${detector}`

const pastKeyOf = ({ at, choice }: PastChoice) => `${at} ${choice}`

function createPastItem() {
  const line = element('li')
  return {
    element: line,
    update({ at, choice, tool, times, text }: PastChoice) {
      const chosen = { type: choice as ChoiceName, tool, times, text }
      setText(line, `${showTime(at, Date.now())} · ${describeChoice(chosen)}`)
    },
  }
}
