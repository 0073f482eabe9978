import type { AgentEvent } from '../../event.js'
import type { Any } from '../shared/any.js'
import { textOf } from '../shared/words.js'

/** What a history tells, as a pure function of it. */
export const toEvents = (messages: readonly Any[]): AgentEvent[] =>
  messages.flatMap(({ role, content }): AgentEvent[] => {
    const parts: Any[] = content?.parts ?? []
    if (role === 'user') return [{ type: 'prompt', text: wordsOf(content) }]
    return role === 'assistant' ? parts.flatMap(toPart) : []
  })

/** The words of a message. */
export const wordsOf = (content: Any): string => content?.content || textOf(content?.parts)

function toPart({ type, text, reasoning = text, toolInvocation }: Any): AgentEvent[] {
  if (type === 'text' && text) return [{ type, text }]
  if (type === 'reasoning' && reasoning) return [{ type, text: reasoning }]
  if (type !== 'tool-invocation') return []
  const { toolCallId: id, toolName: name, args, state, result: output } = toolInvocation
  const call: AgentEvent = { type: 'tool-call', id, name, args }
  return state === 'result' ? [call, { type: 'tool-result', id, name, output }] : [call]
}

/** The thread that a run belongs to, if it has one. */
export function threadOf(requestContext: Any, memory: Any): string | undefined {
  const read = (key: string) => requestContext?.get?.(key)
  const thread = memory?.thread ?? read('MastraMemory')?.thread
  return read('mastra__threadId') ?? thread?.id ?? thread
}
