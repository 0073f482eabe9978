import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toFrame } from './frame.js'

const toLine = (delta: object, more: object = {}) =>
  Buffer.from(`data: ${JSON.stringify({ id: 'x', choices: [{ index: 0, delta }], ...more })}`)
const parse = (line: Buffer) => JSON.parse(line.toString('utf8', 5))

function frameOf(line: Buffer, text: string) {
  return toFrame(line, parse(line), [{ type: 'text', text }])
}

it('reads what parsing reads, or nothing', () => {
  fc.assert(
    fc.property(fc.string(), fc.string({ unit: 'grapheme' }), fc.object(), (first, text, more) => {
      const frame = frameOf(toLine({ content: first }), first)
      for (const line of [toLine({ content: text }), toLine({ content: text }, more)]) {
        const read = frame?.read(line)
        if (read) expect(read).toEqual(parse(line))
      }
    }),
  )
})

it('reads an ordinary text without parsing it', () => {
  const frame = frameOf(toLine({ content: ' the' }), ' the')
  expect(frame?.read(toLine({ content: ' größte 😀' }))).toEqual(
    parse(toLine({ content: ' größte 😀' })),
  )
})

it.each([
  ['a text with an escape', toLine({ content: 'a"b' })],
  ['another field', toLine({ content: 'b', role: 'assistant' })],
  ['another event', Buffer.from('data: [DONE]')],
  ['a piece of it', toLine({ content: 'b' }).subarray(0, 20)],
])('leaves %s to the parser', (_, line) => {
  expect(frameOf(toLine({ content: ' the' }), ' the')?.read(line)).toBeUndefined()
})

it.each([
  ['stands there twice', toLine({ content: 'same', other: 'same' }), 'same'],
  ['is the name of a field', toLine({ content: 'content' }), 'content'],
  ['is nowhere', toLine({ content: 'x' }), 'y'],
])('is not made of an event whose text %s', (_, line, text) => {
  expect(frameOf(line, text)).toBeUndefined()
})
