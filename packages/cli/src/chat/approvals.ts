import type { Approve } from '@unloop/agent'
import { printable } from '../printable.js'
import { approvalDialog } from './dialog.js'
import type { Action, ChatState } from './state.js'
import type { Store } from './store.js'

/** Asks the person before a tool runs. */
export interface Approvals {
  ask: Approve
  /** What the person says to the question that is on the screen. */
  answer(answer: 'yes' | 'no' | 'always'): void
}

export function createApprovals({ get, dispatch }: Store<ChatState, Action>): Approvals {
  const trusted = new Set<string>()
  let settle: ((isAgreed: boolean) => void) | undefined
  return {
    async ask(approval, signal) {
      if (trusted.has(approval.call.name)) return true
      // a long one is shortened in the dialog, and nobody should agree to what they could not read
      dispatch({ type: 'said', items: [{ type: 'notice', text: printable(approval.question) }] })
      dispatch({ type: 'dialog', dialog: approvalDialog(approval) })
      const isAgreed = await new Promise<boolean>((resolve) => {
        settle = resolve
        signal.addEventListener('abort', () => resolve(false), { once: true })
      })
      dispatch({ type: 'dialog', dialog: undefined })
      return isAgreed
    },
    answer(answer) {
      const { dialog } = get()
      if (dialog?.type !== 'approval') return
      const { name } = dialog.approval.call
      if (answer === 'always') trusted.add(name)
      dispatch({ type: 'said', items: [{ type: 'choice', text: `${name}: ${answer}` }] })
      settle?.(answer !== 'no')
    },
  }
}
