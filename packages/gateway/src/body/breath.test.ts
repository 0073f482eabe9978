import { expect, it } from 'vitest'
import { createBreath } from './breath.js'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

it('lets those who wait go on one after the other, and others in between', async () => {
  const breath = createBreath()
  const order: string[] = []
  const work = async (name: string) => {
    for (let step = 1; step <= 2; step++) {
      await breath.take()
      order.push(`${name}${step}`)
    }
  }
  const all = Promise.all([work('a'), work('b'), work('c')])
  let isOver = false
  void all.then(() => {
    isOver = true
  })
  while (!isOver) {
    await nextTurn()
    order.push('-')
  }
  expect(order.join(' ').replace(/( -)+/g, ' -')).toBe('a1 - b1 - c1 - a2 - b2 - c2 -')
})

it('is not due where nothing was done before', async () => {
  const breath = createBreath()
  expect(breath.isDue).toBe(false)
  await breath.take()
  expect(breath.isDue).toBe(false)
})
