import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isNamed } from './names.js'

describe('isNamed', () => {
  it.each([
    ['*preview*', 'gemini-3-pro-PREVIEW'],
    ['*PREVIEW*', 'preview'],
    ['gemini-2.5-*', 'gemini-2.5-pro'],
    ['gemini-*-preview', 'gemini-3-pro-preview'],
    ['*a*b*', 'xaxbx'],
    ['gpt-5, *preview*', 'gemini-3-pro-preview'],
    ['gpt-5, *preview*', 'gpt-5'],
    ['*', ''],
  ])('%j names %j', (names, name) => expect(isNamed(names, name)).toBe(true))

  it.each([
    ['', ''],
    ['', 'gpt-5'],
    [',', ''],
    ['preview', 'gemini-3-pro-preview'],
    ['gemini-2.5-*', 'gemini-2x5-pro'],
    ['ab*ba', 'aba'],
    ['*b*a*', 'ab'],
    ['a*b*b', 'ab'],
  ])('%j does not name %j', (names, name) => expect(isNamed(names, name)).toBe(false))

  it('agrees with the regular expression that it stands for', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 12 })
    fc.assert(
      fc.property(text, text, (names, name) => {
        const source = names.replaceAll('.', '\\.').replaceAll('*', '.*')
        expect(isNamed(names, name)).toBe(names !== '' && new RegExp(`^${source}$`).test(name))
      }),
    )
  })
})
