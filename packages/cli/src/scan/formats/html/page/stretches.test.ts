import { describe, expect, it } from 'vitest'
import type { Bar } from './selection.js'
import { toStretches } from './stretches.js'

const bars = (...days: string[]) =>
  new Map(
    days.map((name): [string, Bar] => [
      name,
      { name, runs: 1, tokens: 10, wastedTokens: 1, cost: 2, wastedCost: 1, unpriced: 0, last: 0 },
    ]),
  )

describe('stretches', () => {
  it('are days, with those on which nothing happened', () => {
    const days = toStretches(bars('2026-11-02', '2026-10-30'))
    expect(days.map(({ from, tokens }) => [from, tokens])).toEqual([
      ['2026-10-30', 10],
      ['2026-10-31', 0],
      ['2026-11-01', 0],
      ['2026-11-02', 10],
    ])
  })

  it('are weeks where there are too many days, and months or more where there are too many weeks', () => {
    const weeks = toStretches(bars('2026-08-01', '2026-08-07', '2026-08-08', '2026-11-16'))
    expect(weeks).toHaveLength(16)
    expect(weeks[0]).toMatchObject({ from: '2026-08-01', to: '2026-08-07', tokens: 20, cost: 4 })
    expect(weeks.at(-1)).toMatchObject({ to: '2026-11-16', tokens: 10 })
    const years = toStretches(bars('1970-01-01', '2026-11-16'))
    expect(years.length).toBeLessThan(63)
    expect(years.reduce((sum, { tokens }) => sum + tokens, 0)).toBe(20)
  })

  it('leave out what is no day', () => {
    expect(toStretches(bars('', 'unknown', '12026-01-01'))).toEqual([])
    expect(toStretches(bars('2026-11-02', 'unknown'))).toHaveLength(1)
  })
})
