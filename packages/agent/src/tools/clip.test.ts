import { expect, test } from 'vitest'
import { createClip } from './clip.js'

test('a text that fits is kept', () => {
  const clip = createClip()
  clip.add('a'.repeat(7999))
  clip.add('bc')
  clip.add('d'.repeat(11_999))
  expect(clip.toString()).toBe(`${'a'.repeat(7999)}bc${'d'.repeat(11_999)}`)
})

test('of a longer one the middle is left out', () => {
  const clip = createClip()
  for (let n = 0; n < 100_000; n++) clip.add(`${n}\n`)
  const text = clip.toString()
  expect(text.startsWith('0\n1\n2\n')).toBe(true)
  expect(text.endsWith('99998\n99999\n')).toBe(true)
  expect(text).toContain('[568890 characters left out]')
  expect(text.length).toBeLessThan(20_100)
})
