import { emitAnswer, emitResults } from '../anthropic-blocks.js'
import { isObject, type Json, listOf } from '../json.js'
import { requestIn } from '../person.js'
import { emitSpent } from '../spent.js'
import type { Emit } from '../stamp.js'
import { usageOf } from './claude-code.js'
import { defineMessages } from './messages.js'

// what no other list of messages has; without any of them it reads the same as OpenAI's
const BLOCKS = new Set([
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
  'server_tool_use',
])

/** Messages of Anthropic's API. */
export const anthropicMessages = defineMessages({
  name: 'anthropic-messages',
  title: 'Anthropic messages',
  keys: ['messages'],
  isMessage: (record) =>
    (record.role === 'user' || record.role === 'assistant') && 'content' in record,
  isCertain: (messages) =>
    messages.some(({ content }) =>
      listOf(content).some((block) => isObject(block) && BLOCKS.has(block.type as string)),
    ),
  start: () => emitMessage,
})

/** Tells the events of one message. */
export function emitMessage(message: Json, emit: Emit): void {
  if (message.role === 'user') {
    // what a program adds to an answer of a tool is not a request
    if (emitResults(message.content, emit)) return
    const text = requestIn(message.content)
    if (text !== undefined) emit({ type: 'prompt', text })
    return
  }
  if (message.role !== 'assistant') return
  emit({ type: 'turn-start' })
  emitAnswer(message.content, emit)
  emitSpent(emit, usageOf(message.usage))
}
