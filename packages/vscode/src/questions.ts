import { randomUUID } from 'node:crypto'
import type { Approve } from '@unloop/agent'
import type { Chat } from './chat/chat.js'

interface Waiting {
  /** id of the call that waits */
  call: string
  scopes: readonly string[]
  resolve(isAgreed: boolean): void
}

/** What tools ask before they run: a question in the chat, and the person's answer to it. */
export function createQuestions(
  chat: Chat,
  onChange: (asked?: { tool: string; index: number }) => void,
) {
  const waiting = new Map<string, Waiting>()
  const granted = new Set<string>()

  /** Ends a question, by the person's answer or without one. */
  function settle(id: string, isAgreed: boolean, isCancelled = false): void {
    const question = waiting.get(id)
    if (!question) return
    waiting.delete(id)
    chat.answer(id, isAgreed, isCancelled)
    chat.setCall(question.call, 'running')
    question.resolve(isAgreed)
    onChange()
  }

  const approve: Approve = ({ call, question, scopes }, signal) => {
    if (scopes.length > 0 && scopes.every((scope) => granted.has(scope))) {
      return Promise.resolve(true)
    }
    const id = randomUUID()
    chat.setCall(call.id, 'waiting')
    const index = chat.add({ type: 'question', id, tool: call.name, question, scopes })
    const answered = new Promise<boolean>((resolve) => {
      waiting.set(id, { call: call.id, scopes, resolve })
      signal.addEventListener('abort', () => settle(id, false, true), { once: true })
    })
    onChange({ tool: call.name, index })
    return answered
  }

  return {
    get count() {
      return waiting.size
    },
    /** The person's answer; `isForGood` grants it for the rest of the chat. */
    answer(id: string, isAgreed: boolean, isForGood = false) {
      const { scopes = [] } = waiting.get(id) ?? {}
      if (isAgreed && isForGood) for (const scope of scopes) granted.add(scope)
      settle(id, isAgreed)
    },
    approve,
    /** What was granted counts no longer: another chat begins. */
    forget: () => granted.clear(),
  }
}
