import { outputOf } from '../anthropic-blocks.js'
import { argsOf, isObject, type Json, listOf, objectOf, textOf } from '../json.js'
import { requestIn } from '../person.js'
import { emitSpent, spent } from '../spent.js'
import type { Emit } from '../stamp.js'
import { defineMessages } from './messages.js'

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** Messages of OpenAI's Chat Completions, which many others speak as well. */
export const openaiChat = defineMessages({
  name: 'openai-chat',
  title: 'OpenAI chat messages',
  keys: ['messages'],
  isMessage: (record) =>
    ROLES.has(record.role as string) &&
    ('content' in record || 'tool_calls' in record || 'function_call' in record),
  start: () => emitChat,
})

/** Tells the events of one chat message. */
export function emitChat(message: Json, emit: Emit): void {
  switch (message.role) {
    case 'user': {
      const text = requestIn(message.content)
      if (text !== undefined) emit({ type: 'prompt', text })
      return
    }
    case 'assistant':
      return emitAssistant(message, emit)
    case 'tool':
    case 'function': {
      const id = textOf(message.tool_call_id)
      const name = textOf(message.name)
      emit({
        type: 'tool-result',
        output: outputOf(message.content),
        ...(id && { id }),
        ...(name && { name }),
        // LangChain says so; the format itself has no flag
        ...(message.status === 'error' && { isError: true }),
      })
    }
  }
}

function emitAssistant(message: Json, emit: Emit): void {
  emit({ type: 'turn-start' })
  const thought = textOf(message.reasoning_content) ?? textOf(message.reasoning)
  if (thought) emit({ type: 'reasoning', text: thought })
  const texts = typeof message.content === 'string' ? [message.content] : textsOf(message.content)
  for (const text of texts) if (text !== '') emit({ type: 'text', text })
  for (const call of listOf(message.tool_calls)) if (isObject(call)) emitCall(call, emit)
  if (isObject(message.function_call)) emitCall({ function: message.function_call }, emit)
  const usage = objectOf(message.usage)
  const cached = objectOf(usage.prompt_tokens_details).cached_tokens
  emitSpent(emit, spent(usage.prompt_tokens, cached, usage.completion_tokens))
}

function emitCall(call: Json, emit: Emit): void {
  const { name, arguments: args, input } = objectOf(call.function ?? call.custom ?? call)
  const called = textOf(name)
  const id = textOf(call.id)
  if (!called) return
  emit({ type: 'tool-call', name: called, args: argsOf(args ?? input), ...(id && { id }) })
}

const textsOf = (content: unknown): string[] =>
  listOf(content).flatMap((part) => {
    const text = textOf(objectOf(part).text) ?? textOf(objectOf(part).refusal)
    return text === undefined ? [] : [text]
  })
