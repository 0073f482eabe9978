import { defaultDetectors } from 'unloop'
import { expect, test } from 'vitest'
import { generateCases } from '../cases/generate.js'
import { coverageOf } from './coverage.js'
import { inventedRuns } from './invented-runs.js'

test('every detector sees loops of at least two generators or inventors', () => {
  const runs = [...generateCases(5, 1), ...inventedRuns(5, 1)]
  // long texts take long and tell no more
  const places = coverageOf(runs.filter(({ events }) => events.length < 1000))
  expect([...places.keys()]).toEqual(defaultDetectors().map(({ name }) => name))
  const alone = [...places].filter(([, families]) => families.size < 2)
  expect(alone.map(([name, families]) => [name, [...families]])).toEqual([])
})
