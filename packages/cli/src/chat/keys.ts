import type { Key } from 'ink'
import { never } from '../never.js'
import type { Chat } from './chat.js'
import { type DialogValue, openDialog, optionsOf } from './dialog.js'
import * as edit from './editor.js'
import type { Dialog } from './state.js'

/** Does what keys mean. Everything they depend on is in the store, since several may come in one read. */
export function createKeys(chat: Chat): (input: string, key: Key) => void {
  const { store } = chat
  const { dispatch } = store
  let isPasting = false

  function press(input: string, key: Key) {
    if (input === PASTE_START || input === PASTE_END) {
      isPasting = input === PASTE_START
      return
    }
    if (isPasting) return write(key.return ? '\n' : key.tab ? '\t' : input)
    for (const [part, partKey] of apart(input, key)) pressOne(part, partKey)
  }

  function pressOne(input: string, key: Key) {
    if (key.ctrl && input === 'c') return interrupt()
    if (store.get().isLeaving) dispatch({ type: 'leaving', isLeaving: false })
    const { isRunning } = store.get()
    const dialog = openDialog(store.get())
    if (dialog && dialog.type !== 'hint') return pressInDialog(dialog, input, key)
    if (key.escape) {
      if (dialog?.type === 'hint') return backToLoop(dialog)
      return isRunning ? chat.stop() : dispatch({ type: 'edit', editor: edit.EMPTY })
    }
    if (key.return) return key.meta ? write('\n') : send()
    if (key.upArrow || key.downArrow) return vertical(key.upArrow ? -1 : 1)
    const editor = edited(store.get().editor, input, key)
    if (editor) return dispatch({ type: 'edit', editor })
    if (key.ctrl || key.meta || key.tab) return
    // a line that arrives with its Enter is sent; one with an Enter inside was pasted
    const isSent = /^[^\r\n]+\r$/.test(input)
    write(isSent ? input.slice(0, -1) : input)
    if (isSent) send()
  }

  function interrupt() {
    const { isLeaving, isRunning } = store.get()
    if (isLeaving) return chat.leave()
    if (isRunning) chat.stop()
    dispatch({ type: 'leaving', isLeaving: true })
  }

  function write(input: string) {
    const text = input.replace(/\r\n?/g, '\n').replace(/[^\P{Cc}\n\t]/gu, '')
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

  function pressInDialog(dialog: Exclude<Dialog, { type: 'hint' }>, input: string, key: Key) {
    const options = optionsOf(dialog, Date.now())
    const { selected } = dialog
    if (key.escape) return refuse(dialog)
    if (key.upArrow || key.downArrow) {
      const step = key.upArrow ? -1 : 1
      const next = (selected + step + options.length) % options.length
      return dispatch({ type: 'dialog', dialog: { ...dialog, selected: next } })
    }
    const option = key.return ? options[selected] : options[Number(input[0]) - 1]
    if (option) take(option.value, dialog)
    // several keys of one read: the next ones are for what this one has led to
    if (input.length > 1) press(input.slice(1), input[1] === '\r' ? { ...key, return: true } : key)
  }

  function take(value: DialogValue, dialog: Dialog) {
    switch (value.type) {
      case 'choice':
        return chat.decide(value.choice)
      case 'ask-for-hint':
        if (dialog.type === 'loop') {
          const { selected: _, ...stuck } = dialog
          dispatch({ type: 'dialog', dialog: { ...stuck, type: 'hint' } })
        }
        return
      case 'approve':
        return chat.approve(value.answer)
      case 'session':
        return chat.resumeSession(value.index)
      default:
        return never(value)
    }
  }

  function refuse(dialog: Dialog) {
    if (dialog.type === 'loop') return chat.decide({ type: 'stop' })
    if (dialog.type === 'approval') return chat.approve('no')
    dispatch({ type: 'dialog', dialog: undefined })
  }

  function backToLoop(dialog: Extract<Dialog, { type: 'hint' }>) {
    dispatch({ type: 'edit', editor: edit.EMPTY })
    dispatch({ type: 'dialog', dialog: { ...dialog, type: 'loop', selected: 0 } })
  }

  return press
}

// what terminals put around pasted text when asked to, without the escape character
const PASTE_START = '[200~'
const PASTE_END = '[201~'

/** Keys that were hit faster than we read come as one text: Ctrl+C and backspace are taken out of it. */
function apart(input: string, key: Key): [string, Key][] {
  if (input.length < 2) return [[input, key]]
  return input
    .split(/([^\P{Cc}\r\n\t])/u)
    .filter((part) => part !== '')
    .map((part): [string, Key] => {
      if (!/^[^\P{Cc}\r\n\t]$/u.test(part)) return [part, key]
      if (part === '\x7f' || part === '\b') return ['', { ...key, backspace: true }]
      return [String.fromCharCode(part.charCodeAt(0) + 96), { ...key, ctrl: true }]
    })
}

/** The editor after a key that moves or removes; nothing for other keys. */
function edited(editor: edit.Editor, input: string, key: Key): edit.Editor | undefined {
  if (key.leftArrow) return edit.move(editor, edit.left)
  if (key.rightArrow) return edit.move(editor, edit.right)
  if (key.home) return edit.move(editor, edit.lineStart)
  if (key.end) return edit.move(editor, edit.lineEnd)
  // terminals send 0x7f for backspace, which Ink calls delete
  if (key.backspace || key.delete) return edit.erase(editor, edit.left)
  if (!key.ctrl) return
  if (input === 'a') return edit.move(editor, edit.lineStart)
  if (input === 'e') return edit.move(editor, edit.lineEnd)
  if (input === 'u') return edit.erase(editor, edit.lineStart)
  if (input === 'k') return edit.erase(editor, edit.lineEnd)
  if (input === 'w') return edit.erase(editor, edit.wordStart)
  return
}
