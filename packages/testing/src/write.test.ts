import { expect, test } from 'vitest'
import { toWrites } from './write.js'

test('writes hold all bytes, end within events and once within a character', () => {
  const events = Array.from({ length: 30 }, (_, n) => `data: {"n":${n},"text":"größer"}\n\n`)
  const bytes = Buffer.from(events.join(''))
  const writes = [...toWrites(bytes)]
  expect(Buffer.concat(writes)).toEqual(bytes)
  const texts = writes.map((write) => write.toString())
  expect(texts.filter((text) => text.endsWith('\ufffd'))).toHaveLength(1)
  expect(texts.some((text) => !text.endsWith('\n\n'))).toBe(true)
  expect(texts.some((text) => text.split('data: ').length > 3)).toBe(true)
})

test('a text without special characters is cut too', () => {
  const bytes = Buffer.from('data: 1\n\n'.repeat(20))
  expect([...toWrites(bytes)].map((write) => write.length)).toEqual([40, 140])
})
