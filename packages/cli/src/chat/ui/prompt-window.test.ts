import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { windowOf } from './prompt-window.js'
import { rowsOf } from './rows.js'

const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('\n', 'word '.repeat(50), '日'.repeat(90)),
    ),
  )
  .map((parts) => parts.join(''))

describe('the window of a text being written', () => {
  it('fits, has the cursor in it, and knows what is left out', () => {
    fc.assert(
      fc.property(
        text,
        fc.nat(),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 4, max: 60 }),
        (whole, place, rows, columns) => {
          let cursor = place % (whole.length + 1)
          if (/^[\udc00-\udfff]/.test(whole.slice(cursor))) cursor--
          const shown = windowOf({ text: whole, cursor }, rows, columns)
          expect(shown.above + shown.text.length + shown.below).toBe(whole.length)
          expect(whole.slice(shown.above, whole.length - shown.below)).toBe(shown.text)
          expect(shown.above + shown.cursor).toBe(cursor)
          expect(shown.cursor).toBeGreaterThanOrEqual(0)
          expect(shown.cursor).toBeLessThanOrEqual(shown.text.length)
          expect(rowsOf(shown.text, columns)).toBeLessThanOrEqual(rows)
        },
      ),
      { numRuns: 2000 },
    )
  })

  it('is the whole text where that fits', () => {
    expect(windowOf({ text: 'one\ntwo', cursor: 2 }, 2, 10)).toEqual({
      text: 'one\ntwo',
      cursor: 2,
      above: 0,
      below: 0,
    })
  })
})
