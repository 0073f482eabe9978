import { isObject, type Json, listOf, objectOf, textOf } from './json.js'

/**
 * A message in the form of OpenAI's chat, of any that mean the same: LangChain's own, which say `type: 'ai'`, wrap what they say in `data`
 * or in `kwargs`; undefined if it is not a message.
 */
export function toChatMessage(record: Json): Json | undefined {
  if (typeof record.role === 'string') return record
  if (record.lc !== undefined && isObject(record.kwargs)) {
    const role = ROLES[textOf(listOf(record.id).at(-1)) ?? '']
    return role === undefined ? undefined : { ...record.kwargs, role }
  }
  const role = ROLES[textOf(record.type) ?? '']
  if (role === undefined) return
  return isObject(record.data) ? { ...record.data, role } : { ...record, role }
}

/** The model that gave an answer, where the answer says so. */
export function modelOf(record: Json): string | undefined {
  const { model, response_metadata } = toChatMessage(record) ?? record
  return textOf(model) ?? textOf(objectOf(response_metadata).model_name)
}

/** Content whose texts are all called `text`; AgentDojo calls them `content`. */
export function withTexts(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  return content.map((part) => {
    const { type, text, content: words } = objectOf(part)
    return type === 'text' && text === undefined && typeof words === 'string'
      ? { type, text: words }
      : part
  })
}

const ROLES: Record<string, string> = Object.assign(Object.create(null), {
  human: 'user',
  HumanMessage: 'user',
  HumanMessageChunk: 'user',
  ai: 'assistant',
  AIMessage: 'assistant',
  AIMessageChunk: 'assistant',
  tool: 'tool',
  ToolMessage: 'tool',
  system: 'system',
  SystemMessage: 'system',
})
