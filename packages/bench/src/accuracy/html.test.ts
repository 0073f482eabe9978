import { expect, test } from 'vitest'
import { type Curve, curveTable } from './curves.js'
import { makeHtml } from './html.js'
import type { Outcome } from './metrics.js'

const missed = { found: false, early: false, wrong: false }
const outcome: Outcome = {
  id: 'a',
  kind: 'k',
  family: 'f',
  loop: true,
  talks: false,
  advice: { found: true, early: false, wrong: false, at: 3, delay: 2 },
  stops: missed,
}

test('the page stands alone and escapes what it shows', () => {
  const html = makeHtml({
    heading: 'Seed 1 <b>',
    results: [{ name: 'one & only', outcomes: { calls: [outcome] } }],
    tables: [
      {
        title: 'T',
        rows: [
          ['', 'x'],
          ['<i>', '1/2'],
        ],
      },
    ],
    curves: [],
  })
  expect(html).toContain('one &amp; only')
  expect(html).not.toContain('<i>')
  expect(html).not.toContain('<b>')
  expect(html).not.toMatch(/(src|href)=/)
  expect(html).toContain('1 of 1')
})

test('a curve is drawn, and shows as a table what a value changes', () => {
  const quiet = { ...outcome, advice: missed }
  const curve: Curve = {
    detector: 'some-detector',
    option: 'limit',
    points: [
      { value: 3, isDefault: true, result: { name: '3', outcomes: { calls: [outcome] } } },
      { value: 9, isDefault: false, result: { name: '9', outcomes: { calls: [quiet] } } },
    ],
  }
  const html = makeHtml({ heading: '', results: [], tables: [], curves: [curve] })
  expect(html).toContain('some-detector: limit')
  expect(html).toContain('<svg')
  const [heading, usual, moved] = curveTable(curve)
  const found = heading?.indexOf('generated loops advised / stopped') ?? -1
  expect([usual?.[0], usual?.[found]]).toEqual(['3, the default', '1 / 0'])
  expect([moved?.[0], moved?.[found]]).toEqual(['9', '0 / 0'])
  expect(moved?.[found + 1]).toBe('0 %')
  expect(moved?.filter((cell) => cell === '·')).toHaveLength(12)
})
