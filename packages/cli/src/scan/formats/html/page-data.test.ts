import { describe, expect, it } from 'vitest'
import { madeUpReport } from '../../../../test/made-up-report.js'
import { packReport, unpackRuns } from './page-data.js'

const report = madeUpReport(200)

describe('the data of the page', () => {
  it('has every run as it was, its costs to a millionth of a dollar', () => {
    const data = JSON.parse(JSON.stringify(packReport(report)))
    const runs = unpackRuns(data)
    expect(runs).toHaveLength(200)
    for (const [index, { parts, ...run }] of report.runs.entries()) {
      const { parts: unpacked = [], ...rest } = runs[index] ?? {}
      expect(rest).toEqual({
        ...run,
        index,
        agentName: run.program,
        projectName: run.project?.replace('~/code/', ''),
      })
      if (parts.length === 0) continue
      expect(unpacked.map(({ cost, wastedCost, ...part }) => part)).toEqual(
        parts.map(({ cost, wastedCost, ...part }) => part),
      )
      for (const [at, { cost, wastedCost }] of parts.entries()) {
        expect(unpacked[at]?.cost === undefined).toBe(cost === undefined)
        expect(unpacked[at]?.cost ?? 0).toBeCloseTo(cost ?? 0, 5)
        expect(unpacked[at]?.wastedCost ?? 0).toBeCloseTo(wastedCost ?? 0, 5)
      }
    }
  })

  it('is lean: a run takes about a kilobyte', () => {
    expect(JSON.stringify(packReport(madeUpReport(1000))).length).toBeLessThan(1_200_000)
  })

  it('names tools that objects have names for', () => {
    const [run] = report.runs
    if (!run) throw new Error('no run')
    const part = { calls: 1, errors: 0, tokens: 5, wastedTokens: 0 }
    const tools = ['__proto__', 'constructor', '', 'toString', '🔧']
    const parts = tools.map((tool) => ({ ...part, tool, model: tool }))
    const [back] = unpackRuns(packReport({ ...report, runs: [{ ...run, parts }] }))
    expect(back?.parts).toEqual(parts)
  })

  it('gives a run without parts one, so that its time is found', () => {
    const [run] = report.runs
    if (!run) throw new Error('no run')
    const [back] = unpackRuns(
      packReport({ ...report, runs: [{ ...run, parts: [], startedAt: 0 }] }),
    )
    expect(back?.parts).toMatchObject([{ tokens: run.spent.tokens, model: run.model }])
    expect(back?.parts[0]?.day).toMatch(/^19(?:69|70)-/)
  })

  it('tells of transcripts that were not read in full', () => {
    const file = {
      path: 'a',
      records: 9,
      used: 5,
      skipped: 0,
      bad: 4,
      badRecords: [],
      events: 5,
      runs: 1,
    }
    const none = { code: 'unknown-format', message: 'no transcript' }
    const files = [
      file,
      { ...file, path: 'b', problem: { code: 'empty', message: 'is empty' } },
      { ...file, problem: none },
    ]
    expect(packReport({ ...report, files }).problems).toEqual([
      { path: 'a', message: '4 of 9 records could not be read' },
      { path: 'b', message: 'is empty' },
    ])
  })
})
