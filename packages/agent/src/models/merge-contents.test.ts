import { expect, test } from 'vitest'
import { mergeContents } from './merge-contents.js'

test('contents of one role in a row become one', () => {
  const contents = [
    { role: 'user', parts: [1] },
    { role: 'model', parts: [2] },
    { role: 'user', parts: [3] },
    { role: 'user', parts: [4, 5] },
  ]
  expect(mergeContents(contents)).toEqual([
    { role: 'user', parts: [1] },
    { role: 'model', parts: [2] },
    { role: 'user', parts: [3, 4, 5] },
  ])
  expect(contents[2]?.parts).toEqual([3])
})
