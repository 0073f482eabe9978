import { expect, test } from 'vitest'
import {
  flaggedOf,
  meanOverSources,
  medianOf,
  type Outcome,
  rateOf,
  type Seen,
  summarise,
  wantedStops,
} from './metrics.js'

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
    loop({ found: true, delay: -3 }),
    loop({ found: true, delay: 2 }),
    loop({ found: true, delay: 10 }),
    loop({}),
    honest({ wrong: true, at: 4 }),
    honest({}),
    honest({}),
    honest({}),
  ])
  expect(summary.precision.rate).toBe(3 / 4)
  expect(summary.recall.rate).toBe(3 / 4)
  expect(summary.falseAlarms.rate).toBe(1 / 4)
  expect(summary.onTime.rate).toBe(2 / 4)
  expect(summary.medianDelay).toBe(2)
})

test('stops are counted by themselves', () => {
  const outcomes = [
    loop({ found: true, delay: 0 }, { found: true, delay: 6 }),
    loop({ found: true, delay: 0 }),
    honest({ wrong: true, at: 1 }, { wrong: true, at: 9 }),
    honest({ wrong: true, at: 1 }),
  ]
  const stops = summarise(outcomes, 'stops')
  expect([stops.precision.rate, stops.recall.rate, stops.medianDelay]).toEqual([1 / 2, 1 / 2, 6])
  expect(flaggedOf(outcomes.slice(2), 'advice').hits).toBe(2)
  expect(flaggedOf(outcomes.slice(2), 'stops').hits).toBe(1)
})

test('stops are counted against those that a supervisor would want', () => {
  const stopped = { found: true, delay: 0 }
  const outcomes = [
    loop(stopped, stopped),
    { ...loop(stopped, stopped), stopWanted: true },
    { ...loop(stopped), stopWanted: true },
    // neither right nor wrong
    { ...loop(stopped, stopped), stopWanted: false },
    { ...loop(stopped), stopWanted: false },
    { ...honest({}), stopWanted: false },
  ]
  const { wanted, asked, unwanted } = wantedStops(outcomes)
  expect([wanted, asked, unwanted].map(({ hits, of }) => [hits, of])).toEqual([
    [2, 3],
    [1, 2],
    [1, 2],
  ])
  const { precision, recall } = summarise(outcomes, 'stops')
  expect([precision.hits, precision.of, recall.hits, recall.of]).toEqual([2, 2, 2, 3])
  expect(summarise(outcomes).recall.of).toBe(5)
})

test('an alarm before the second repeat spoils precision and does not find the loop', () => {
  const { precision, recall } = summarise([loop({ wrong: true }), loop({ found: true, delay: 0 })])
  expect([precision.rate, recall.rate]).toEqual([1 / 2, 1 / 2])
})

test('a loop that was only reported early is neither found nor wrong, and counted separately', () => {
  const { precision, recall, early } = summarise([
    loop({ early: true, at: 1 }),
    loop({ early: true, found: true, delay: 1 }),
  ])
  expect([precision.rate, recall.rate, early]).toEqual([1, 1 / 2, 1])
})

test('a source counts once in the mean, and only for what it has cases of', () => {
  const outcomes = [
    ...Array.from({ length: 8 }, () => loop({ found: true, delay: 0 })),
    { ...loop({}), family: 'small' },
    { ...honest({ wrong: true, at: 1 }), family: 'honest' },
  ]
  expect(meanOverSources(outcomes, 'advice')).toEqual({ precision: 1 / 2, recall: 1 / 2 })
})

test('median of an even, an odd and an empty list', () => {
  expect([medianOf([4, 1, 3, 2]), medianOf([9, 1, 5])]).toEqual([2.5, 5])
  expect(medianOf([])).toBeNaN()
})

const loop = (advice: Partial<Seen>, stops: Partial<Seen> = {}) => outcome(true, advice, stops)
const honest = (advice: Partial<Seen>, stops: Partial<Seen> = {}) => outcome(false, advice, stops)

function outcome(isLoop: boolean, advice: Partial<Seen>, stops: Partial<Seen>): Outcome {
  const nothing = { found: false, early: false, wrong: false }
  return {
    id: 'x',
    kind: 'k',
    family: 'f',
    loop: isLoop,
    talks: false,
    advice: { ...nothing, ...advice },
    stops: { ...nothing, ...stops },
  }
}
