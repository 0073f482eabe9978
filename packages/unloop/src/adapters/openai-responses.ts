import { fromJsonText } from '../call-key.js'
import type { AgentEvent } from '../event.js'
import { type Any, type Dialect, textOf, toData, toUsage } from './exchange.js'
import { toAsked } from './openai-chat.js'

/** OpenAI's Responses. */
export const responses: Dialect = {
  ask: ({ input }) => toAsked(toItems(input), roleOf, 'call_id', 'output'),

  advise(body, advice) {
    body.input = [...toItems(body.input), ...toItems(advice)]
  },

  answer: ({ output, usage }) => [
    ...output.flatMap(toEvents),
    toUsage(usage?.input_tokens, usage?.output_tokens),
  ],

  stream() {
    const items: Any[] = []
    let response: Any
    let index = 0
    let said = ''
    return {
      read({ type, delta, item, output_index, ...event }) {
        switch (`${type}`.replace('response.', '')) {
          case 'created':
            response = event.response
            break
          case 'output_item.added':
            index = output_index
            items[index] = item
            said = ''
            break
          case 'output_item.done':
            items[output_index] = item
            return toEvents(item).filter(({ type }) => type === 'tool-call')
          case 'output_text.delta':
            said += delta
            return [{ type: 'text', text: delta }]
          case 'reasoning_text.delta':
          case 'reasoning_summary_text.delta':
            return [{ type: 'reasoning', text: delta }]
          case 'completed':
          case 'incomplete':
            return responses.answer({ output: [], usage: event.response.usage })
        }
        return []
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

  last({ model, stream, previous_response_id: id = 'resp_unloop' }, words) {
    const item = toMessage('msg_unloop', words)
    const usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0 }
    const created_at = Math.trunc(Date.now() / 1000)
    const head = { id, object: 'response', created_at, model, usage, error: null }
    const response = { ...head, status: 'completed', output: [item] }
    if (!stream) return JSON.stringify(response)
    const { read, end } = responses.stream()
    const place = { item_id: item.id, output_index: 0, content_index: 0 }
    const events = [
      { type: 'created', response: { ...response, output: [] } },
      { type: 'output_item.added', item: toMessage(item.id, ''), ...place },
      { type: 'output_text.delta', delta: words, ...place },
    ]
    for (const event of events) read(event)
    return events.map(({ type, ...fields }) => toEvent(type, fields)).join('') + end()
  },
}

const toItems = (input: Any): Any[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? [])

function roleOf({ type, role = 'assistant' }: Any): string {
  return /_output$/.test(type) ? 'tool' : role
}

function toEvents({ type, call_id: id, name, arguments: json, input, ...item }: Any): AgentEvent[] {
  switch (type) {
    case 'function_call':
    case 'custom_tool_call':
      return [{ type: 'tool-call', id, name, args: fromJsonText(json ?? input) }]
    case 'message':
      return [{ type: 'text', text: textOf(item.content) }]
    case 'reasoning':
      return [{ type: 'reasoning', text: textOf(item.summary) + textOf(item.content) }]
    default:
      return []
  }
}

const toMessage = (id: string, text: string) => ({
  id,
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})

const toEvent = (name: string, fields: object) => toData({ type: `response.${name}`, ...fields })
