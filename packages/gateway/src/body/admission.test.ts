import { expect, it } from 'vitest'
import { createAdmission, type Hold } from './admission.js'

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

it('asks the largest to let go before there is no room left, and each once', () => {
  const admission = createAdmission(100)
  const gone: string[] = []
  const [small, large, fixed, last] = ['small', 'large', 'fixed', 'last'].map((name) => {
    const hold = admission.open()
    if (name !== 'fixed') hold.letGo = () => void gone.push(name)
    return hold
  }) as [Hold, Hold, Hold, Hold]
  expect([small.take(20), large.take(30), fixed.take(25)]).toEqual([true, true, true])
  expect(gone).toEqual([])
  expect(last.take(10)).toBe(true)
  expect(gone).toEqual(['large'])
  // what leaves is still there
  expect(admission.bytes).toBe(85)
  expect(last.take(16)).toBe(false)
  expect(last.take(15)).toBe(true)
  expect(gone).toEqual(['large'])
  large.give()
  expect(last.take(10)).toBe(true)
  expect(gone).toEqual(['large', 'last'])
  expect(admission.bytes).toBe(80)
})
