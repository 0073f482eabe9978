import { expect, test } from 'vitest'
import { cutAtRandom, cutEvenly } from './cut.js'
import { createRandom } from './random.js'

test('however a text is cut, the pieces make up the text', () => {
  const text = 'The quick brown fox 🦊 jumps over the lazy dog. '.repeat(20)
  for (const mean of [1, 4, 20, 5000]) {
    expect(cutAtRandom(createRandom(mean), text, mean).join('')).toBe(text)
  }
  expect(cutEvenly(text, 7).join('')).toBe(text)
})

test('pieces are about as long as asked', () => {
  const pieces = cutAtRandom(createRandom(1), 'x'.repeat(20_000), 20)
  expect(20_000 / pieces.length).toBeGreaterThan(17)
  expect(20_000 / pieces.length).toBeLessThan(23)
})
