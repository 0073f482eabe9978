import { expect, test } from 'vitest'
import { addedTo, addTo, percentileOf, type Rounds, rankOf, ratioOf } from './rounds.js'

function roundsOf(values: Record<string, number[][]>): Rounds {
  const rounds: Rounds = new Map()
  for (const [name, lists] of Object.entries(values)) {
    for (const [round, list] of lists.entries()) {
      for (const value of list) addTo(rounds, name, round, value)
    }
  }
  return rounds
}

test('ranks', () => {
  const values = Array.from({ length: 100 }, (_, n) => 100 - n)
  expect(rankOf(values, 50)).toBe(50)
  expect(rankOf(values, 99)).toBe(99)
  expect(rankOf([7], 99)).toBe(7)
  expect(rankOf([], 50)).toBeNaN()
})

test('candidates are compared within a round', () => {
  const rounds = roundsOf({ plain: [[1], [10], [2]], guarded: [[2], [11], [9]] })
  expect(percentileOf(rounds, 'plain', 50)).toBe(2)
  expect(addedTo(rounds, 'plain', 'guarded', 50)).toBe(1)
  expect(ratioOf(rounds, 'guarded', 'plain')).toBe(2)
})

test('what was not measured is not a number', () => {
  expect(percentileOf(new Map(), 'plain', 50)).toBeNaN()
  expect(addedTo(new Map(), 'plain', 'guarded', 50)).toBeNaN()
  expect(ratioOf(roundsOf({ guarded: [[1]] }), 'guarded', '')).toBeNaN()
})
