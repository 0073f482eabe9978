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
      return { ...(action.isRunning ? state : settle(state)), isRunning: action.isRunning }
    case 'status':
      return { ...state, status: action.status }
    case 'edit':
      return { ...state, editor: action.editor, past: action.past ?? state.past }
    case 'dialog':
      return { ...state, dialog: action.dialog }
    case 'leaving':
      return { ...state, isLeaving: action.isLeaving }
    default:
      return never(action)
  }
}
