import { randomUUID } from 'node:crypto'
import type { Approve } from '@unloop/agent'
import type { Chat } from './chat/chat.js'

/** What tools ask before they run: a question in the chat, and the person's answer to it. */
export function createQuestions(chat: Chat) {
  const waiting = new Map<string, (isAgreed: boolean) => void>()

  function answer(id: string, isAgreed: boolean): void {
    waiting.get(id)?.(isAgreed)
    waiting.delete(id)
    chat.answer(id, isAgreed)
  }

  const approve: Approve = ({ call, question }, signal) => {
    const id = randomUUID()
    chat.add({ type: 'question', id, tool: call.name, question })
    return new Promise((resolve) => {
      waiting.set(id, resolve)
      signal.addEventListener('abort', () => answer(id, false), { once: true })
    })
  }

  return { answer, approve }
}
