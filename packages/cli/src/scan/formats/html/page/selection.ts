import { compareSpent } from '../../../answer.js'
import { type LoopReport, type Part, type Spent, stateOf } from '../../../run-report.js'
import type { PageRun } from '../page-data.js'
import { dayOf } from '../page-data.js'

/** What the person chose to look at; what is empty does not matter. */
export interface Filters {
  search: string
  agent: string
  project: string
  model: string
  tool: string
  kind: string
  state: '' | 'certain' | 'likely' | 'none'
  /** the first and the last day */
  from: string
  to: string
}

export const NO_FILTERS: Filters = {
  search: '',
  agent: '',
  project: '',
  model: '',
  tool: '',
  kind: '',
  state: '',
  from: '',
  to: '',
}

export type Dimension = 'day' | 'project' | 'agent' | 'model' | 'tool'

/** What one day, project, agent, model or tool took. */
export interface Bar {
  name: string
  runs: number
  tokens: number
  wastedTokens: number
  cost: number
  wastedCost: number
  /** tokens whose price is not known */
  unpriced: number
  /** the run that was counted last */
  last: number
}

/** What the filters leave. */
export interface Selection {
  runs: PageRun[]
  totals: SelectionTotals
  /** every bar of a dimension ignores the filter on that dimension, so that one can choose another */
  bars: Record<Dimension, Map<string, Bar>>
  worst?: { run: PageRun; loop: LoopReport }
}

export interface SelectionTotals {
  runs: number
  stuck: number
  struggling: number
  loops: number
  paid: number
  priced: number
  spent: Spent
  wasted: Spent
  /** what of the waste came after it was evident */
  avoidable: Spent
}

/** Goes through all runs once. */
export function select(
  runs: readonly PageRun[],
  filters: Filters,
  isFound: (run: PageRun) => boolean,
): Selection {
  const bars = {
    day: new Map<string, Bar>(),
    project: new Map<string, Bar>(),
    agent: new Map<string, Bar>(),
    model: new Map<string, Bar>(),
    tool: new Map<string, Bar>(),
  }
  const selected: PageRun[] = []
  const totals: SelectionTotals = {
    runs: 0,
    stuck: 0,
    struggling: 0,
    loops: 0,
    paid: 0,
    priced: 0,
    spent: nothing(),
    wasted: nothing(),
    avoidable: nothing(),
  }
  const isParted = [filters.model, filters.tool, filters.from, filters.to].some(Boolean)
  let worst: Selection['worst']
  for (const run of runs) {
    if (!isOfKind(run, filters) || !isFound(run)) continue
    const { agentName: agent, projectName: project } = run
    const isAgent = filters.agent === '' || agent === filters.agent
    const isProject = filters.project === '' || project === filters.project
    if (!isAgent && !isProject) continue
    const inside: Part[] = []
    for (const part of run.parts) {
      const { day = '', model = '', tool = '' } = part
      const isModel = filters.model === '' || model === filters.model
      const isTool = filters.tool === '' || tool === filters.tool
      const isDay =
        (filters.from === '' || day >= filters.from) && (filters.to === '' || day <= filters.to)
      const failed = +!isAgent + +!isProject + +!isModel + +!isTool + +!isDay
      if (failed > 1) continue
      if (failed === 0) inside.push(part)
      if (failed === 0 || !isAgent) add(bars.agent, agent, run, part)
      if (failed === 0 || !isProject) add(bars.project, project, run, part)
      if (failed === 0 || !isModel) add(bars.model, model, run, part)
      if (failed === 0 || !isTool) add(bars.tool, tool, run, part)
      if (failed === 0 || !isDay) add(bars.day, day, run, part)
    }
    if (inside.length === 0) continue
    selected.push(run)
    const { spent, wasted } = isParted ? sumOf(inside) : run
    const loops = isParted
      ? run.loops.filter((loop) => isLoopInside(loop, wasted, filters))
      : run.loops
    const state = isParted ? stateOf({ loops }) : stateOf(run)
    totals.runs++
    if (state === 'certain') totals.stuck++
    if (state === 'likely') totals.struggling++
    if (run.spent.tokens > 0 || run.spent.cost !== undefined) {
      totals.paid++
      if (run.unpricedTokens === 0) totals.priced++
    }
    increase(totals.spent, spent)
    increase(totals.wasted, wasted)
    for (const loop of loops) {
      if (loop.certainty !== 'certain') continue
      totals.loops++
      increase(totals.avoidable, loop.avoidable)
      if (!worst || compareSpent(loop.wasted, worst.loop.wasted) < 0) worst = { run, loop }
    }
  }
  return { runs: selected, totals, bars, ...(worst && { worst }) }
}

function isOfKind(run: PageRun, { kind, state }: Filters): boolean {
  if (state !== '' && (stateOf(run) ?? 'none') !== state) return false
  return kind === '' || run.loops.some(({ detector }) => detector === kind)
}

function isLoopInside({ tool, began, last }: LoopReport, wasted: Spent, filters: Filters): boolean {
  if (filters.tool !== '' && tool !== undefined && tool !== filters.tool) return false
  const first = dayOf(began.at)
  const end = dayOf(last.at) ?? first
  if (filters.from !== '' && end !== undefined && end < filters.from) return false
  if (filters.to !== '' && first !== undefined && first > filters.to) return false
  return filters.model === '' || wasted.tokens > 0 || (wasted.cost ?? 0) > 0
}

function add(bars: Map<string, Bar>, name: string, run: PageRun, part: Part): void {
  let bar = bars.get(name)
  if (!bar) {
    bar = {
      name,
      runs: 0,
      tokens: 0,
      wastedTokens: 0,
      cost: 0,
      wastedCost: 0,
      unpriced: 0,
      last: -1,
    }
    bars.set(name, bar)
  }
  if (bar.last !== run.index) bar.runs++
  bar.last = run.index
  bar.tokens += part.tokens
  bar.wastedTokens += part.wastedTokens
  if (part.cost === undefined) bar.unpriced += part.tokens
  else bar.cost += part.cost
  bar.wastedCost += part.wastedCost ?? 0
}

const nothing = (): Spent => ({ events: 0, tokens: 0 })

function increase(sum: Spent, { events, ms, tokens, cost }: Spent): void {
  sum.events += events
  sum.tokens += tokens
  if (ms !== undefined) sum.ms = (sum.ms ?? 0) + ms
  if (cost !== undefined) sum.cost = (sum.cost ?? 0) + cost
}

/** Parts know neither time nor events. */
function sumOf(parts: readonly Part[]): { spent: Spent; wasted: Spent } {
  const spent = nothing()
  const wasted = nothing()
  for (const part of parts) {
    increase(spent, {
      events: 0,
      tokens: part.tokens,
      ...(part.cost !== undefined && { cost: part.cost }),
    })
    increase(wasted, {
      events: 0,
      tokens: part.wastedTokens,
      ...(part.wastedCost !== undefined && { cost: part.wastedCost }),
    })
  }
  return { spent, wasted }
}
