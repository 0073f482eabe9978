import { plural } from 'unloop/words'
import { element, sized } from './dom.js'
import type { Bar } from './selection.js'
import { type Measure, showAmount } from './show.js'

export interface BarsOptions {
  measure: Measure
  /** what a bar without a name is called */
  none: string
  /** rows before one has to ask for more */
  limit: number
  chosen?: string
  onChoose?(name: string): void
}

/** Bars that lie, the longest first: what was spent, and in color what of it was wasted. */
export function toBars(bars: Iterable<Bar>, options: BarsOptions): HTMLElement {
  const { measure, limit, chosen = '' } = options
  const all = [...bars].sort((a, b) => spentOf(b, measure) - spentOf(a, measure) || b.runs - a.runs)
  const most = Math.max(0, ...all.map((bar) => spentOf(bar, measure)))
  const list = element('ol', { class: chosen === '' ? 'bars' : 'bars has-chosen' })
  const row = (bar: Bar) => element('li', {}, toBar(bar, most, options))
  // what was chosen stays in sight
  const first = all.filter((bar, index) => index < limit || bar.name === chosen)
  list.append(...first.map(row))
  if (all.length <= first.length) return list
  const more = element(
    'button',
    { type: 'button', class: 'quiet-button' },
    `Show all ${all.length}`,
  )
  more.addEventListener('click', () => {
    more.remove()
    list.replaceChildren(...all.map(row))
    list.querySelectorAll('button')[first.length]?.focus()
  })
  return element('div', {}, list, more)
}

function toBar(
  bar: Bar,
  most: number,
  { measure, none, chosen, onChoose }: BarsOptions,
): HTMLElement {
  const spent = spentOf(bar, measure)
  const wasted = wastedOf(bar, measure)
  const content = [
    element('span', { class: 'name' }, bar.name === '' ? none : bar.name),
    element(
      'span',
      { class: 'amount' },
      wasted > 0 &&
        element('span', { class: 'wasted' }, `${showAmount(wasted, measure)} wasted of `),
      spent === 0 && bar.unpriced > 0
        ? `${showAmount(bar.unpriced, 'tokens')} without a price`
        : showAmount(spent, measure),
    ),
    toTrack(spent, wasted, most),
  ]
  if (!onChoose || bar.name === '') return element('div', { class: 'bar' }, ...content)
  const button = element(
    'button',
    {
      type: 'button',
      class: 'bar',
      'aria-pressed': `${chosen === bar.name}`,
      title: plural(bar.runs, 'run'),
    },
    ...content,
  )
  button.addEventListener('click', () => onChoose(bar.name))
  return button
}

/** A bar of what was spent, with what was wasted at its beginning. */
export function toTrack(spent: number, wasted: number, most: number): HTMLElement {
  const track = element('span', { class: 'track', 'aria-hidden': 'true' })
  if (most <= 0 || spent <= 0) return track
  track.append(sized(element('i', { class: 'spent' }), '--share', spent / most))
  if (wasted > 0) track.append(sized(element('i', { class: 'waste' }), '--share', wasted / most))
  return track
}

export const spentOf = (bar: Pick<Bar, 'cost' | 'tokens'>, measure: Measure): number =>
  measure === 'cost' ? bar.cost : bar.tokens

export const wastedOf = (
  bar: Pick<Bar, 'wastedCost' | 'wastedTokens'>,
  measure: Measure,
): number => (measure === 'cost' ? bar.wastedCost : bar.wastedTokens)
