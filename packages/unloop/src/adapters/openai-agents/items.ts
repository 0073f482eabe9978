import type { AgentEvent } from '../../event.js'
import { fromJsonText } from '../../reading/call-key.js'
import type { Any } from '../shared/any.js'
import { textOf } from '../shared/words.js'

export const toItems = (input: Any): Any[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : input

export const roleOf = ({ type, role = 'assistant' }: Any): string =>
  /_(?:result|output)$/.test(type) ? 'tool' : role

// what the SDK says to the model for a tool that has thrown
const FAILED = /^An error occurred while running the tool/

export const outputOf = ({ output }: Any) => output?.text ?? output

export const isFailed = (output: unknown): boolean =>
  typeof output === 'string' && FAILED.test(output)

/** What items of a history tell, as a pure function; handoffs are told when they happen. */
export const toEvents = (items: readonly Any[], handoffs: readonly string[] = []): AgentEvent[] =>
  items.flatMap((item): AgentEvent[] => {
    const { type, callId: id, name = type, arguments: json, action, operation } = item
    const role = roleOf(item)
    if (handoffs.includes(name)) return []
    if (role === 'tool') {
      const output = outputOf(item)
      return [{ type: 'tool-result', id, name, output, isError: isFailed(output) }]
    }
    const text = textOf(item.content) + textOf(item.rawContent)
    if (role === 'user') return [{ type: 'prompt', text }]
    if (role !== 'assistant') return []
    if (id !== undefined) {
      const args = json === undefined ? (action ?? operation) : fromJsonText(json)
      return [{ type: 'tool-call', id, name, args }]
    }
    return text ? [{ type: type === 'reasoning' ? type : 'text', text }] : []
  })

/** The words in a piece of a stream: text is the SDK's, thoughts are as the provider has them. */
export function toWord({ type, delta, event }: Any): (AgentEvent & { text: string }) | undefined {
  if (type === 'output_text_delta') return { type: 'text', text: delta }
  const { reasoning, reasoning_content } = event?.choices?.[0]?.delta ?? {}
  const thought = reasoning ?? reasoning_content
  const text = /reasoning[\w.]{0,40}delta$/.test(event?.type) ? event.delta : thought
  return typeof text === 'string' ? { type: 'reasoning', text } : undefined
}

/** An answer of ours; who goes on by the id of the last answer goes on from the one before. */
export const toResponse = (text: string, responseId?: string) => ({
  ...(responseId && { responseId }),
  // the SDK's trace adds up the details, too
  usage: {
    requests: 0,
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    inputTokensDetails: [],
    outputTokensDetails: [],
  },
  output: [
    {
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text }],
    },
  ],
})

export async function* lastEvents(words: string, id?: string) {
  yield { type: 'response_started' }
  yield { type: 'output_text_delta', delta: words }
  yield toDone(words, id)
}

export const toDone = (text: string, id = 'unloop') => ({
  type: 'response_done',
  response: { id, ...toResponse(text) },
})
