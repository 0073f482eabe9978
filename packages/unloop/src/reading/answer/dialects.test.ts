import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { dialectExamples } from '../../../test/dialect-examples.js'
import { readAnswer } from '../answer.js'
import { createLineSet } from '../line-set.js'
import { wordsOf } from '../words.js'
import { type Dialect, dialects } from './dialects.js'

const read = (text: string) =>
  readAnswer(text, false, wordsOf('tool', {}, 200), createLineSet()).answer

/** A sentence around a word of each kind, and what it must be read as. */
const SENTENCES: Partial<Record<keyof Dialect, [(word: string) => string, object]>> = {
  errors: [(word) => `${word}: the thing`, { claims: true }],
  hints: [(word) => `a response ${word} of it`, { claims: true }],
  outages: [(word) => `Error: ${word}`, { outage: true }],
  pending: [(word) => `the job is ${word} now`, { pending: true }],
  success: [(word) => `the thing is ${word}, not wrong`, { claims: false }],
  good: [(word) => word, { verdict: true, misses: false }],
  nothing: [(word) => word, { misses: true }],
  absent: [(word) => `no ${word} here`, { misses: true }],
  trouble: [(word) => `no ${word} here`, { verdict: true, misses: false }],
  no: [(word) => `${word} results were found`, { misses: true }],
  not: [(word) => `did ${word} find it`, { misses: true }],
  none: [(word) => `errors: ${word}`, { claims: false }],
  status: [(word) => `${word} 503`, { claims: true }],
}

/** Whether an entry is nothing but words, so that it can stand in any sentence. */
const isPlain = (entry: string) => /^[\p{L}_\d ]+$/u.test(entry)

/** An entry as a pattern: the signs that do not matter are any. */
const toPattern = (entry: string) =>
  new RegExp(
    entry
      .replace(/[^\p{L}_\d\s*$]/gu, (sign) => `\\${sign}`)
      .replace(/\*+/g, '[^]*?')
      .replace(/\$/g, '\\d+')
      .replace(/ /g, '\\W+'),
    'i',
  )

describe.each(Object.entries(dialects))('the dialect %s', (name, dialect) => {
  const { origin, examples } = dialectExamples[name] ?? { origin: '', examples: [] }
  const entries = Object.entries(dialect as Record<string, string>).flatMap(([kind, list]) =>
    list.split('|').map((entry) => [kind as keyof Dialect, entry] as const),
  )

  it('has an origin and examples', () => {
    expect(origin).not.toBe('')
    expect(examples).not.toEqual([])
  })

  if (examples.length > 0) {
    it.each(examples)('reads %j', (text, { body, page, ...reads }) => {
      const answer = read(text)
      expect(answer).toMatchObject(reads)
      if (body !== undefined) {
        const { print, news, words, lines } = read(body)
        expect(answer).toMatchObject({ print, news, words, lines })
      }
      if (page) expect(answer.screen).not.toBe(0)
    })
  }

  it.each(entries)('has %s: %j in an example or a sentence', (kind, entry) => {
    const sentence = SENTENCES[kind]
    if (sentence && isPlain(entry))
      return expect(read(sentence[0](entry))).toMatchObject(sentence[1])
    if (kind === 'counted') {
      expect(read(`in ${entry} 12 of it`).print).toBe(read(`in ${entry} 13 of it`).print)
    } else if (kind === 'units') {
      expect(read(`for 12 ${entry} of it`).print).toBe(read(`for 13 ${entry} of it`).print)
    } else expect(examples.some(([text]) => toPattern(entry).test(text))).toBe(true)
  })
})

it('has no examples of a dialect that is gone', () => {
  expect(Object.keys(dialectExamples)).toEqual(Object.keys(dialects))
})

it('has a page that lists the dialects, and the fields that are in use', () => {
  const page = readFileSync(new URL('../../../../../docs/dialects.md', import.meta.url), 'utf8')
  const listed = [...page.matchAll(/^\| `(\w+)` \| [\w ]/gm)].map(([, name]) => name)
  expect(listed.slice(0, Object.keys(dialects).length)).toEqual(Object.keys(dialects))
  for (const field of new Set(Object.values(dialects).flatMap(Object.keys))) {
    expect(page).toContain(`\`${field}\``)
  }
})
