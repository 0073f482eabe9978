import { expect, it } from 'vitest'
import { createLines, type Line } from './lines.js'

/** Puts work into lines behind some that is not over; gives the order in which it is done. */
async function play(lines: Line[], maxLength = 1000): Promise<string[]> {
  const inLine = createLines({ atOnce: 1, maxLength, maxWaitMs: 60_000 })
  const order: string[] = []
  let end = () => {}
  const first = inLine({ name: 'first', isKnown: true }, () => new Promise<void>((r) => (end = r)))
  const all = lines.map((line) => inLine(line, async () => order.push(line.name)))
  end()
  await Promise.all([first, ...all])
  return order
}

const of = (name: string, isKnown = false): Line => ({ name, isKnown })

it('serves lines in turn, however long one of them is', async () => {
  const order = await play([of('a'), of('a'), of('a'), of('b'), of('a'), of('c'), of('b')])
  expect(order.join('')).toBe('abcabaa')
})

it('serves those first that are known', async () => {
  const many = Array.from({ length: 400 }, (_, at) => of(`other ${at}`))
  const order = await play([...many, of('a', true), of('a', true), of('b', true)])
  expect(order.slice(0, 3)).toEqual(['a', 'b', 'a'])
  expect(order).toHaveLength(403)
})

it('lets no more wait in a line than may', async () => {
  expect(await play([of('a'), of('a'), of('a'), of('b')], 2)).toEqual(['a', 'b', 'a'])
})

it('lets nobody wait too long', async () => {
  const inLine = createLines({ atOnce: 1, maxLength: 9, maxWaitMs: 1 })
  void inLine(of('a'), () => new Promise(() => {}))
  expect(await inLine(of('b'), async () => 'done')).toBe(undefined)
})

it('goes on after work that fails', async () => {
  const inLine = createLines({ atOnce: 1, maxLength: 9, maxWaitMs: 60_000 })
  const failed = inLine(of('a'), () => Promise.reject(new Error('no')))
  const next = inLine(of('a'), async () => 'done')
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('done')
})
