import { describe, expect, it } from 'vitest'
import { type AnswerInput, answerOf, compareSpent, periodOf, textOf, worstOf } from './answer.js'
import type { RunReport, Spent } from './run-report.js'

const H = 3_600_000
const prices = { date: '2026-08-15', source: 'public list prices' }
const totals: AnswerInput['totals'] = {
  runs: 412,
  stuck: 5,
  struggling: 0,
  loops: 6,
  paid: 400,
  priced: 400,
  spent: { events: 90_000, tokens: 230_000_000, cost: 2395.7 },
  wasted: { events: 900, tokens: 4_100_000, cost: 41.2 },
}
const worst = { events: 300, tokens: 2_000_000, ms: 3 * H, cost: 20 }
const period = 'in the last 30 days'

const told = (changed: Partial<AnswerInput['totals']> = {}, rest: Partial<AnswerInput> = {}) =>
  textOf(answerOf({ totals: { ...totals, ...changed }, worst, period, prices, ...rest }))

describe('the answer', () => {
  it('is what was wasted of what was spent, on how many loops, and how long the worst ran', () => {
    expect(told()).toBe(
      '$41 of the $2,396 spent in the last 30 days went into 6 loops; the worst ran for 3 h.',
    )
  })

  it('marks its two numbers', () => {
    const { phrases } = answerOf({ totals, worst, period, prices })
    expect(phrases.filter(({ tone }) => tone)).toEqual([
      { text: '$41', tone: 'waste' },
      { text: '$2,396', tone: 'total' },
    ])
  })

  it('counts one loop as one, and cents of small sums', () => {
    const wasted = { events: 9, tokens: 5000, cost: 0.04 }
    expect(told({ loops: 1, stuck: 1, wasted })).toBe(
      '$0.04 of the $2,396 spent in the last 30 days went into one loop, which ran for 3 h.',
    )
  })

  it('is about tokens where the waste has no price', () => {
    expect(told({ wasted: { events: 900, tokens: 4_100_000 } })).toBe(
      '4.1M of the 230M tokens used in the last 30 days went into 6 loops; the worst ran for 3 h.',
    )
  })

  it('is about runs where not even tokens are recorded', () => {
    const nothing = { events: 90, tokens: 0 }
    expect(told({ spent: nothing, wasted: nothing }, { worst: { events: 30, tokens: 0 } })).toBe(
      '5 of 412 runs in the last 30 days got stuck; the worst took 30 events.',
    )
    expect(told({ spent: nothing, wasted: nothing, loops: 0, stuck: 0 })).toBe(
      '0 of 412 runs got stuck in the last 30 days.',
    )
  })

  it('says so when nothing was wasted, and who struggled', () => {
    const none = { loops: 0, stuck: 0, wasted: { events: 0, tokens: 0 } }
    expect(told(none)).toBe(
      'None of the $2,396 spent in the last 30 days went into loops: 0 of 412 runs got stuck.',
    )
    expect(told({ ...none, struggling: 3 })).toContain('0 of 412 runs got stuck; 3 struggled.')
  })

  it('has something to say about no runs', () => {
    expect(told({ runs: 0, loops: 0 })).toBe('There are no runs in the last 30 days.')
    expect(told({ runs: 0, loops: 0 }, { period: undefined })).toBe('There are no runs.')
  })
})

describe('its notes', () => {
  const notes = (changed: Partial<AnswerInput['totals']>) =>
    answerOf({ totals: { ...totals, ...changed }, prices }).notes.join(' ')

  it('name the price list', () => {
    expect(notes({})).toContain('list prices of 2026-08-15 (public list prices)')
    expect(notes({})).not.toContain('of 400 runs')
  })

  it('tell how many runs are priced, unless all are', () => {
    expect(notes({ priced: 360 })).toContain('360 of 400 runs priced')
    expect(notes({ priced: 0 })).toContain('0 of 400 runs priced')
    expect(notes({ priced: 0, spent: { events: 1, tokens: 9 } })).toContain('No dollars')
    expect(notes({ paid: 0, priced: 0 })).toBe('')
  })
})

describe('the period', () => {
  const now = Date.parse('2026-11-16T12:00:00Z')

  it.each([
    [30 * 24 * H, 'in the last 30 days'],
    [12 * H, 'in the last 12 hours'],
    [H, 'in the last hour'],
    [48 * H, 'in the last 2 days'],
  ])('of %d ms that were asked for', (ms, words) => {
    expect(periodOf(now - ms, undefined, now)).toBe(words)
  })

  it('begins with the first run where none was asked for', () => {
    expect(periodOf(undefined, Date.parse('2026-10-03T12:00:00Z'), now)).toBe(
      'since October 3, 2026',
    )
  })

  it('is left out where no moment is known or none can be', () => {
    for (const first of [undefined, Number.NaN, 1e300, now + H])
      expect(periodOf(undefined, first, now)).toBeUndefined()
  })
})

describe('the worst', () => {
  const run = (certainty: 'certain' | 'likely', wasted: Spent) =>
    ({ loops: [{ certainty, wasted }] }) as unknown as RunReport

  it('is the loop that cost most, of those that are certain', () => {
    const dear = run('certain', { events: 1, tokens: 10, cost: 2 })
    const runs = [
      run('likely', { events: 1, tokens: 10, cost: 9 }),
      run('certain', { events: 1, tokens: 900, cost: 1 }),
      dear,
    ]
    expect(worstOf(runs)?.run).toBe(dear)
    expect(worstOf([])).toBeUndefined()
  })

  it('is found by tokens, time and events where there is no price', () => {
    const all: Spent[] = [
      { events: 2, tokens: 0 },
      { events: 1, tokens: 0, ms: 5 },
      { events: 1, tokens: 3 },
      { events: 1, tokens: 1, cost: 0.1 },
    ]
    expect([...all].sort(compareSpent)).toEqual([...all].reverse())
  })
})
