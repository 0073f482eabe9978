import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toPattern } from './pattern.js'

/** By the definition: a star is nothing, or a character and a star. */
function matches(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern[0] === '*')
    return matches(pattern.slice(1), text) || (text !== '' && matches(pattern, text.slice(1)))
  return text[0] === pattern[0] && matches(pattern.slice(1), text.slice(1))
}

const some = (letters: string, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...letters), maxLength })

it('means what it says', () => {
  fc.assert(
    fc.property(some('ab.**', 7), some('ab.*', 9), (pattern, text) => {
      expect(toPattern(pattern).test(text)).toBe(matches(pattern, text))
    }),
    { numRuns: 500 },
  )
})

it.each(['*/a*/b*/c*z', '*a*a*a*a*a*a*z', `${'*/'.repeat(500)}z`])(
  '%s is soon done with a long path',
  (pattern) => {
    expect(toPattern(pattern).test('/a/b/c'.repeat(11_000))).toBe(false)
  },
)
