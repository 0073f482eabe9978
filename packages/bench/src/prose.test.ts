import { expect, test } from 'vitest'
import { prose } from './prose.js'
import { createRandom } from './random.js'

test('has exactly the length asked for', () => {
  expect(prose(createRandom(1), 1234)).toHaveLength(1234)
})

test('hardly ever repeats 50 characters, so that ordinary prose is what is measured', () => {
  const text = prose(createRandom(3), 200_000)
  const windows = new Set<string>()
  for (let start = 0; start + 50 <= text.length; start++) windows.add(text.slice(start, start + 50))
  expect(windows.size / (text.length - 49)).toBeGreaterThan(0.995)
})
