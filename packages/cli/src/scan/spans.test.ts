import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSpans } from './spans.js'

it('gives every event once, however the stretches overlap', () => {
  const span = fc
    .tuple(fc.integer({ min: -1, max: 60 }), fc.integer({ min: 0, max: 20 }))
    .map(([after, length]) => ({ after, to: after + length }))
  const eventsOf = ({ after, to }: { after: number; to: number }) =>
    Array.from({ length: to - after }, (_, i) => after + 1 + i)
  fc.assert(
    fc.property(fc.array(span, { maxLength: 20 }), (all) => {
      const spans = createSpans()
      const given = all.flatMap((one) => spans.add(one)).flatMap(eventsOf)
      expect(new Set(given).size).toBe(given.length)
      expect(new Set(given)).toEqual(new Set(all.flatMap(eventsOf)))
    }),
  )
})
