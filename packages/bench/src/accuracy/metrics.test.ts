import { expect, test } from 'vitest'
import { medianOf, type Outcome, rateOf, summarise } from './metrics.js'

test('Wilson intervals agree with the published ones', () => {
  const half = rateOf(5, 10)
  expect([half.low, half.high].map((value) => value.toFixed(4))).toEqual(['0.2366', '0.7634'])
  const none = rateOf(0, 20)
  expect([none.low, none.high].map((value) => value.toFixed(4))).toEqual(['0.0000', '0.1611'])
  const all = rateOf(20, 20)
  expect([all.low, all.high].map((value) => value.toFixed(4))).toEqual(['0.8389', '1.0000'])
  expect(rateOf(0, 0).rate).toBeNaN()
})

test('precision, recall, delay on a set counted by hand', () => {
  const summary = summarise([
    outcome({ loop: true, found: true, delay: -3 }),
    outcome({ loop: true, found: true, delay: 2 }),
    outcome({ loop: true, found: true, delay: 10 }),
    outcome({ loop: true }),
    outcome({ falseAlarm: true }),
    outcome({}),
    outcome({}),
    outcome({}),
  ])
  expect(summary.precision.rate).toBe(3 / 4)
  expect(summary.recall.rate).toBe(3 / 4)
  expect(summary.falseAlarms.rate).toBe(1 / 4)
  expect(summary.onTime.rate).toBe(2 / 4)
  expect(summary.medianDelay).toBe(2)
})

test('an alarm before the second repeat spoils precision and does not find the loop', () => {
  const { precision, recall } = summarise([
    outcome({ loop: true, falseAlarm: true }),
    outcome({ loop: true, found: true, delay: 0 }),
  ])
  expect([precision.rate, recall.rate]).toEqual([1 / 2, 1 / 2])
})

test('median of an even, an odd and an empty list', () => {
  expect([medianOf([4, 1, 3, 2]), medianOf([9, 1, 5])]).toEqual([2.5, 5])
  expect(medianOf([])).toBeNaN()
})

function outcome(parts: Partial<Outcome>): Outcome {
  return { id: 'x', kind: 'k', family: 'f', loop: false, found: false, falseAlarm: false, ...parts }
}
