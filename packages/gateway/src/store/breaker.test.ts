import { expect, it } from 'vitest'
import { createBreaker } from './breaker.js'

const never = () => new Promise<never>(() => {})

it('lets nobody wait after several late answers, until its pause is over', async () => {
  let now = 0
  const breaker = createBreaker(1, 1000, () => now)
  for (let i = 0; i < 3; i++) {
    expect(breaker.isClosed).toBe(true)
    await expect(breaker.run(never)).rejects.toThrow('no answer within 1 ms')
  }
  expect(breaker.isClosed).toBe(false)
  let isAsked = false
  const ask = async () => {
    isAsked = true
    return 1
  }
  await expect(breaker.run(ask)).rejects.toThrow('did not answer before')
  expect(isAsked).toBe(false)
  now = 1000
  expect(await breaker.run(ask)).toBe(1)
})

it('does not count failures, or late answers with others in between', async () => {
  const breaker = createBreaker(1, 1000)
  for (let i = 0; i < 9; i++) {
    await expect(breaker.run(never)).rejects.toThrow('no answer')
    expect(await breaker.run(async () => i)).toBe(i)
    await expect(breaker.run(() => Promise.reject(new Error('full')))).rejects.toThrow('full')
  }
  expect(breaker.isClosed).toBe(true)
})
