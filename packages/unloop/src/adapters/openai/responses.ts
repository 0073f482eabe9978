import type { Any } from '../shared/any.js'
import type { Dialect } from '../shared/exchange.js'
import { chat, toCalls, toData, toEvents, toSpent, toWords } from './chat.js'

/** OpenAI's Responses. */
export const responses: Dialect = {
  ...chat,

  thread({ previous_response_id: before, conversation }) {
    const id = conversation?.id ?? conversation
    if (id) return { before: id, after: id }
    return before ? { before } : undefined
  },

  stream() {
    const items: Any[] = []
    let response: Any
    let index = 0
    let said = ''
    return {
      read({ id, type, delta, item, output_index, response: now, output, usage }) {
        if (output) {
          response = { id }
          return [...output.flatMap(toEvents), ...toSpent(usage)]
        }
        if (now) {
          response = now
          return toSpent(now.usage)
        }
        if (item) {
          index = output_index
          items[index] = item
          said = ''
          return /done$/.test(type) ? toCalls(item) : []
        }
        if (!/_text\.delta$/.test(type)) return []
        if (/reasoning/.test(type)) return toWords('reasoning', delta)
        said += delta
        return toWords('text', delta)
      },
      id: () => response?.id,
      end() {
        const ended = { ...response, status: 'completed' }
        if (said) {
          items[index] = toMessage(said, items[index]?.id)
          return toEnd(index, { ...ended, output: items })
        }
        // a thought without what follows it is not taken back by the provider, and neither is nothing
        const sign = toMessage('…')
        return (
          toSpoken(items.length, sign) +
          toDone(items.length, sign) +
          toCompleted({ ...ended, output: [...items.slice(0, -1), sign] })
        )
      },
    }
  },

  last({ model, stream, previous_response_id: id = 'unloop' }, words) {
    const item = toMessage(words)
    const response = {
      id,
      object: 'response',
      created_at: Math.trunc(Date.now() / 1000),
      model,
      status: 'completed',
      output: [item],
      usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
    }
    if (!stream) return response
    return (
      toEvent('created', { response: { ...response, output: [] } }) +
      toSpoken(0, item) +
      toEnd(0, response)
    )
  },
}

// the provider looks at how an id begins
const toMessage = (text: string, id?: string) => ({
  id: id || 'msg_unloop',
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
})

/** A message that begins, with all of its words. */
function toSpoken(output_index: number, { id, content }: ReturnType<typeof toMessage>): string {
  const at = { item_id: id, output_index, content_index: 0 }
  return (
    toEvent('output_item.added', { ...at, item: toMessage('') }) +
    toEvent('output_text.delta', { ...at, delta: content[0]?.text })
  )
}

const toEnd = (output_index: number, response: Any) =>
  toDone(output_index, response.output[output_index]) + toCompleted(response)

const toDone = (output_index: number, item: Any) =>
  toEvent('output_item.done', { output_index, item })

const toCompleted = (response: Any) => toEvent('completed', { response })

const toEvent = (name: string, fields: object) => toData({ type: `response.${name}`, ...fields })
