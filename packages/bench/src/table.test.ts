import { expect, test } from 'vitest'
import { markdownTable, textTable } from './table.js'

const rows = [
  ['', 'count', 'remark'],
  ['one', '7', 'short'],
  ['another', '1,234', ''],
]

test('columns are aligned, numbers to the right', () => {
  expect(textTable(rows).split('\n')).toEqual([
    '         count  remark',
    '───────  ─────  ──────',
    'one          7  short',
    'another  1,234',
  ])
})

test('the same as Markdown', () => {
  expect(markdownTable(rows)).toBe(
    '|  | count | remark |\n| --- | ---: | --- |\n| one | 7 | short |\n| another | 1,234 |  |',
  )
})
