import { expect, test } from 'vitest'
import { makeHtml } from './html.js'
import type { Outcome } from './metrics.js'

test('the page stands alone and escapes what it shows', () => {
  const outcome: Outcome = {
    id: 'a',
    kind: 'k',
    family: 'f',
    loop: true,
    found: true,
    falseAlarm: false,
    delay: 2,
  }
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
