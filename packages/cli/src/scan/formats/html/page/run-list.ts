import { showCount } from 'unloop/words'
import { hasTroubles } from '../../../../troubles.js'
import { STATES } from '../../../../words.js'
import { compareSpent } from '../../../answer.js'
import { type RunReport, stateOf } from '../../../run-report.js'
import type { PageRun } from '../page-data.js'
import { byId, element } from './dom.js'
import { showLoops, showMain, showTime } from './show.js'
import { toStrip } from './strip.js'

export type Order = 'worst' | 'dearest' | 'newest'

/** The list of runs, which grows as one scrolls. */
export interface RunList {
  show(runs: readonly PageRun[], order: Order): void
}

// more than a screen; the rest is drawn when it is wanted
const PAGE = 50

/** Draws into `#runs`, with the button `#more` below it. */
export function createRunList(): RunList {
  let ordered: PageRun[] = []
  let shown = 0
  const more = byId('more')

  function drawMore(count = PAGE): void {
    const next = ordered.slice(shown, shown + count)
    byId('runs').append(...next.map(toRow))
    shown += next.length
    more.hidden = shown >= ordered.length
    more.textContent = `Show more (${showCount(ordered.length - shown)} left)`
  }

  more.addEventListener('click', () => {
    const last = byId('runs').lastElementChild
    drawMore()
    last?.nextElementSibling?.querySelector('a')?.focus()
  })
  new IntersectionObserver((seen) => {
    if (seen.some(({ isIntersecting }) => isIntersecting)) drawMore()
  }).observe(more)
  // paper cannot be scrolled
  addEventListener('beforeprint', () => drawMore(ordered.length))

  return {
    show(runs, order) {
      ordered = [...runs].sort(ORDERS[order])
      shown = 0
      byId('runs').replaceChildren()
      drawMore()
    },
  }
}

const newest = (a: PageRun, b: PageRun) => (b.startedAt ?? 0) - (a.startedAt ?? 0)

const ORDERS: Record<Order, (a: PageRun, b: PageRun) => number> = {
  worst: (a, b) =>
    rank(b) - rank(a) ||
    compareSpent(a.wasted, b.wasted) ||
    compareSpent(a.spent, b.spent) ||
    newest(a, b),
  dearest: (a, b) => compareSpent(a.spent, b.spent) || newest(a, b),
  newest,
}

const RANKS = { certain: 3, likely: 2 }

function rank(run: PageRun): number {
  const state = stateOf(run)
  return state ? RANKS[state] : hasTroubles(run) ? 1 : 0
}

function toRow(run: PageRun): HTMLElement {
  const state = stateOf(run)
  return element(
    'li',
    {},
    element(
      'a',
      { href: `#run-${run.index}`, class: 'run' },
      element(
        'span',
        { class: 'run-title' },
        toBadge(run),
        element('b', {}, run.projectName || run.session || run.agentName),
        element('span', { class: 'what' }, showLoops(run)),
      ),
      element(
        'span',
        { class: 'run-meta' },
        [run.agentName, run.model, showTime(run.startedAt)].filter(Boolean).join(' · '),
      ),
      element(
        'span',
        { class: 'run-cost' },
        state === 'certain' &&
          element('span', { class: 'wasted' }, `${showMain(run.wasted)} wasted of `),
        showMain(run.spent),
      ),
      toStrip(run),
    ),
  )
}

/** Stuck, struggling, or that a part of the guard failed. */
export function toBadge(run: RunReport): HTMLElement | undefined {
  const state = stateOf(run)
  if (state) return element('span', { class: `badge ${state}` }, STATES[state])
  return hasTroubles(run)
    ? element('span', { class: 'badge' }, 'part of the guard failed')
    : undefined
}
