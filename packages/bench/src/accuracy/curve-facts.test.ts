import { expect, test } from 'vitest'
import { curveFacts } from './curve-facts.js'

const heading = ['value', 'advice: precision / recall', 'native flagged / stopped', 'chants found']

test('names the nearest value on each side that changes anything, and what it changes', () => {
  const { text, isFlat } = curveFacts([
    heading,
    ['2', '0.80 / 0.90', '9 / 1', '·'],
    ['3', '0.90 / 0.85', '·', '·'],
    ['4, the default', '0.95 / 0.80', '3 / 0', '12'],
    ['5', '·', '·', '·'],
    ['6', '0.95 / 0.70', '·', '11'],
  ])
  expect(isFlat).toBe(false)
  expect(text).toBe(
    'At 3, worse: precision of advice 0.95 → 0.90; better: recall of advice 0.80 → 0.85. At 6, worse: recall of advice 0.80 → 0.70, generated chants found 12 → 11.',
  )
})

test('says which side is flat, and whether all of it is', () => {
  const usual = ['4, the default', '0.95 / 0.80', '3 / 0', '12']
  const flat = ['8', '·', '·', '·']
  expect(curveFacts([heading, ['3', '·', '4 / 0', '·'], usual, flat]).text).toBe(
    'At 3, worse: native sessions flagged 3 → 4. Up to 8 nothing changes.',
  )
  expect(curveFacts([heading, ['2', '·', '·', '·'], usual, flat])).toEqual({
    text: 'Nothing we have tells 2 from 8.',
    isFlat: true,
  })
})
