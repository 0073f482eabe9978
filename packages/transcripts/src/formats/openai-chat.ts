import { outputOf } from '../anthropic-blocks.js'
import { modelOf, toChatMessage, withTexts } from '../chat-message.js'
import { argsOf, isObject, type Json, listOf, objectOf, textOf } from '../json.js'
import { requestIn } from '../person.js'
import { count, emitSpent, type Spent, spent } from '../spent.js'
import type { Emit } from '../stamp.js'
import { defineMessages } from './messages.js'

const ROLES = new Set(['system', 'developer', 'user', 'assistant', 'tool', 'function'])

/** Messages of OpenAI's Chat Completions, which many others speak as well. */
export const openaiChat = defineMessages({
  name: 'openai-chat',
  title: 'OpenAI chat messages',
  keys: ['messages'],
  isMessage: (record) => {
    const message = toChatMessage(record)
    return (
      message !== undefined &&
      ROLES.has(message.role as string) &&
      ('content' in message || 'tool_calls' in message || 'function_call' in message)
    )
  },
  start: () => emitChat,
})

/** Tells the events of one chat message. */
export function emitChat(record: Json, emit: Emit): void {
  const message = toChatMessage(record) ?? record
  switch (message.role) {
    case 'user': {
      const text = requestIn(withTexts(message.content))
      if (text !== undefined) emit({ type: 'prompt', text })
      return
    }
    case 'assistant':
      return emitAssistant(message, emit)
    case 'tool':
    case 'function': {
      const id = textOf(message.tool_call_id)
      const name = textOf(message.name)
      const error = textOf(message.error)
      emit({
        type: 'tool-result',
        output: error ?? outputOf(withTexts(message.content)),
        ...(id && { id }),
        ...(name && { name }),
        // LangChain and AgentDojo say so; the format itself has no flag
        ...((error || message.status === 'error') && { isError: true }),
      })
    }
  }
}

function emitAssistant(message: Json, emit: Emit): void {
  emit({ type: 'turn-start' })
  const thought = textOf(message.reasoning_content) ?? textOf(message.reasoning)
  if (thought) emit({ type: 'reasoning', text: thought })
  const content = withTexts(message.content)
  const texts = typeof content === 'string' ? [content] : textsOf(content)
  for (const text of texts) if (text !== '') emit({ type: 'text', text })
  for (const call of listOf(message.tool_calls)) if (isObject(call)) emitCall(call, emit)
  if (isObject(message.function_call)) emitCall({ function: message.function_call }, emit)
  emitSpent(emit, spentOn(message), undefined, modelOf(message))
}

/** What a chat message took, as OpenAI or LangChain says it. */
function spentOn(message: Json): Spent {
  const { input_tokens: input, output_tokens: output, ...more } = objectOf(message.usage_metadata)
  if (input !== undefined) {
    const { cache_read: cached, cache_creation: written } = objectOf(more.input_token_details)
    return { ...spent(input, cached, output), written: count(written) }
  }
  return usageOf(message.usage)
}

/** The `usage` of Chat Completions or of Responses; LiteLLM adds what was written to a cache. */
export function usageOf(value: unknown): Spent {
  const usage = objectOf(value)
  const details = objectOf(usage.prompt_tokens_details ?? usage.input_tokens_details)
  const input = usage.prompt_tokens ?? usage.input_tokens
  const written = details.cache_creation_tokens ?? usage.cache_creation_input_tokens
  return {
    ...spent(input, details.cached_tokens, usage.completion_tokens ?? usage.output_tokens),
    written: count(written),
  }
}

function emitCall(call: Json, emit: Emit): void {
  // AgentDojo has the name in place of the function
  const named: Json | undefined = textOf(call.function)
    ? { ...call, name: call.function }
    : undefined
  const { name, ...more } = named ?? objectOf(call.function ?? call.custom ?? call)
  const args = more.arguments ?? more.args ?? more.input
  const called = textOf(name)
  const id = textOf(call.id)
  if (!called) return
  emit({ type: 'tool-call', name: called, args: argsOf(args), ...(id && { id }) })
}

const textsOf = (content: unknown): string[] =>
  listOf(content).flatMap((part) => {
    const text = textOf(objectOf(part).text) ?? textOf(objectOf(part).refusal)
    return text === undefined ? [] : [text]
  })
