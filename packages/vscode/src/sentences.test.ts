import { expect, it } from 'vitest'
import { toSentence, toSentences } from './sentences.js'

it('ends a sentence once', () => {
  expect(['it failed', 'Nothing found.', 'why? ', 'and so on…'].map(toSentence)).toEqual([
    ...['it failed.', 'Nothing found.', 'why?', 'and so on…'],
  ])
  expect(toSentences('Nothing found.', 'Try again.')).toBe('Nothing found. Try again.')
  expect(toSentences('it failed', '')).toBe('it failed')
})
