import { expect, it } from 'vitest'
import { personWords } from './person.js'

it.each([
  ['Try another file', 'Try another file'],
  ['<system-reminder>Be kind.</system-reminder>', ''],
  ['<environment_context>\n<cwd>/x</cwd>\n</environment_context>\nGo on', 'Go on'],
  [
    '<system-reminder>a</system-reminder> Fix <b>this</b> <system-reminder>c</system-reminder>',
    'Fix',
  ],
  ['1 < 2 and <unclosed', '1 < 2 and <unclosed'],
  ['use <T> as the type', 'use <T> as the type'],
])('%j', (text, words) => expect(personWords(text)).toBe(words))

it('takes no longer for many tags', () => {
  expect(personWords('<a>'.repeat(1_000_000)).length).toBeLessThanOrEqual(20_000)
})
