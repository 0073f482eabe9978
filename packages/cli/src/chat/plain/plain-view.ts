import type { Output } from '../../host.js'
import type { Chat } from '../chat.js'
import { openDialog } from '../dialog.js'
import type { ChatState, Dialog } from '../state.js'
import { takeAnswer } from '../take-answer.js'
import { answerOf, dialogText } from './dialog-text.js'
import { itemText } from './item-text.js'

/** Writes what happens in a chat as lines, and takes lines for it. */
export interface PlainView {
  /** Takes a line: an answer if something is asked, otherwise a message. */
  read(line: string): void
  /** Ctrl+C: stops an answer; true if it was pressed before, with nothing typed since. */
  interrupt(): boolean
}

export function createPlainView(chat: Chat, out: Output): PlainView {
  const { store } = chat
  let printed = 0
  let drawn = 0
  let asked: Dialog | undefined
  let isPrompted = false
  let typed = ''

  function show() {
    const state = store.get()
    if (state.drawn !== drawn) {
      drawn = state.drawn
      printed = 0
    }
    for (const item of state.items.slice(printed)) {
      // the terminal has shown it already
      if (item.type !== 'person' || item.text !== typed) out.line(itemText(item))
      isPrompted = false
    }
    printed = state.items.length
    ask(state)
  }

  function ask(state: ChatState) {
    const dialog = openDialog(state)
    if (dialog !== asked) {
      asked = dialog
      if (dialog) out.line(dialogText(dialog, Date.now()))
      isPrompted = false
    }
    if (isPrompted || (state.isRunning && !dialog)) return
    isPrompted = true
    out.write('> ')
  }

  function answer(dialog: Dialog, line: string) {
    const text = line.trim()
    if (dialog.type === 'hint') {
      if (text !== '') return chat.decide({ type: 'hint', text })
      return store.dispatch({ type: 'dialog', dialog: { ...dialog, type: 'loop', selected: 0 } })
    }
    const isList = dialog.type === 'sessions' || dialog.type === 'models'
    if (isList && text === '') return store.dispatch({ type: 'dialog', dialog: undefined })
    const option = answerOf(dialog, text, Date.now())
    if (option) return takeAnswer(chat, option.value, dialog)
    out.line('· type what stands at the beginning of one of the lines above')
    isPrompted = false
    show()
  }

  store.subscribe(show)
  show()
  return {
    interrupt() {
      const { isLeaving, isRunning } = store.get()
      if (isRunning) chat.stop()
      else if (isLeaving) return true
      else out.line('\n· press Ctrl+C again to leave')
      isPrompted = isRunning
      store.dispatch({ type: 'leaving', isLeaving: true })
      return false
    },
    read(line) {
      if (store.get().isLeaving) store.dispatch({ type: 'leaving', isLeaving: false })
      typed = line.trim()
      isPrompted = false
      const dialog = openDialog(store.get())
      if (dialog) return answer(dialog, line)
      if (typed === '') return show()
      chat.submit(line)
    },
  }
}
