import { describe, expect, it } from 'vitest'
import {
  plural,
  showBytes,
  showCost,
  showCount,
  showMs,
  showPercent,
  showTokens,
} from './amounts.js'

const amounts = { showBytes, showCost, showCount, showMs, showPercent, showTokens }

const cases = {
  showCount: { 0: '0', 12345: '12,345', 1.005: '1.01', 2.5: '2.5' },
  showMs: {
    0: '0 s',
    95000: '95 s',
    240000: '4 min',
    7200000: '2 h',
    7800000: '2 h 10 min',
    5000000000: '1,388 h 53 min',
  },
  showTokens: {
    950: '950',
    999.6: '1k',
    12345: '12.3k',
    123456: '123k',
    999400: '999k',
    999700: '1M',
    4500000: '4.5M',
    2.54e9: '2.5B',
    5e12: '5,000B',
  },
  showBytes: { 512: '512 B', 1536: '1.5 KB', 20e6: '20 MB', 3e12: '3,000 GB' },
  showCost: { 0: '$0.00', 0.001: '< $0.01', 0.04: '$0.04', 1234.5: '$1,234.50' },
  showPercent: { 0: '0%', 0.854: '85%', 1: '100%' },
} as const

describe.each(Object.entries(cases))('%s', (name, examples) => {
  const show = amounts[name as keyof typeof cases]
  it.each(Object.entries(examples))('writes %s as %s', (value, text) => {
    expect(show(Number(value))).toBe(text)
  })
})

it('writes one and many', () => {
  expect([1, 0, 1200].map((count) => plural(count, 'event'))).toEqual([
    '1 event',
    '0 events',
    '1,200 events',
  ])
})
