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
    /** by their index, which may be anything */
    const items = new Map<unknown, Any>()
    let response: Any
    let index: unknown
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
          items.set(index, item)
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
          const item = toMessage(said, items.get(index)?.id)
          items.set(index, item)
          return toDone(index, item) + toCompleted({ ...ended, output: [...items.values()] })
        }
        // a thought without what follows it is not taken back by the provider, and neither is nothing
        const sign = toMessage('…')
        return (
          // version 7 of the SDK wants an end to what has begun
          (items.has(index) ? toDone(index, items.get(index)) : '') +
          toSpoken(items.size, sign) +
          toDone(items.size, sign) +
          toCompleted({ ...ended, output: [...[...items.values()].slice(0, -1), sign] })
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
      toDone(0, item) +
      toCompleted(response)
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

const toDone = (output_index: unknown, item: Any) =>
  toEvent('output_item.done', { output_index, item })

const toCompleted = (response: Any) => toEvent('completed', { response })

const toEvent = (name: string, fields: object) => toData({ type: `response.${name}`, ...fields })
