import { never } from '../never.js'
import { reduceEvent, settle } from './reduce-event.js'
import type { Action, ChatState, Dialog, Status } from './state.js'

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
        startedAt: action.at,
      })
    case 'queue':
      return { ...state, queued: action.queued }
    case 'status':
      return { ...state, status: action.status, dialog: withCost(state.dialog, action.status) }
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
    case 'complete':
      return { ...state, completion: action.completion }
    case 'search':
      return { ...state, search: action.search }
    case 'clear':
      return { ...state, items: action.items, drawn: state.drawn + 1 }
    case 'expand':
      return { ...state, isExpanded: !state.isExpanded, drawn: state.drawn + 1 }
    case 'redraw':
      return { ...state, drawn: state.drawn + 1 }
    default:
      return never(action)
  }
}

/** The screen may show another question by now, or one that was not read yet. */
const askAnew = (state: ChatState): ChatState => ({
  ...state,
  asked: { number: state.asked.number + 1, isListening: false },
})

/** A question about a loop says what the session has cost by then. */
function withCost(dialog: Dialog | undefined, { dollars }: Status): Dialog | undefined {
  if (dollars === undefined || (dialog?.type !== 'loop' && dialog?.type !== 'hint')) return dialog
  return { ...dialog, dollars }
}
