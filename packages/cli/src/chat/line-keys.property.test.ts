import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeyName } from './input/press.js'
import { createLineKeys } from './line-keys.js'
import { reduce } from './reduce.js'
import { startState } from './state.js'
import { createStore } from './store.js'

/** An editor as simple as can be: what is before the cursor, and what is behind it, character by character. */
interface Model {
  before: string[]
  behind: string[]
}

const WORD = /[\p{L}\p{N}]/u
const SPACE = /\s/

/** Takes characters from the end while they are as wanted. */
function takeEnd(list: string[], isWanted: (character: string) => boolean): string[] {
  const taken: string[] = []
  while (list.length > 0 && isWanted(list.at(-1) ?? '')) taken.unshift(list.pop() ?? '')
  return taken
}

function takeStart(list: string[], isWanted: (character: string) => boolean): string[] {
  const taken: string[] = []
  while (list.length > 0 && isWanted(list[0] ?? '')) taken.push(list.shift() ?? '')
  return taken
}

const isNewline = (character: string) => character === '\n'
const not = (test: (character: string) => boolean) => (character: string) => !test(character)
const isWord = (character: string) => WORD.test(character)
const isSpace = (character: string) => SPACE.test(character)

const wordBefore = ({ before }: Model) => {
  const rest = takeEnd(before, not(isWord))
  return [...takeEnd(before, isWord), ...rest]
}
const wordBehind = ({ behind }: Model) => [
  ...takeStart(behind, not(isWord)),
  ...takeStart(behind, isWord),
]
const lineBefore = ({ before }: Model) => takeEnd(before, not(isNewline))
const lineBehind = ({ behind }: Model) => takeStart(behind, not(isNewline))

const KEYS: Partial<Record<KeyName, (model: Model) => void>> = {
  left: (model) => model.behind.unshift(...model.before.splice(-1)),
  right: (model) => model.before.push(...model.behind.splice(0, 1)),
  'ctrl-b': (model) => model.behind.unshift(...model.before.splice(-1)),
  'ctrl-f': (model) => model.before.push(...model.behind.splice(0, 1)),
  backspace: (model) => model.before.pop(),
  delete: (model) => model.behind.shift(),
  home: (model) => model.behind.unshift(...lineBefore(model)),
  end: (model) => model.before.push(...lineBehind(model)),
  'ctrl-a': (model) => model.behind.unshift(...lineBefore(model)),
  'ctrl-e': (model) => model.before.push(...lineBehind(model)),
  'word-left': (model) => model.behind.unshift(...wordBefore(model)),
  'word-right': (model) => model.before.push(...wordBehind(model)),
  'backspace-word': wordBefore,
  'delete-word': wordBehind,
  'ctrl-u': lineBefore,
  'ctrl-k': lineBehind,
  'ctrl-w': ({ before }) => {
    takeEnd(before, isSpace)
    takeEnd(before, not(isSpace))
  },
  'ctrl-t': (model) => {
    if (model.behind.length === 0 || isNewline(model.behind[0] ?? '')) {
      const [a, b] = model.before.slice(-2)
      if (a === undefined || b === undefined || isNewline(a) || isNewline(b)) return
      model.before.splice(-2, 2, b, a)
      return
    }
    const a = model.before.at(-1)
    const [b = ''] = model.behind
    if (a === undefined || isNewline(a)) return
    model.before.splice(-1, 1, b, a)
    model.behind.shift()
  },
  unknown: () => {},
}

const characters = fc.constantFrom(
  'a',
  'B',
  '7',
  ' ',
  '\n',
  '.',
  '-',
  'é',
  '日',
  '😀',
  '👩‍👩‍👧',
  '🇩🇪',
)
const steps = fc.array(
  fc.oneof(
    fc.array(characters, { minLength: 1, maxLength: 6 }).map((texts) => ({ texts })),
    fc.constantFrom(...(Object.keys(KEYS) as KeyName[])).map((name) => ({ name })),
  ),
  { maxLength: 60 },
)

function openEditor() {
  const store = createStore(reduce, startState())
  const keys = createLineKeys(store)
  return { keys, editor: () => store.get().editor }
}

describe('keys that change a line', () => {
  it('do what they do in a simple editor', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { keys, editor } = openEditor()
        const model: Model = { before: [], behind: [] }
        for (const step of all) {
          if ('texts' in step) {
            keys.insert(step.texts.join(''))
            // two flags in a row are letters of one script, which have no borders by themselves
            model.before.push(...step.texts)
          } else {
            keys.press(step.name)
            KEYS[step.name]?.(model)
          }
          expect(editor()).toEqual({
            text: [...model.before, ...model.behind].join(''),
            cursor: model.before.join('').length,
          })
        }
      }),
      { numRuns: 300 },
    )
  })

  it('take back every change, one by one', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const { keys, editor } = openEditor()
        const texts = ['']
        for (const step of all) {
          if ('texts' in step) keys.insert(step.texts.join(''))
          else keys.press(step.name)
          if (editor().text !== texts.at(-1)) texts.push(editor().text)
        }
        while (texts.length > 0) {
          expect(editor().text).toBe(texts.pop())
          keys.press('undo')
        }
      }),
    )
  })

  it('put back what was removed in one go, whichever way', () => {
    const { keys, editor } = openEditor()
    keys.insert('one two three')
    keys.press('ctrl-w')
    keys.press('ctrl-w')
    keys.press('ctrl-y')
    expect(editor().text).toBe('one two three')
    keys.press('ctrl-a')
    keys.press('delete-word')
    keys.press('delete-word')
    keys.press('end')
    keys.press('ctrl-y')
    expect(editor().text).toBe(' threeone two')
    keys.press('ctrl-y')
    expect(editor().text).toBe(' threeone twoone two')
  })

  it('work in a megabyte', () => {
    const { keys, editor } = openEditor()
    keys.insert('x'.repeat(2 ** 20))
    keys.press('word-left')
    keys.press('word-right')
    keys.press('backspace-word')
    expect(editor().text).toBe('')
  })
})
