import type { Later } from './after-reading.js'
import { createAnswers } from './answers.js'
import type { Chat } from './chat.js'
import { openDialog } from './dialog.js'
import * as edit from './editor.js'
import { type KeyName, key, type Press } from './input/press.js'
import type { Dialog } from './state.js'

/** Does what keys mean, as many as came in one read. Everything they depend on is in the store. */
export function createKeys(chat: Chat, later?: Later): (presses: readonly Press[]) => void {
  const { store } = chat
  const { dispatch } = store
  const answers = createAnswers(chat, later)

  function press(press: Press, isAlone: boolean) {
    if (press.type === 'key' && press.name === 'ctrl-c') return interrupt()
    if (store.get().isLeaving) dispatch({ type: 'leaving', isLeaving: false })
    const dialog = openDialog(store.get())
    if (dialog && dialog.type !== 'hint') return answers.press(dialog, press, isAlone)
    if (press.type !== 'key') return write(press.text)
    switch (press.name) {
      case 'escape':
        return goBack(dialog)
      case 'enter':
        return send()
      case 'newline':
        return write('\n')
      case 'up':
        return vertical(-1)
      case 'down':
        return vertical(1)
      default: {
        const editor = EDITS[press.name]?.(store.get().editor)
        if (editor) dispatch({ type: 'edit', editor })
      }
    }
  }

  function interrupt() {
    answers.forget()
    const { isLeaving, isRunning } = store.get()
    if (isLeaving) return chat.leave()
    if (isRunning) chat.stop()
    dispatch({ type: 'leaving', isLeaving: true })
  }

  function goBack(dialog: Extract<Dialog, { type: 'hint' }> | undefined) {
    if (!dialog && store.get().isRunning) return chat.stop()
    dispatch({ type: 'edit', editor: edit.EMPTY })
    if (dialog) dispatch({ type: 'dialog', dialog: { ...dialog, type: 'loop', selected: 0 } })
  }

  function write(text: string) {
    dispatch({ type: 'edit', editor: edit.insert(store.get().editor, text) })
  }

  function send() {
    const { editor, dialog } = store.get()
    if (dialog?.type !== 'hint') return chat.submit(editor.text)
    const text = editor.text.trim()
    if (text === '') return
    dispatch({ type: 'edit', editor: edit.EMPTY })
    chat.decide({ type: 'hint', text })
  }

  function vertical(step: -1 | 1) {
    const { editor, past } = store.get()
    const cursor = edit.lineAway(step)(editor)
    if (cursor !== undefined) return dispatch({ type: 'edit', editor: { ...editor, cursor } })
    const recalled = edit.recall(past, editor, step)
    if (recalled) dispatch({ type: 'edit', ...recalled })
  }

  return (presses) => {
    const isAlone = presses.length === 1 || presses.every(isArrow)
    for (const each of withLineEnds(presses)) press(each, isAlone)
  }
}

/** Held down, or hit faster than we read. */
const isArrow = (press: Press) =>
  press.type === 'key' && (press.name === 'up' || press.name === 'down')

/** A line that arrives with its Enter is sent; lines with an Enter between them were pasted in a terminal that does not mark it. */
function withLineEnds(presses: readonly Press[]): readonly Press[] {
  const first = presses.findIndex((press) => press.type === 'key' && press.name === 'enter')
  const isPasted = first >= 0 && presses.slice(first).some(({ type }) => type === 'text')
  if (!isPasted) return presses
  return presses.map((press) =>
    press.type === 'key' && press.name === 'enter' ? key('newline') : press,
  )
}

/** What keys do that move or remove. */
const EDITS: Partial<Record<KeyName, (editor: edit.Editor) => edit.Editor>> = {
  left: (editor) => edit.move(editor, edit.left),
  right: (editor) => edit.move(editor, edit.right),
  home: (editor) => edit.move(editor, edit.lineStart),
  end: (editor) => edit.move(editor, edit.lineEnd),
  backspace: (editor) => edit.erase(editor, edit.left),
  delete: (editor) => edit.erase(editor, edit.right),
  'ctrl-a': (editor) => edit.move(editor, edit.lineStart),
  'ctrl-e': (editor) => edit.move(editor, edit.lineEnd),
  'ctrl-u': (editor) => edit.erase(editor, edit.lineStart),
  'ctrl-k': (editor) => edit.erase(editor, edit.lineEnd),
  'ctrl-w': (editor) => edit.erase(editor, edit.wordStart),
}
