import { randomUUID } from 'node:crypto'

/** A message that was sent while the agent was busy. */
export interface WaitingMessage {
  id: string
  text: string
}

/** Messages that are sent one after another, once the agent is free. */
export function createWaiting(onChange: (messages: readonly WaitingMessage[]) => void) {
  let messages: readonly WaitingMessage[] = []

  function set(next: readonly WaitingMessage[]) {
    if (next.length === messages.length) return
    messages = next
    onChange(messages)
  }

  return {
    get messages() {
      return messages
    },
    add: (text: string) => set([...messages, { id: randomUUID(), text }]),
    remove: (id: string) => set(messages.filter((message) => message.id !== id)),
    /** The text of the first one, which no longer waits. */
    next(): string | undefined {
      const [first, ...others] = messages
      set(others)
      return first?.text
    },
    /** All that wait, as one text; nothing waits any more. */
    takeAll(): string {
      const text = messages.map((message) => message.text).join('\n\n')
      set([])
      return text
    },
  }
}
