import { fromJsonText } from '../call-key.js'
import type { AgentEvent } from '../event.js'
import { type Any, type Dialect, textOf, toData, toUsage } from './exchange.js'
import { toAsked, toSeconds } from './openai-chat.js'

/** OpenAI's Responses. */
export const responses: Dialect = {
  ask: ({ input }) => toAsked(toItems(input), roleOf, 'call_id', 'output'),

  advise(body, advice) {
    body.input = [...toItems(body.input), ...toItems(advice)]
  },

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
        return (
          toEvent('output_item.done', { output_index: index, item: items[index] }) +
          toEvent('completed', { response: { ...response, status: 'completed', output: items } })
        )
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
      toEvent('output_item.done', { ...at, item }) +
      toEvent('completed', { response })
    )
  },
}

const toItems = (input: Any): Any[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? [])

function roleOf({ type, role = 'assistant' }: Any): string {
  return /_output$/.test(type) ? 'tool' : role
}

const toSpent = (usage: Any) => toUsage(usage?.input_tokens, usage?.output_tokens)

function toEvents({ type, call_id: id, name, arguments: json, input, ...item }: Any): AgentEvent[] {
  // calls that others than the program answer have no such id
  if (name && id !== undefined) {
    return [{ type: 'tool-call', id, name, args: fromJsonText(json ?? input) }]
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

const toEvent = (name: string, fields: object) => toData({ type: `response.${name}`, ...fields })
