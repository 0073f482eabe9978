import type { Later } from './after-reading.js'
import { createAnswers } from './answers.js'
import type { Chat } from './chat.js'
import { createCompletionKeys } from './complete/keys.js'
import { openDialog } from './dialog.js'
import * as edit from './editor.js'
import { createLineReader } from './input/line-reader.js'
import type { KeyName, Press } from './input/press.js'
import { createLineKeys } from './line-keys.js'
import { createSearchKeys } from './search-keys.js'
import type { Dialog } from './state.js'

export interface KeysOptions {
  later?: Later
  /** Ctrl+Z */
  onSuspend?(): void
}

/** Does what keys mean, as many as came in one read. Everything they depend on is in the store. */
export function createKeys(
  chat: Chat,
  { later, onSuspend }: KeysOptions = {},
): (presses: readonly Press[]) => void {
  const { store } = chat
  const { dispatch } = store
  const answers = createAnswers(chat, later)
  const completion = createCompletionKeys(chat)
  const search = createSearchKeys(chat)
  const line = createLineKeys(store)

  function press(press: Press, isAlone: boolean) {
    if (press.type === 'key' && press.name === 'ctrl-c') return interrupt()
    if (store.get().isLeaving) dispatch({ type: 'leaving', isLeaving: false })
    if (press.type === 'key' && isForScreen(press.name)) return
    const dialog = openDialog(store.get())
    if (dialog && dialog.type !== 'hint') return answers.press(dialog, press, isAlone)
    if (!dialog && (search.press(press) || completion.press(press))) return
    write(press, dialog)
    if (!dialog) completion.update(press)
  }

  function write(press: Press, dialog: Extract<Dialog, { type: 'hint' }> | undefined) {
    if (press.type !== 'key') return line.insert(press.text)
    switch (press.name) {
      case 'escape':
        return goBack(dialog)
      case 'enter':
        return send()
      case 'newline':
        return line.insert('\n')
      case 'up':
      case 'ctrl-p':
        return vertical(-1)
      case 'down':
      case 'ctrl-n':
        return vertical(1)
      case 'ctrl-d':
        if (store.get().editor.text === '' && !dialog) return chat.leave()
        return line.press('delete')
      default:
        return line.press(press.name)
    }
  }

  /** Keys that mean the same wherever they are pressed. */
  function isForScreen(name: KeyName): boolean {
    if (name === 'ctrl-l') dispatch({ type: 'redraw' })
    else if (name === 'ctrl-o') dispatch({ type: 'expand' })
    else if (name === 'ctrl-z') onSuspend?.()
    else return false
    return true
  }

  function interrupt() {
    answers.forget()
    dispatch({ type: 'search', search: undefined })
    dispatch({ type: 'complete', completion: undefined })
    const { isLeaving, isRunning } = store.get()
    if (isLeaving) return chat.leave()
    if (isRunning) chat.stop()
    dispatch({ type: 'leaving', isLeaving: true })
  }

  function goBack(dialog: Extract<Dialog, { type: 'hint' }> | undefined) {
    if (!dialog && store.get().isRunning) return chat.stop()
    line.clear()
    if (dialog) dispatch({ type: 'dialog', dialog: { ...dialog, type: 'loop', selected: 0 } })
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
    const { editor, past, queued } = store.get()
    const cursor = edit.lineAway(step)(editor)
    if (cursor !== undefined) return dispatch({ type: 'edit', editor: { ...editor, cursor } })
    const waiting = queued.at(-1)
    if (step < 0 && waiting !== undefined && editor.text === '') {
      dispatch({ type: 'queue', queued: queued.slice(0, -1) })
      return dispatch({ type: 'edit', editor: { text: waiting, cursor: waiting.length } })
    }
    const recalled = edit.recall(past, editor, step)
    if (recalled) dispatch({ type: 'edit', ...recalled })
  }

  const readLines = createLineReader(later)

  return (presses) => {
    const isAlone = presses.length === 1 || presses.every(isArrow)
    for (const each of readLines(presses)) press(each, isAlone)
  }
}

/** Held down, or hit faster than we read. */
const isArrow = (press: Press) =>
  press.type === 'key' && (press.name === 'up' || press.name === 'down')
