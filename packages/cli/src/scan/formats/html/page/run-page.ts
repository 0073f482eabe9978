import { plural, showCost, showTokens } from 'unloop/words'
import { troubleLines } from '../../../../troubles.js'
import { answerOf } from '../../../answer.js'
import { certainOf, type RunReport } from '../../../run-report.js'
import type { PageRun } from '../page-data.js'
import { toBars } from './bars.js'
import { element } from './dom.js'
import { toFacts, toLoopSection } from './loop-section.js'
import { toBadge } from './run-list.js'
import { type Bar, NO_FILTERS, select } from './selection.js'
import { type Measure, showAll, showEnding, showLoops, showMain, showTime } from './show.js'
import { toLegend, toStrip } from './strip.js'

/** The page of one run. */
export function toRunPage(run: PageRun, prices: { date: string; source: string }): HTMLElement {
  const title = [run.projectName || run.session || run.agentName, showLoops(run)]
    .filter(Boolean)
    .join(' · ')
  const measure: Measure = run.spent.cost ? 'cost' : 'tokens'
  return element(
    'article',
    {},
    element(
      'p',
      { class: 'eyebrow' },
      toBadge(run),
      [run.agentName, run.model, showTime(run.startedAt)].filter(Boolean).join(' · '),
    ),
    element('h1', { class: 'run-heading', tabindex: -1 }, title),
    toLead(run),
    element(
      'section',
      { class: 'card', 'aria-label': 'Timeline' },
      element('h2', {}, 'Timeline'),
      element('div', { class: 'large' }, toStrip(run, timelineWords(run))),
      toLegend(),
    ),
    ...run.loops.map((loop) => toLoopSection(run, loop)),
    toCosts(run, measure),
    element(
      'section',
      { class: 'card' },
      element('h2', {}, 'Facts'),
      toFacts(factsOf(run, prices)),
    ),
  )
}

function toLead(run: PageRun): HTMLElement {
  const loops = certainOf(run.loops)
  if (loops.length === 0) {
    const struggled = run.loops.length > 0 ? 'the agent struggled, but' : 'the agent'
    return element('p', { class: 'lead' }, `${showAll(run.spent)}; ${struggled} did not get stuck.`)
  }
  const { totals, worst } = select([run], NO_FILTERS, () => true)
  const { phrases } = answerOf({
    totals,
    worst: worst?.loop.wasted,
    prices: { date: '', source: '' },
  })
  return element(
    'p',
    { class: 'lead' },
    ...phrases.map(({ text, tone }) =>
      tone ? element('b', { class: `number ${tone}` }, text) : text,
    ),
  )
}

const timelineWords = ({ spent, loops }: RunReport) =>
  [
    `Timeline of ${plural(spent.events, 'event')}`,
    ...loops.map(({ began, last }) => `a loop from event ${began.event} to ${last.event}`),
  ].join(', ')

function toCosts(run: PageRun, measure: Measure): HTMLElement {
  const { bars } = select([run], NO_FILTERS, () => true)
  const group = (name: string, all: ReadonlyMap<string, Bar>, none: string) =>
    element(
      'section',
      { class: 'card' },
      element('h2', {}, name),
      toBars(all.values(), { measure, none, limit: 8 }),
    )
  return element(
    'div',
    { class: 'grid' },
    group('By tool', bars.tool, 'no tool'),
    group('By model', bars.model, 'unknown'),
    bars.day.size > 1 && group('By day', bars.day, 'unknown'),
  )
}

function factsOf(
  run: PageRun,
  prices: { date: string; source: string },
): [string, string | undefined][] {
  const { counts, tokens, spent } = run
  return [
    ['Took', showAll(spent)],
    ['Ended', showEnding(run)],
    [
      'Work',
      [
        plural(counts.turns, 'turn'),
        plural(counts.calls, 'call'),
        plural(counts.errors, 'error'),
      ].join(', '),
    ],
    [
      'Tokens',
      tokens.input + tokens.output > 0
        ? `${showTokens(tokens.input)} read (${showTokens(tokens.cached)} from a cache, ${showTokens(tokens.cacheWrite)} written to it), ${showTokens(tokens.output)} written`
        : undefined,
    ],
    ['Price', priceOf(run, prices)],
    ['Copied', run.copied && `${showMain(run.copied)} stand here but were paid in another run`],
    ['Project', run.project],
    ['Session', run.session],
    ['Transcript', run.path],
    ['The guard', troubleLines(run).join('; ')],
  ]
}

function priceOf(
  { pricing, unpricedTokens, spent }: RunReport,
  { date, source }: { date: string; source: string },
): string | undefined {
  switch (pricing) {
    case 'recorded':
      return 'recorded by the agent'
    case 'list':
      return `list prices of ${date} (${source})`
    case 'partial':
      return `${showCost(spent.cost ?? 0)} is a part: ${showTokens(unpricedTokens)} tokens have no price`
    case 'none':
      return spent.tokens > 0 ? 'none: the model is not in the price list' : undefined
  }
}
