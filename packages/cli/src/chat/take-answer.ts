import { never } from '../never.js'
import type { Chat } from './chat.js'
import type { DialogValue } from './dialog.js'
import type { Dialog } from './state.js'

/** A dialog that is answered with one key. */
export type Question = Exclude<Dialog, { type: 'hint' }>

/** Does what was chosen in a dialog. */
export function takeAnswer(chat: Chat, value: DialogValue, question: Question): void {
  switch (value.type) {
    case 'choice':
      return chat.decide(value.choice)
    case 'ask-for-hint':
      if (question.type === 'loop') {
        const { selected: _, ...stuck } = question
        chat.store.dispatch({ type: 'dialog', dialog: { ...stuck, type: 'hint' } })
      }
      return
    case 'approve':
      return chat.approve(value.answer)
    case 'session':
      return chat.resumeSession(value.id)
    case 'model':
      return chat.chooseModel(value.name)
    case 'trust':
      return chat.trust(value.isTrusted)
    default:
      return never(value)
  }
}
