import { expect, test } from 'vitest'
import { atLeast, atMost, goalRows, isMissed } from './goal.js'

test('a goal is held, missed or not measured', () => {
  const goals = [
    atLeast('fast', 50, 40, 'M/s'),
    atMost('small', 300.4, 256, 'KB'),
    atMost('x', Number.NaN, 1),
  ]
  expect(goals.map(({ held }) => held)).toEqual([true, false, undefined])
  expect(isMissed(goals)).toBe(true)
  expect(isMissed(goals.slice(0, 1))).toBe(false)
  expect(goalRows(goals)).toEqual([
    ['', 'measured', 'wanted', ''],
    ['fast', '50 M/s', '≥ 40 M/s', 'pass'],
    ['small', '300 KB', '≤ 256 KB', 'FAIL'],
    ['x', 'not measured', '≤ 1', '–'],
  ])
})
