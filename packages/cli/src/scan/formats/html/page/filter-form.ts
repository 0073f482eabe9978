import type { PageData, PageRun } from '../page-data.js'
import { dayOf } from '../page-data.js'
import { byId, element, field, fill } from './dom.js'
import { type Filters, NO_FILTERS } from './selection.js'
import { showLongDay, showShortDay } from './show.js'
import type { Stretch } from './stretches.js'

export type Choice = 'project' | 'agent' | 'model' | 'tool'

/** What one can choose to look at. */
export interface FilterForm {
  filters(): Filters
  /** the period in words, such as `in the last 7 days` */
  periodName(): string
  /** chooses a name, or everything again if it is chosen already */
  toggle(choice: Choice, name: string): void
  toggleDays(stretch: Stretch): void
}

const PERIODS = [7, 30, 90]
const DAY = 86_400_000

/** Wires `#filters`; whoever filters by other means, a bar for example, does it through here. */
export function createFilterForm(
  data: PageData,
  runs: readonly PageRun[],
  onChange: () => void,
): FilterForm {
  const now = Date.parse(data.scannedAt)
  const parts = runs.flatMap((run) => run.parts)
  offer(
    'agent',
    runs.map(({ agentName }) => agentName),
  )
  offer(
    'project',
    runs.map((run) => run.projectName),
  )
  offer(
    'model',
    parts.map(({ model }) => model),
  )
  offer(
    'tool',
    parts.map(({ tool }) => tool),
  )
  offer(
    'kind',
    runs.flatMap(({ loops }) => loops.map(({ detector }) => detector)),
  )
  const [first = ''] = [...new Set(parts.flatMap(({ day = [] }) => day))].sort()
  for (const count of PERIODS) {
    const from = dayOf(now - (count - 1) * DAY) ?? ''
    if (first < from)
      byId('period').append(element('option', { value: `${from}/` }, `last ${count} days`))
  }
  byId('filters').addEventListener('input', changed)
  byId('filters').addEventListener('submit', (event) => event.preventDefault())
  byId('clear').addEventListener('click', () => {
    for (const name of Object.keys(NO_FILTERS))
      if (name !== 'from' && name !== 'to') field(name).value = ''
    field('period').value = ''
    changed()
    field('search').focus()
  })
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof HTMLInputElement && event.target.type === 'search'
    if (event.key !== '/' || isTyping || byId('overview').hidden) return
    event.preventDefault()
    field('search').focus()
  })
  drawChips()

  function changed(): void {
    drawChips()
    onChange()
  }

  function filters(): Filters {
    const [from = '', to = ''] = field('period').value.split('/')
    return {
      search: field('search').value,
      agent: field('agent').value,
      project: field('project').value,
      model: field('model').value,
      tool: field('tool').value,
      kind: field('kind').value,
      state: field('state').value as Filters['state'],
      from,
      to,
    }
  }

  /** What is chosen, each with a button that takes it back. */
  function drawChips(): void {
    const chosen = ['period', 'project', 'agent', 'model', 'tool', 'kind', 'state'].filter(
      (id) => field(id).value !== '',
    )
    fill(
      byId('chips'),
      ...chosen.map((id) => {
        const select = byId(id) as HTMLSelectElement
        const text = select.selectedOptions[0]?.textContent ?? ''
        const chip = element(
          'button',
          { type: 'button', class: 'chip', 'aria-label': `Remove the filter ${id}: ${text}` },
          `${text} ×`,
        )
        chip.addEventListener('click', () => {
          select.value = ''
          changed()
          select.focus()
        })
        return chip
      }),
    )
    byId('clear').hidden = chosen.length === 0 && field('search').value === ''
  }

  return {
    filters,
    periodName: () =>
      `in the ${(byId('period') as HTMLSelectElement).selectedOptions[0]?.textContent ?? ''}`,
    toggle(choice, name) {
      const select = field(choice)
      select.value = select.value === name ? '' : name
      changed()
      refocus(`by-${choice}`, select.value)
    },
    toggleDays({ from, to }) {
      const select = byId('period') as HTMLSelectElement
      const value = `${from}/${to}`
      for (const option of [...select.options])
        if (option.value !== value && /\/./.test(option.value)) option.remove()
      if (select.value === value) select.value = ''
      else {
        const text = from === to ? showLongDay(from) : `${showShortDay(from)} to ${showLongDay(to)}`
        select.append(element('option', { value }, text))
        select.value = value
      }
      changed()
      refocus('by-day', '')
    },
  }

  /** The bar that was chosen was drawn anew: the keyboard goes on there. */
  function refocus(id: string, name: string): void {
    const pressed = byId(id).querySelector<HTMLElement>('[aria-pressed=true]')
    const next =
      pressed ??
      byId(id).querySelector<HTMLElement>(name === '' ? '[tabindex="0"], button' : 'button')
    next?.focus({ preventScroll: true })
  }
}

function offer(id: string, names: readonly (string | undefined)[]): void {
  const known = [...new Set(names)].filter((name) => name !== undefined && name !== '').sort()
  byId(id).append(...known.map((name) => element('option', { value: name }, name)))
  // one agent is no choice
  byId(id)
    .closest('label')
    ?.toggleAttribute('hidden', known.length < 2)
}
