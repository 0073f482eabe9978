import { expect, it } from 'vitest'
import { createAdmission } from './admission.js'

it('holds no more for all requests together than it may', () => {
  const admission = createAdmission(100)
  const [one, other] = [admission.open(), admission.open()]
  expect(one.take(60)).toBe(true)
  expect(other.take(60)).toBe(false)
  expect(admission.bytes).toBe(60)
  expect(other.take(40)).toBe(true)
  one.give(10)
  expect(other.take(10)).toBe(true)
  other.give()
  other.give()
  expect(admission.bytes).toBe(50)
  one.give(1000)
  expect(admission.bytes).toBe(0)
})
