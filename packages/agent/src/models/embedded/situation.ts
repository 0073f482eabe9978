import { callsOf, type Message, type ResultPart, textOf } from '../../message.js'
import type { ModelRequest } from '../../model.js'

/** The conversation as the embedded model reads it. */
export interface Situation {
  /** the person's last request */
  ask: string
  /** turns it has taken since */
  turns: number
  /** the results of its last calls */
  results: readonly ResultPart[]
  /** whether the guard has had a word with it since */
  advised: boolean
  /** the system prompt, which says which agent it is */
  system: string
  /** the name it was given */
  model: string
}

/** Reads the situation off the messages. */
export function readSituation({ messages, system }: ModelRequest, model: string): Situation {
  const start = messages.findLastIndex((message) => message.role === 'user' && !message.from)
  const since = messages.slice(start + 1)
  const last = since.findLast(({ role }) => role === 'tool')
  return {
    ask: textOf(messages[start] ?? EMPTY).trim(),
    turns: since.filter(({ role }) => role === 'assistant').length,
    results: last?.role === 'tool' ? last.content : [],
    advised: since.some(isAdvice),
    system,
    model,
  }
}

const EMPTY: Message = { role: 'user', content: '' }

/** Advice comes as a message of the guard, or as the answer to a call that was not run. */
const isAdvice = (message: Message): boolean =>
  (message.role === 'user' && message.from === 'guard') ||
  (message.role === 'tool' &&
    message.content.some(({ isError, output }) => isError && output.startsWith('Not run.')))

/** An id no call in the conversation has. */
export const nextId = (messages: readonly Message[], index: number): string =>
  `call_${messages.reduce((count, message) => count + callsOf(message).length, 0) + index + 1}`
