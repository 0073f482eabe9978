import { plural } from 'unloop/words'
import { spentOf, wastedOf } from './bars.js'
import { element, sized } from './dom.js'
import type { Bar } from './selection.js'
import { type Measure, showAmount, showLongDay, showShortDay } from './show.js'
import { type Column, type Stretch, toStretches } from './stretches.js'

/** Columns of what each day took, or each week or month where there are too many days. */
export function toColumns(
  days: ReadonlyMap<string, Bar>,
  measure: Measure,
  chosen: Stretch,
  onChoose: (stretch: Stretch) => void,
): HTMLElement {
  const columns = toStretches(days)
  const most = Math.max(0, ...columns.map((column) => spentOf(column, measure)))
  if (most === 0) return element('p', { class: 'quiet' }, 'No day of this is known.')
  const about = element('p', { class: 'about-day', 'aria-hidden': 'true' }, HINT)
  const bar = element('div', { class: 'columns', role: 'toolbar', 'aria-label': 'Spend by day' })
  const isChosen = (column: Column) =>
    chosen.from !== '' && chosen.from === column.from && chosen.to === column.to
  bar.classList.toggle('has-chosen', columns.some(isChosen))
  const buttons = columns.map((column) => {
    const text = describe(column, measure)
    const button = element(
      'button',
      { type: 'button', 'aria-label': text, 'aria-pressed': `${isChosen(column)}`, tabindex: -1 },
      sized(element('i', { class: 'spent' }), '--share', spentOf(column, measure) / most),
      wastedOf(column, measure) > 0 &&
        sized(element('i', { class: 'waste' }), '--share', wastedOf(column, measure) / most),
    )
    button.addEventListener('click', () => onChoose(column))
    for (const event of ['focus', 'mouseenter']) {
      button.addEventListener(event, () => {
        about.textContent = text
      })
    }
    return button
  })
  bar.addEventListener('mouseleave', () => {
    about.textContent = HINT
  })
  // one stop for Tab; arrows go from day to day
  buttons[Math.max(0, columns.findIndex(isChosen))]?.setAttribute('tabindex', '0')
  bar.addEventListener('keydown', (event) => {
    const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
    const next = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: buttons.length - 1 }[
      event.key
    ]
    const button = next === undefined || at < 0 ? undefined : buttons[next]
    if (!button) return
    event.preventDefault()
    buttons[at]?.setAttribute('tabindex', '-1')
    button.setAttribute('tabindex', '0')
    button.focus()
  })
  bar.append(...buttons)
  const middle = columns[Math.floor(columns.length / 2)]
  return element(
    'div',
    { class: 'day-chart' },
    element('span', { class: 'scale', 'aria-hidden': 'true' }, showAmount(most, measure)),
    bar,
    element(
      'div',
      { class: 'axis', 'aria-hidden': 'true' },
      element('span', {}, showShortDay(columns[0]?.from ?? '')),
      columns.length > 4 && element('span', {}, showShortDay(middle?.from ?? '')),
      columns.length > 1 && element('span', {}, showShortDay(columns.at(-1)?.to ?? '')),
    ),
    about,
  )
}

const HINT = 'Choose a column to see only that time.'

function describe(column: Column, measure: Measure): string {
  const { from, to, runs } = column
  const when = from === to ? showLongDay(from) : `${showLongDay(from)} to ${showLongDay(to)}`
  const wasted = wastedOf(column, measure)
  const waste = wasted > 0 ? `, ${showAmount(wasted, measure)} of it wasted` : ''
  // a run of two days would count twice in a week
  const count = from === to ? `, ${plural(runs, 'run')}` : ''
  return `${when}: ${showAmount(spentOf(column, measure), measure)}${waste}${count}`
}
