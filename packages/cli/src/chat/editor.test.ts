import { describe, expect, it } from 'vitest'
import * as edit from './editor.js'

const at = (text: string, cursor = text.length): edit.Editor => ({ text, cursor })

describe('the editor', () => {
  it('moves and erases by what a reader takes for one character', () => {
    const family = '👩‍👩‍👧'
    expect(edit.erase(at(`a${family}`), edit.left)).toEqual(at('a'))
    expect(edit.move(at(`日${family}`, 1), edit.right).cursor).toBe(1 + family.length)
    expect(edit.move(at('e\u0301'), edit.left).cursor).toBe(0)
  })

  it('inserts at the cursor, and erases words and lines', () => {
    expect(edit.insert(at('ad', 1), 'bc')).toEqual(at('abcd', 3))
    expect(edit.erase(at('one two  '), edit.wordStart)).toEqual(at('one '))
    expect(edit.erase(at('one\ntwo'), edit.lineStart)).toEqual(at('one\n'))
    expect(edit.erase(at('one\ntwo', 1), edit.lineEnd)).toEqual({ text: 'o\ntwo', cursor: 1 })
  })

  it('stays on an empty first line', () => {
    expect(edit.move(at('\nx', 0), edit.lineStart).cursor).toBe(0)
    expect(edit.lineAway(1)(at('\nx', 0))).toBe(1)
    expect(edit.lineAway(-1)(at('\nx', 0))).toBeUndefined()
  })

  it('goes up and down within a text of several lines, and no further', () => {
    const text = 'one\nlonger\nx'
    expect(edit.lineAway(-1)(at(text, 9))).toBe(3)
    expect(edit.lineAway(1)(at(text, 9))).toBe(12)
    expect(edit.lineAway(-1)(at(text, 2))).toBeUndefined()
    expect(edit.lineAway(1)(at(text))).toBeUndefined()
  })

  it('recalls what was sent, and the draft after it', () => {
    let past = ['first', 'second', 'second'].reduce(edit.remember, edit.NO_PAST)
    expect(past.sent).toEqual(['first', 'second'])
    let editor = at('draft')
    const go = (step: -1 | 1) => {
      const next = edit.recall(past, editor, step)
      if (next) ({ past, editor } = next)
      return editor.text
    }
    expect([go(-1), go(-1), go(-1), go(1), go(1), go(1)]).toEqual([
      'second',
      'first',
      'first',
      'second',
      'draft',
      'draft',
    ])
  })

  it('moves over characters of any length, and never into one of two code units', () => {
    const long = `e${'\u0301'.repeat(5000)}`
    expect(edit.move(at('ab'), edit.right).cursor).toBe(2)
    for (const motion of [edit.left, edit.right]) {
      let editor = at(`${long}😀${'🇩🇪'.repeat(600)}x`, motion === edit.left ? undefined : 0)
      for (let steps = 0; steps < 700; steps++) {
        const { text, cursor } = editor
        expect(/[\ud800-\udbff]$/.test(text.slice(Math.max(0, cursor - 1), cursor))).toBe(false)
        editor = edit.move(editor, motion)
      }
      expect(editor.cursor).toBe(motion === edit.left ? 0 : editor.text.length)
    }
  })

  it('keeps flags whole in a row of them', () => {
    const flags = '🇩🇪'.repeat(1000)
    expect(edit.erase(at(flags), edit.left).text).toBe('🇩🇪'.repeat(999))
  })
})
