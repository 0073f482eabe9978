import type { Approval, Approve } from '@unloop/agent'
import { printable } from '../printable.js'
import { approvalDialog } from './dialog.js'
import type { Action, ChatState } from './state.js'
import type { Store } from './store.js'

/** Asks the person before a tool runs. */
export interface Approvals {
  ask: Approve
  /** What the person says to the question that is on the screen. */
  answer(answer: 'yes' | 'no' | 'always'): void
  /** Another conversation begins, in which nothing was allowed yet. */
  forget(): void
}

export function createApprovals({ get, dispatch }: Store<ChatState, Action>): Approvals {
  const granted = new Set<string>()
  let settle: ((isAgreed: boolean) => void) | undefined

  function say(text: string) {
    dispatch({ type: 'said', items: [{ type: 'choice', text: printable(text) }] })
  }

  return {
    async ask(approval, signal) {
      if (approval.scopes.every((scope) => granted.has(keyOf(approval, scope)))) return true
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
      const { approval, scopes } = dialog
      if (answer === 'always') for (const scope of scopes) granted.add(keyOf(approval, scope))
      say(
        answer === 'always'
          ? `always allowed in this chat: ${scopes.join(', ')}`
          : `${approval.call.name}: ${answer}`,
      )
      settle?.(answer !== 'no')
    },
    forget: () => granted.clear(),
  }
}

/** A command may be called like a tool, and has nothing to do with it. */
const keyOf = ({ call }: Approval, scope: string) => JSON.stringify([call.name, scope])
