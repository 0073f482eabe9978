import { plural, showCount, showMs, showTokens } from 'unloop/words'
import { answerOf, periodOf, showDollars } from '../../../answer.js'
import type { PageData, PageRun } from '../page-data.js'
import { toBars, toTrack } from './bars.js'
import { toColumns } from './columns.js'
import { byId, element, field, fill } from './dom.js'
import { createFilterForm } from './filter-form.js'
import { createRunList, type Order } from './run-list.js'
import { createSearch } from './search.js'
import { type Dimension, type Filters, type Selection, select } from './selection.js'
import { type Measure, showLongDay, showShare } from './show.js'

/** The first page: the answer, where it went, and the runs; all of it follows the filters. */
export function createOverview(data: PageData, runs: readonly PageRun[]): void {
  const search = createSearch(runs)
  const list = createRunList()
  const form = createFilterForm(data, runs, draw)
  const measureOf = (): Measure => (field('in-tokens').checked ? 'tokens' : 'cost')
  if (!runs.some(({ spent }) => spent.cost)) {
    field('in-tokens').checked = true
    byId('measures').hidden = true
  }
  byId('measures').addEventListener('change', draw)
  byId('order').addEventListener('change', draw)
  draw()

  function draw(): void {
    const filters = form.filters()
    const selection = select(runs, filters, search(filters.search))
    drawAnswer(selection, filters)
    drawTiles(selection)
    drawBars(selection, filters)
    list.show(selection.runs, field('order').value as Order)
    byId('count').textContent =
      selection.runs.length === runs.length
        ? plural(runs.length, 'run')
        : `${showCount(selection.runs.length)} of ${plural(runs.length, 'run')}`
  }

  function drawAnswer({ totals, worst }: Selection, filters: Filters): void {
    const { phrases, notes } = answerOf({
      totals,
      worst: worst?.loop.wasted,
      period: periodWords(filters),
      prices: data.prices,
    })
    fill(
      byId('answer'),
      ...phrases.map(({ text, tone }) =>
        tone ? element('b', { class: `number ${tone}` }, text) : text,
      ),
    )
    const interrupted = data.interrupted ? ['The scan was interrupted; there may be more.'] : []
    byId('notes').textContent = [...interrupted, ...notes].join(' ')
    const isDollars =
      totals.spent.cost !== undefined && (totals.loops === 0 || totals.wasted.cost !== undefined)
    const spent = isDollars ? (totals.spent.cost ?? 0) : totals.spent.tokens
    const wasted = isDollars ? (totals.wasted.cost ?? 0) : totals.wasted.tokens
    fill(byId('whole'), toTrack(spent, wasted, spent))
  }

  function periodWords({ from, to }: Filters): string | undefined {
    const now = Date.parse(data.scannedAt)
    if (from !== '' && to !== '')
      return from === to
        ? `on ${showLongDay(from)}`
        : `from ${showLongDay(from)} to ${showLongDay(to)}`
    if (from !== '') return form.periodName()
    const since = data.since === undefined ? undefined : Date.parse(data.since)
    const first = runs.reduce((least, { startedAt }) => Math.min(least, startedAt ?? least), now)
    return periodOf(since, first, now)
  }

  function drawTiles({ totals, worst }: Selection): void {
    const { spent, wasted, avoidable, stuck, struggling } = totals
    const tile = (name: string, value: string, more: string, tone = '') =>
      element(
        'div',
        { class: tone },
        element('dt', {}, name),
        element('dd', {}, element('b', {}, value), element('span', {}, more)),
      )
    const isDollars = wasted.cost !== undefined || (totals.loops === 0 && spent.cost !== undefined)
    const show = (one: { cost?: number; tokens: number }) =>
      isDollars ? showDollars(one.cost ?? 0) : showTokens(one.tokens)
    const share = isDollars
      ? showShare(wasted.cost ?? 0, spent.cost ?? 0)
      : showShare(wasted.tokens, spent.tokens)
    const saved = isDollars
      ? { tokens: 0, cost: Math.min(avoidable.cost ?? 0, wasted.cost ?? 0) }
      : { tokens: Math.min(avoidable.tokens, wasted.tokens) }
    const states = [
      `${showCount(stuck)} stuck`,
      struggling > 0 && `${showCount(struggling)} struggling`,
    ]
    fill(
      byId('tiles'),
      tile('Spent', show(spent), isDollars ? `${showTokens(spent.tokens)} tokens` : 'tokens'),
      tile('Wasted in loops', show(wasted), `${share} of it`, totals.loops > 0 ? 'waste' : ''),
      totals.loops > 0 &&
        tile('A guard would have saved', show(saved), 'spent after a loop was evident'),
      tile('Runs', showCount(totals.runs), states.filter(Boolean).join(', ')),
      (wasted.ms ?? 0) >= 1000 &&
        tile(
          'Time in loops',
          showMs(wasted.ms ?? 0),
          worst?.loop.wasted.ms ? `${showMs(worst.loop.wasted.ms)} in the worst` : '',
        ),
    )
  }

  function drawBars({ bars }: Selection, filters: Filters): void {
    const measure = measureOf()
    fill(byId('by-day'), toColumns(bars.day, measure, filters, form.toggleDays))
    for (const [dimension, none] of Object.entries(NONE) as [keyof typeof NONE, string][]) {
      fill(
        byId(`by-${dimension}`),
        toBars(bars[dimension].values(), {
          measure,
          none,
          limit: 6,
          chosen: filters[dimension],
          onChoose: (name) => form.toggle(dimension, name),
        }),
      )
    }
  }
}

const NONE: Record<Exclude<Dimension, 'day'>, string> = {
  project: 'unknown',
  agent: 'unknown',
  model: 'unknown',
  tool: 'no tool',
}
