import { expect, it } from 'vitest'
import { inColumns, widthOf } from './width.js'

it.each([
  ['plain', 5],
  ['日本', 4],
  ['한국어', 6],
  ['é', 1],
  ['👍', 2],
  ['שלום', 4],
])('%s takes %i columns', (text, width) => {
  expect(widthOf(text)).toBe(width)
})

it.each(['a', '日本語のとても長い名前', '👍👍👍👍👍👍👍', ''])(
  '%s fits into any column',
  (text) => {
    for (const side of ['left', 'right'] as const) {
      for (let columns = 1; columns < 12; columns++) {
        expect(widthOf(inColumns(text, columns, side))).toBe(columns)
      }
    }
  },
)
