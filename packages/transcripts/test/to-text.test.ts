import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toText } from '../src/to-text.js'

const stretch = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }).map((text) => Buffer.from(text)),
  fc.string({ maxLength: 200 }).map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
)

describe('the text of bytes', () => {
  it('is what toString says, however long it is and whatever it holds', () => {
    const property = fc.property(
      fc.array(stretch, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(1, 40),
      fc.nat(50),
      fc.nat(50),
      (parts, times, before, after) => {
        const bytes = Buffer.concat(Array.from({ length: times }, () => parts).flat())
        const [from, to] = [Math.min(before, bytes.length), Math.max(before, bytes.length - after)]
        expect(toText(bytes, from, to)).toBe(bytes.toString('utf8', from, to))
      },
    )
    fc.assert(property, { numRuns: 500 })
  })
})
