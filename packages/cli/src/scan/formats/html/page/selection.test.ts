import { describe, expect, it } from 'vitest'
import { madeUpReport } from '../../../../../test/made-up-report.js'
import { type PageRun, packReport, unpackRuns } from '../page-data.js'
import { type Filters, NO_FILTERS, select } from './selection.js'

const report = madeUpReport(412, 66)
const runs = unpackRuns(packReport(report))
const selected = (filters: Partial<Filters>, isFound: (run: PageRun) => boolean = () => true) =>
  select(runs, { ...NO_FILTERS, ...filters }, isFound)

const sum = (all: Iterable<number | undefined>) =>
  [...all].reduce<number>((total, one) => total + (one ?? 0), 0)

describe('what the filters leave', () => {
  it('is everything without filters, and every dimension adds up to it', () => {
    const { runs: all, totals, bars } = selected({})
    expect(all).toHaveLength(412)
    expect(totals.spent.tokens).toBe(sum(runs.map(({ spent }) => spent.tokens)))
    for (const dimension of Object.values(bars)) {
      const rows = [...dimension.values()]
      expect(sum(rows.map(({ tokens }) => tokens))).toBe(totals.spent.tokens)
      expect(sum(rows.map(({ wastedTokens }) => wastedTokens))).toBe(totals.wasted.tokens)
      expect(sum(rows.map(({ cost }) => cost))).toBeCloseTo(totals.spent.cost ?? 0, 3)
      expect(sum(rows.map(({ wastedCost }) => wastedCost))).toBeCloseTo(totals.wasted.cost ?? 0, 3)
    }
  })

  it('is what the other formats tell', () => {
    const { totals, bars } = selected({})
    const { spent, wasted, counts, tokens, ...told } = report.totals
    expect(totals).toMatchObject(told)
    expect(totals.spent).toMatchObject({ events: spent.events, ms: spent.ms, tokens: spent.tokens })
    expect(totals.spent.cost).toBeCloseTo(spent.cost ?? 0, 3)
    expect(totals.wasted.cost).toBeCloseTo(wasted.cost ?? 0, 3)
    for (const dimension of ['day', 'project', 'agent', 'model', 'tool'] as const) {
      const rows = report.by[dimension].filter((row) => !['no tool', 'unknown'].includes(row.name))
      expect(rows.length).toBeGreaterThan(3)
      for (const { name, runs, tokens } of rows)
        expect(bars[dimension].get(name)).toMatchObject({ runs, tokens })
    }
  })

  it('counts runs that are stuck, struggle and have a price', () => {
    const { totals } = selected({})
    expect(totals).toMatchObject({ runs: 412, stuck: 5, struggling: 1, loops: 5 })
    expect(totals.priced).toBe(
      runs.filter(({ unpricedTokens, spent }) => unpricedTokens === 0 && spent.tokens > 0).length,
    )
    expect(totals.priced).toBeLessThan(totals.paid)
  })

  it('follows agent and project, whose own bars stay to choose another', () => {
    const { runs: some, totals, bars } = selected({ agent: 'codex', project: 'billing-api' })
    expect(some.length).toBeGreaterThan(2)
    expect(
      some.every(
        ({ agentName, projectName }) => agentName === 'codex' && projectName === 'billing-api',
      ),
    ).toBe(true)
    expect(totals.spent.tokens).toBe(sum(some.map(({ spent }) => spent.tokens)))
    expect(bars.agent.size).toBeGreaterThan(1)
    expect(bars.agent.get('codex')?.tokens).toBe(totals.spent.tokens)
    expect(bars.project.size).toBeGreaterThan(1)
    expect(sum([...bars.model.values()].map(({ tokens }) => tokens))).toBe(totals.spent.tokens)
  })

  it('is only the part of a run that was spent on a tool, with a model, on a day', () => {
    const { runs: some, totals, bars } = selected({ tool: 'Bash' })
    expect(some.length).toBeLessThan(412)
    const parts = runs.flatMap((run) => run.parts).filter(({ tool }) => tool === 'Bash')
    expect(totals.spent.tokens).toBe(sum(parts.map(({ tokens }) => tokens)))
    expect(bars.tool.get('Bash')?.tokens).toBe(totals.spent.tokens)
    const [day = ''] = [...bars.day.keys()]
    const one = selected({ tool: 'Bash', from: day, to: day })
    expect(one.totals.spent.tokens).toBe(bars.day.get(day)?.tokens)
  })

  it('has the loops of a tool, and of its days', () => {
    const { totals, worst } = selected({ tool: 'write_stdin' })
    expect(totals.loops).toBe(1)
    expect(worst?.loop.tool).toBe('write_stdin')
    const { day = '' } = worst?.run.parts.at(-1) ?? {}
    expect(selected({ tool: 'write_stdin', from: day, to: day }).totals.loops).toBe(1)
    expect(selected({ tool: 'write_stdin', from: '2026-11-16' }).totals.loops).toBe(0)
  })

  it('follows state, kind and search', () => {
    expect(selected({ state: 'certain' }).totals).toMatchObject({ runs: 5, stuck: 5 })
    expect(selected({ state: 'likely' }).totals).toMatchObject({ runs: 1, struggling: 1, loops: 0 })
    expect(selected({ state: 'none' }).totals).toMatchObject({ runs: 406, stuck: 0 })
    expect(selected({ kind: 'repeated-call' }).totals.runs).toBe(3)
    expect(selected({}, ({ index }) => index === 7).runs.map(({ index }) => index)).toEqual([7])
  })

  it('is nothing where nothing matches', () => {
    const { runs: none, totals, worst } = selected({ agent: 'codex', model: 'gemini-3-pro' })
    expect(none).toEqual([])
    expect(totals).toMatchObject({ runs: 0, spent: { tokens: 0 } })
    expect(worst).toBeUndefined()
  })
})
