import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { charactersOf, cut, widthOf, widthOfRow } from './columns.js'
import { type Row, span } from './row.js'
import { wrap } from './wrap.js'

const plain = (rows: readonly Row[]) => rows.map((row) => row.map(({ text }) => text).join(''))

const texts = fc.string({
  unit: fc.constantFrom(...'ab ., \n-', '日', '本', 'é', 'e\u0301', '👩‍👩‍👧', '🇩🇪', '한', '…'),
  maxLength: 80,
})

describe('wrapped text', () => {
  it('is broken between words', () => {
    expect(plain(wrap([span('one two three')], 8))).toEqual(['one two', 'three'])
    expect(plain(wrap([span('one two'), span(' three', 'bold')], 20))).toEqual(['one two three'])
  })

  it('keeps a word together, whatever its looks', () => {
    expect(plain(wrap([span('one tw'), span('o', 'bold'), span('!')], 6))).toEqual(['one', 'two!'])
  })

  it('breaks a long word where the row is full, and Chinese anywhere', () => {
    expect(plain(wrap([span('abcdefgh')], 3))).toEqual(['abc', 'def', 'gh'])
    expect(plain(wrap([span('我们看日本')], 4))).toEqual(['我们', '看日', '本'])
  })

  it('has its margin before each row', () => {
    const margin = { first: [span('> ')], rest: [span('  ')] }
    expect(plain(wrap([span('one two')], 6, margin))).toEqual(['> one', '  two'])
  })

  it('never takes more columns than there are, and loses nothing but spaces where it is broken', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 2, max: 40 }), (text, columns) => {
        const rows = wrap([span(text)], columns)
        for (const row of rows) expect(widthOfRow(row)).toBeLessThanOrEqual(columns)
        expect(plain(rows).join('').replace(/ /g, '')).toBe(text.replace(/[ \n]/g, ''))
      }),
    )
  })
})

describe('columns', () => {
  it('counts what a terminal shows', () => {
    expect(['abc', '日本', 'e\u0301', '👩‍👩‍👧', '🇩🇪', 'é'].map(widthOf)).toEqual([3, 4, 1, 2, 2, 1])
  })

  it('a row that is cut fits, and says that it was cut', () => {
    fc.assert(
      fc.property(texts, fc.integer({ min: 1, max: 30 }), (text, columns) => {
        const line = text.replaceAll('\n', ' ')
        const row = cut([span(line.slice(0, 7)), span(line.slice(7))], columns)
        expect(widthOfRow(row)).toBeLessThanOrEqual(columns)
        if (widthOf(line.slice(0, 7)) + widthOf(line.slice(7)) > columns) {
          expect(plain([row])[0]).toMatch(/…$/)
        } else expect(plain([row])[0]).toBe(line)
      }),
    )
  })

  it('a text is the sum of its characters', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(charactersOf(text).join('')).toBe(text)
      }),
    )
  })
})
