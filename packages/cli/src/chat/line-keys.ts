import * as edit from './editor.js'
import type { KeyName } from './input/press.js'
import type { Action, ChatState } from './state.js'
import type { Store } from './store.js'

/** Keys that change the text being written, as in a shell. */
export interface LineKeys {
  insert(text: string): void
  press(name: KeyName): void
  /** Removes all of it, so that it can be put back. */
  clear(): void
}

// more steps than anyone takes back
const MOST_UNDONE = 100

export function createLineKeys({ get, dispatch }: Store<ChatState, Action>): LineKeys {
  /** what was removed last, for Ctrl+Y; what is removed in one go is one text */
  let killed = ''
  let lastKill: edit.Editor | undefined
  let before: edit.Editor[] = []

  function change(editor: edit.Editor) {
    const now = get().editor
    if (editor.text !== now.text) before = [...before.slice(1 - MOST_UNDONE), now]
    dispatch({ type: 'edit', editor })
  }

  function kill({ motion, isForward }: Kill) {
    const { editor } = get()
    const text = edit.span(editor, motion)
    if (text === '') return
    const kept = lastKill === editor ? killed : ''
    killed = isForward ? kept + text : text + kept
    change(edit.erase(editor, motion))
    lastKill = get().editor
  }

  function undo() {
    const last = before.pop()
    if (last) dispatch({ type: 'edit', editor: last })
  }

  function clear() {
    const { text } = get().editor
    if (text === '') return
    killed = text
    change(edit.EMPTY)
  }

  return {
    clear,
    insert: (text) => change(edit.insert(get().editor, text)),
    press(name) {
      if (name === 'undo') return undo()
      if (name === 'ctrl-y') return change(edit.insert(get().editor, killed))
      const killing = KILLS[name]
      if (killing) return kill(killing)
      const editor = EDITS[name]?.(get().editor)
      if (editor) change(editor)
    },
  }
}

interface Kill {
  motion: edit.Motion
  isForward?: boolean
}

/** What keys remove so that it can be put back. */
const KILLS: Partial<Record<KeyName, Kill>> = {
  'ctrl-u': { motion: edit.lineStart },
  'ctrl-k': { motion: edit.lineEnd, isForward: true },
  'ctrl-w': { motion: edit.wordStart },
  'backspace-word': { motion: edit.wordLeft },
  'delete-word': { motion: edit.wordRight, isForward: true },
}

/** What keys do that move or remove. */
const EDITS: Partial<Record<KeyName, (editor: edit.Editor) => edit.Editor>> = {
  left: (editor) => edit.move(editor, edit.left),
  right: (editor) => edit.move(editor, edit.right),
  'ctrl-b': (editor) => edit.move(editor, edit.left),
  'ctrl-f': (editor) => edit.move(editor, edit.right),
  'word-left': (editor) => edit.move(editor, edit.wordLeft),
  'word-right': (editor) => edit.move(editor, edit.wordRight),
  home: (editor) => edit.move(editor, edit.lineStart),
  end: (editor) => edit.move(editor, edit.lineEnd),
  'ctrl-a': (editor) => edit.move(editor, edit.lineStart),
  'ctrl-e': (editor) => edit.move(editor, edit.lineEnd),
  backspace: (editor) => edit.erase(editor, edit.left),
  delete: (editor) => edit.erase(editor, edit.right),
  'ctrl-t': edit.transpose,
}
