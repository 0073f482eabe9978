import { describe, expect, it } from 'vitest'
import * as edit from '../src/chat/editor.js'
import { windowOf } from '../src/chat/ui/prompt-window.js'

const at = (text: string, cursor = text.length): edit.Editor => ({ text, cursor })

describe('in a text of a megabyte', () => {
  const texts: Record<string, (length: number) => string> = {
    'of one word': (length) => 'x'.repeat(length),
    'of one space': (length) => ' '.repeat(length),
    'of lines': (length) => 'some words in a line\n'.repeat(length / 21),
    'of line ends': (length) => '\n'.repeat(length),
    'of emoji': (length) => '👩‍👩‍👧'.repeat(length / 8),
    'of accents': (length) => '\u0301'.repeat(length),
  }
  const keys: Record<string, (editor: edit.Editor) => unknown> = {
    left: edit.left,
    right: edit.right,
    'start of the line': edit.lineStart,
    'end of the line': edit.lineEnd,
    'start of the word': edit.wordStart,
    up: edit.lineAway(-1),
    down: edit.lineAway(1),
    backspace: (editor) => edit.erase(editor, edit.left).text.charCodeAt(0),
    'Ctrl+W': (editor) => edit.erase(editor, edit.wordStart).text.charCodeAt(0),
    'a letter': (editor) => edit.insert(editor, 'x').text.charCodeAt(0),
    drawing: (editor) => windowOf(editor, 20, 100),
  }
  const cases = Object.keys(texts).flatMap((text) => Object.keys(keys).map((key) => [text, key]))

  it.each(cases)('%s: %s takes no more than in proportion', (text, key) => {
    const timeOf = (length: number) => {
      const whole = texts[text]?.(length) ?? ''
      const editors = [whole.length, whole.length >> 1].map((cursor) => at(whole, cursor))
      return fastest(() => {
        for (const editor of editors) keys[key]?.(editor)
      })
    }
    // four times as long for what a busy machine adds; quadratic work would be 256 times as much
    expect(timeOf(2 ** 20)).toBeLessThan(4 * 16 * timeOf(2 ** 16) + 20)
  })
})

/** The milliseconds of the fastest of some runs. */
function fastest(run: () => void): number {
  return Math.min(
    ...Array.from({ length: 5 }, () => {
      const start = performance.now()
      run()
      return performance.now() - start
    }),
  )
}
