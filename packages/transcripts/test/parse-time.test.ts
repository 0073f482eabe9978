import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseTime } from '../src/parse-time.js'

/** What `Date.parse` says, which is the rule. */
const parsed = (text: string) => {
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

describe('a time', () => {
  it('is what Date.parse says, also of the next one in the same minute', () => {
    const start = fc.date({ noInvalidDate: true }).map((date) => date.getTime())
    const edit = fc.record({ at: fc.nat(23), put: fc.constantFrom(...'0123456789:.-+TZ x') })
    const property = fc.property(
      start,
      fc.array(fc.tuple(fc.nat(120_000), fc.option(edit)), { maxLength: 20 }),
      (first, steps) => {
        for (const [ms, change] of steps) {
          const time = first + ms
          if (Math.abs(time) > 8.64e15) continue
          const text = new Date(time).toISOString()
          const put = change
            ? text.slice(0, change.at) + change.put + text.slice(change.at + 1)
            : text
          expect([put, parseTime(put)]).toEqual([put, parsed(put)])
        }
      },
    )
    fc.assert(property, { numRuns: 1000 })
  })

  it.each([
    '2026-11-15T23:59:59.999Z',
    '2026-11-15T23:59:60.000Z',
    '2026-11-15T23:59:59.99 Z',
    '2026-11-15T23:59:59,999Z',
    '2026-11-15T24:00:00.000Z',
    '2026-11-15T24:00:01.000Z',
    '2026-11-15T22:00:00+02:00',
    '2026-11-15',
    'yesterday',
    '',
  ])('may be %j', (text) => expect(parseTime(text)).toBe(parsed(text)))
})
