import { element, setAttribute, setText } from './dom.js'
import type { Item } from './keyed-list.js'
import type { SessionView } from './live.js'
import { createPressure } from './pressure.js'
import { isSaving, nameOf, showAge, showMaker, showSpent } from './show.js'

/** A session in the list. */
export interface SessionRow extends Item<SessionView> {
  button: HTMLButtonElement
  showAge(now: number): void
  mark(isSelected: boolean, isCurrent: boolean): void
}

let rows = 0

export function createSessionRow(): SessionRow {
  // the ids of sessions come from outside
  const describedBy = `row-${++rows}`
  const button = element('button', {
    type: 'button',
    class: 'open',
    'aria-describedby': `${describedBy}-state ${describedBy}-maker`,
  })
  const badge = element('span', { id: `${describedBy}-state` })
  const maker = element('p', { class: 'maker', id: `${describedBy}-maker` })
  const age = element('p', { class: 'age' })
  const pressure = createPressure()
  const spent = element('p', { class: 'spent' })
  const saved = element('p', { class: 'saved' })
  const row = element(
    'li',
    { class: 'session' },
    element('h3', {}, badge, button),
    age,
    maker,
    pressure.element,
    element('div', { class: 'amounts' }, spent, saved),
  )
  let lastAt = 0
  return {
    element: row,
    button,
    update(session) {
      lastAt = session.lastAt
      setText(button, nameOf(session))
      setText(badge, session.state)
      setAttribute(badge, 'class', `badge ${session.state}`)
      setAttribute(row, 'data-state', session.state)
      setText(maker, showMaker(session))
      pressure.update(session.pressure)
      setText(spent, showSpent(session))
      setText(saved, isSaving(session.saved) ? `saved ${showSpent(session.saved)}` : '')
    },
    showAge: (now) => setText(age, showAge(now - lastAt)),
    mark(isSelected, isCurrent) {
      setAttribute(button, 'aria-current', isSelected ? 'true' : undefined)
      setAttribute(button, 'tabindex', isCurrent ? '0' : '-1')
      row.classList.toggle('selected', isSelected)
    },
  }
}
