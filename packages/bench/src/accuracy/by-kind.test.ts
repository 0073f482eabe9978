import { expect, test } from 'vitest'
import { recordedKindTable } from './by-kind.js'
import type { Outcome } from './metrics.js'

test('each kind of loop is counted by itself, and honest runs are not', () => {
  const labelled = [
    loop('paging', { found: true, delay: 2 }),
    loop('cycle', { found: true, delay: 4 }, true),
    loop('cycle', { found: true, delay: 8 }, true, false),
    loop('cycle', {}),
    { ...loop('none', {}), loop: false },
  ]
  const { title, rows } = recordedKindTable({ name: 'x', outcomes: { labelled } })
  expect(title).toBe('x: by kind of labeled loop')
  expect(rows.slice(1)).toEqual([
    ['cycle', '3', '2', '0.67', '0', '6', '1 of 2', '0.50', '1 of 1'],
    ['paging', '1', '1', '1.00', '0', '2', '0 of 1', '0.00', '0 of 0'],
    ['all', '4', '3', '0.75', '0', '4', '1 of 3', '0.33', '1 of 1'],
  ])
})

function loop(
  kind: string,
  advice: Partial<Outcome['advice']>,
  isStopped = false,
  stopWanted?: boolean,
): Outcome {
  const nothing = { found: false, early: false, wrong: false }
  return {
    id: 'x',
    kind,
    family: 'f',
    loop: true,
    talks: false,
    advice: { ...nothing, ...advice },
    stops: { ...nothing, found: isStopped },
    ...(stopWanted !== undefined && { stopWanted }),
  }
}
