import type { AgentEvent } from '../event.js'
import { type Any, type Dialect, textOf, toUsage } from './exchange.js'
import { lists, toData, toSeconds } from './openai-chat.js'

/** OpenAI's Responses. */
export const responses: Dialect = {
  ...lists,

  answer: ({ output, usage }) => [...output.flatMap(toEvents), toSpent(usage)],

  stream() {
    const items: Any[] = []
    let response: Any
    let index = 0
    let said = ''
    return {
      read({ type, delta, item, output_index, response: whole }) {
        if (whole) {
          response = whole
          return whole.usage ? [toSpent(whole.usage)] : []
        }
        if (item) {
          index = output_index
          items[index] = item
          if (/done$/.test(type)) return toEvents(item).filter(({ type }) => type === 'tool-call')
          said = ''
        }
        const [, kind] = /(\w+)_text\.delta$/.exec(type) ?? []
        if (kind === 'output') said += delta
        return kind ? [{ type: kind === 'output' ? 'text' : 'reasoning', text: delta }] : []
      },
      end() {
        const { type, id } = items[index] ?? {}
        if (type === 'message') items[index] = toMessage(id, said)
        return toEnd(index, { ...response, status: 'completed', output: items })
      },
    }
  },

  last({ model, stream, previous_response_id: id = 'unloop' }, words) {
    const item = toMessage('unloop', words)
    const response = {
      id,
      object: 'response',
      created_at: toSeconds(),
      model,
      status: 'completed',
      output: [item],
      usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    }
    if (!stream) return JSON.stringify(response)
    const at = { item_id: item.id, output_index: 0, content_index: 0 }
    return (
      toEvent('created', { response: { ...response, output: [] } }) +
      toEvent('output_item.added', { ...at, item: toMessage(item.id, '') }) +
      toEvent('output_text.delta', { ...at, delta: words }) +
      toEnd(0, response)
    )
  },
}

const toSpent = (usage: Any) => toUsage(usage?.input_tokens, usage?.output_tokens)

function toEvents({ type, call_id: id, name, arguments: json, input, ...item }: Any): AgentEvent[] {
  // calls that others than the program answer have no such id
  if (name && id !== undefined) {
    return [{ type: 'tool-call', id, name, args: json ?? input }]
  }
  const text = textOf(item.summary) + textOf(item.content)
  return text ? [{ type: type === 'message' ? 'text' : 'reasoning', text }] : []
}

const toMessage = (id: string, text: string) => ({
  id,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})

const toEnd = (output_index: number, response: Any) =>
  toEvent('output_item.done', { output_index, item: response.output[output_index] }) +
  toEvent('completed', { response })

const toEvent = (name: string, fields: object) => toData({ type: `response.${name}`, ...fields })
