import { total } from './amounts.js'
import { dayOf } from './parts.js'
import { projectName } from './project-name.js'
import {
  certainOf,
  type Grouping,
  type Part,
  type Row,
  type RunReport,
  stateOf,
  type Totals,
} from './run-report.js'
import { countsOf, tokensIn } from './sums.js'

/** All runs together. */
export function totalsOf(runs: readonly RunReport[]): Totals {
  const paid = runs.filter(isPaid)
  return {
    runs: runs.length,
    stuck: runs.filter((run) => stateOf(run) === 'certain').length,
    struggling: runs.filter((run) => stateOf(run) === 'likely').length,
    loops: runs.reduce((sum, { loops }) => sum + certainOf(loops).length, 0),
    priced: paid.filter(({ unpricedTokens }) => unpricedTokens === 0).length,
    paid: paid.length,
    counts: countsOf(runs.map(({ counts }) => counts)),
    tokens: tokensIn(runs.map(({ tokens }) => tokens)),
    spent: total(runs.map(({ spent }) => spent)),
    wasted: total(runs.map(({ wasted }) => wasted)),
  }
}

/** Whether a run used what has a price, as far as is known. */
const isPaid = ({ spent }: RunReport) => spent.tokens > 0 || spent.cost !== undefined

/** What was spent and wasted, by day, project, agent, model and tool; the dearest first, days in their order. */
export function groupsOf(runs: readonly RunReport[]): Record<Grouping, Row[]> {
  const groups = {
    day: createGroup(),
    project: createGroup(),
    agent: createGroup(),
    model: createGroup(),
    tool: createGroup(),
  }
  for (const run of runs) {
    const project = run.project === undefined ? UNKNOWN : projectName(run.project)
    for (const part of run.parts) {
      groups.day.add(part.day ?? UNKNOWN, run, part)
      groups.project.add(project, run, part)
      groups.agent.add(run.program ?? run.format, run, part)
      groups.model.add(part.model ?? UNKNOWN, run, part)
      groups.tool.add(part.tool ?? NO_TOOL, run, part)
    }
    for (const { tool, evident, began } of certainOf(run.loops)) {
      groups.day.count(dayName(evident.at ?? began.at))
      groups.project.count(project)
      groups.agent.count(run.program ?? run.format)
      groups.model.count(run.model ?? UNKNOWN)
      groups.tool.count(tool ?? NO_TOOL)
    }
  }
  return {
    day: groups.day.rows().sort((a, b) => (a.name < b.name ? -1 : 1)),
    project: groups.project.rows(),
    agent: groups.agent.rows(),
    model: groups.model.rows(),
    tool: groups.tool.rows(),
  }
}

const UNKNOWN = 'unknown'
const NO_TOOL = 'no tool'

const dayName = (at: number | undefined) => (at === undefined ? UNKNOWN : dayOf(at))

function createGroup() {
  const rows = new Map<string, { row: Row; runs: Set<RunReport> }>()
  return {
    add(name: string, run: RunReport, part: Part): void {
      const known = rows.get(name) ?? { row: startRow(name), runs: new Set() }
      rows.set(name, known)
      const { row, runs } = known
      if (!runs.has(run)) {
        runs.add(run)
        row.runs++
      }
      row.tokens += part.tokens
      row.wastedTokens += part.wastedTokens
      if (part.cost !== undefined) row.cost = (row.cost ?? 0) + part.cost
      if (part.wastedCost !== undefined) row.wastedCost = (row.wastedCost ?? 0) + part.wastedCost
    },
    /** Counts a loop, where something was spent. */
    count(name: string): void {
      const known = rows.get(name)
      if (known) known.row.loops++
    },
    rows: (): Row[] =>
      [...rows.values()]
        .map(({ row }) => row)
        .sort((a, b) => (b.cost ?? 0) - (a.cost ?? 0) || b.tokens - a.tokens),
  }
}

const startRow = (name: string): Row => ({ name, runs: 0, loops: 0, tokens: 0, wastedTokens: 0 })
