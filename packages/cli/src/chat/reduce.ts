import { never } from '../never.js'
import { reduceEvent, settle } from './reduce-event.js'
import type { Action, ChatState } from './state.js'

/** The chat after something happened. */
export function reduce(state: ChatState, action: Action): ChatState {
  switch (action.type) {
    case 'client':
      return reduceEvent(state, action.event, action)
    case 'said':
      return { ...state, items: [...state.items, ...action.items] }
    case 'run':
      return askAnew({
        ...(action.isRunning ? state : settle(state)),
        isRunning: action.isRunning,
      })
    case 'status':
      return { ...state, status: action.status }
    case 'edit':
      return { ...state, editor: action.editor, past: action.past ?? state.past }
    case 'dialog':
      return askAnew({ ...state, dialog: action.dialog })
    case 'select': {
      const { dialog } = state
      if (!dialog || dialog.type === 'hint') return state
      return { ...state, dialog: { ...dialog, selected: action.selected } }
    }
    case 'typing':
      return askAnew(state)
    case 'listen': {
      const { number } = state.asked
      if (number !== action.number) return state
      return { ...state, asked: { number, isListening: true } }
    }
    case 'leaving':
      return { ...state, isLeaving: action.isLeaving }
    default:
      return never(action)
  }
}

/** The screen may show another question by now, or one that was not read yet. */
const askAnew = (state: ChatState): ChatState => ({
  ...state,
  asked: { number: state.asked.number + 1, isListening: false },
})
