import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createDeltaBuffer } from './delta-buffer.js'
import type { ToView } from './protocol.js'

const delta = (index: number, text: string): ToView => ({ type: 'delta', index, text })

it('joins pieces of one text, and changes the order of nothing', () => {
  const posted: ToView[] = []
  const post = createDeltaBuffer((message) => posted.push(message))
  for (const text of ['a', 'b']) post(delta(1, text))
  post(delta(2, 'c'))
  post({ type: 'focus' })
  expect(posted).toEqual([delta(1, 'ab'), delta(2, 'c'), { type: 'focus' }])
})

it('posts what is held after a moment, if nothing else comes', async () => {
  const posted: ToView[] = []
  createDeltaBuffer((message) => posted.push(message))(delta(1, 'a'))
  expect(posted).toEqual([])
  await expect.poll(() => posted).toEqual([delta(1, 'a')])
})

it('loses nothing, whatever comes', () => {
  const message = fc.oneof(
    fc.record({ index: fc.integer({ min: 0, max: 2 }), text: fc.string({ minLength: 1 }) }),
    fc.constant(undefined),
  )
  fc.assert(
    fc.property(fc.array(message), (messages) => {
      const posted: ToView[] = []
      const post = createDeltaBuffer((one) => posted.push(one))
      for (const one of messages) post(one ? delta(one.index, one.text) : { type: 'focus' })
      post({ type: 'focus' })
      const texts = (index: number) =>
        posted.map((one) => (one.type === 'delta' && one.index === index ? one.text : '')).join('')
      for (const index of [0, 1, 2]) {
        expect(texts(index)).toBe(
          messages.map((one) => (one?.index === index ? one.text : '')).join(''),
        )
      }
    }),
  )
})
