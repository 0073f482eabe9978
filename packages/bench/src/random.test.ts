import { expect, test } from 'vitest'
import { createRandom } from './random.js'

test('the same seed gives the same numbers, another seed others', () => {
  const draw = (seed: number | string) => {
    const random = createRandom(seed)
    return Array.from({ length: 20 }, () => random.int(0, 1000))
  }
  expect(draw(7)).toEqual(draw(7))
  expect(draw('a name')).toEqual(draw('a name'))
  expect(draw(7)).not.toEqual(draw(8))
})

test('int includes both ends', () => {
  const random = createRandom(1)
  const seen = new Set(Array.from({ length: 200 }, () => random.int(3, 5)))
  expect([...seen].sort()).toEqual([3, 4, 5])
})

test('sample never takes one twice', () => {
  const taken = createRandom(2).sample([1, 2, 3, 4, 5, 6], 6)
  expect(new Set(taken).size).toBe(6)
})
