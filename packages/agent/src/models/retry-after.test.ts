import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after.js'

const now = Date.parse('2026-11-15T12:00:00Z')

test.each([
  [{ 'retry-after': '7' }, 7000],
  [{ 'retry-after': '0.5' }, 500],
  [{ 'retry-after': '0' }, 0],
  [{ 'retry-after-ms': '1500', 'retry-after': '2' }, 1500],
  [{ 'retry-after-ms': '', 'retry-after': '2' }, 2000],
  [{ 'retry-after': 'Sun, 15 Nov 2026 12:00:30 GMT' }, 30_000],
  [{ 'retry-after': 'Sun, 15 Nov 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-5' }, undefined],
  [{}, undefined],
])('%j', (headers, expected) => {
  expect(retryAfterMs(headers, '', now)).toBe(expected)
})

test('the delay in the body of Gemini', () => {
  expect(retryAfterMs({}, '{"details":[{"retryDelay": "34.07s"}]}', now)).toBe(34_070)
})
