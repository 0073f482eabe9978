import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { printable } from '../../printable.js'
import { widthOf } from '../../width.js'
import { windowOf } from './prompt-window.js'

const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('\n', 'word '.repeat(50), '日'.repeat(90)),
    ),
  )
  .map((parts) => parts.join(''))

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

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
          const kept = whole.slice(shown.above, whole.length - shown.below)
          expect(shown.rows.map(({ text }) => text).join('')).toBe(kept.replaceAll('\n', ''))
          const at = shown.rows.findIndex((row) => row.cursor !== undefined)
          const { text = '', cursor: inRow = -1 } = shown.rows[at] ?? {}
          expect(inRow).toBeLessThanOrEqual(text.length)
          expect(whole.slice(cursor).startsWith(text.slice(inRow))).toBe(true)
          expect(shown.rows.filter((row) => row.cursor !== undefined)).toHaveLength(1)
          expect(shown.height).toBeLessThanOrEqual(rows)
          expect(shown.height > shown.rows.length).toBe(shown.above + shown.below > 0 && rows > 1)
          for (const row of shown.rows)
            if ([...graphemes.segment(row.text)].length > 1)
              expect(widthOf(printable(row.text.replace(/ $/, '')))).toBeLessThanOrEqual(columns)
        },
      ),
      { numRuns: 500 },
    )
  })

  it('is the whole text where that fits', () => {
    expect(windowOf({ text: 'one\ntwo', cursor: 2 }, 2, 10)).toEqual({
      rows: [{ text: 'one', cursor: 2 }, { text: 'two' }],
      height: 2,
      above: 0,
      below: 0,
    })
  })

  it('breaks between words', () => {
    const { rows } = windowOf({ text: 'one two  three-and-more 日本 x', cursor: 0 }, 9, 8)
    expect(rows.map(({ text }) => text)).toEqual(['one two  ', 'three-an', 'd-more ', '日本 x'])
  })

  it('begins its rows at the same places while the cursor moves within a long line', () => {
    const text = Array.from({ length: 5000 }, (_, index) =>
      String.fromCharCode(97 + (index % 26)),
    ).join('')
    const shown = new Set<string | undefined>()
    for (let cursor = 4000; cursor < 4020; cursor++)
      shown.add(
        windowOf({ text, cursor }, 5, 20).rows.find((row) => row.cursor !== undefined)?.text,
      )
    expect([...shown]).toEqual([text.slice(4000, 4020)])
  })
})
