import { fromJsonText } from '../call-key.js'
import type { AgentEvent } from '../event.js'
import { type Any, type Dialect, promptOf, textOf, toData, toUsage } from './exchange.js'

/** Anthropic's messages, of one run. */
export function createMessages(): Dialect & { heal(text: string): string } {
  let hasCutThought = false
  let lastWords: string | undefined
  return {
    heal(text) {
      const body: Any = hasCutThought || lastWords ? fromJsonText(text) : undefined
      if (!Array.isArray(body?.messages)) return text
      // where our words are the last, the model would have to go on with them
      const isSaid = ({ role, content }: Any) => role === 'user' || textOf(content) !== lastWords
      const messages = body.messages.filter(isSaid).map(withoutCutThought)
      return JSON.stringify({ ...body, messages })
    },

    ask: ({ messages }) => ({
      prompt: promptOf(messages, roleOf),
      results: messages
        .flatMap(({ content }: Any) => blocksOf(content))
        .filter(isResult)
        .map((part: Any) => ({ id: part.tool_use_id, part })),
    }),

    advise({ messages }, text) {
      const last = messages.at(-1)
      const block = { type: 'text', text }
      if (last?.role === 'user') last.content = [...blocksOf(last.content), block]
      else messages.push({ role: 'user', content: [block] })
    },

    stream() {
      let block: Any
      let index = 0
      let json = ''
      let tokens = 0
      return {
        read({ type, delta, content, usage, ...event }) {
          if (content) {
            const spent = toUsage(usage?.input_tokens, usage?.output_tokens)
            return [...content.flatMap(toEvents), spent]
          }
          switch (type) {
            case 'message_start':
              tokens = event.message.usage?.output_tokens
              return [toUsage(event.message.usage?.input_tokens)]
            case 'content_block_start':
              block = event.content_block
              index = event.index
              json = ''
              return []
            case 'content_block_delta':
              json += delta.partial_json ?? ''
              return toEvents({ ...delta, type: delta.type.replace('_delta', '') })
            case 'content_block_stop':
              return block.type === 'tool_use'
                ? toEvents({ ...block, input: json ? fromJsonText(json) : block.input })
                : []
            case 'message_delta':
              return [toUsage(0, usage?.output_tokens)]
            default:
              return []
          }
        },
        end() {
          if (block?.type === 'thinking') hasCutThought = true
          return toData({ type: 'content_block_stop', index }) + toEnd(tokens)
        },
      }
    },

    last({ model, stream }, text) {
      lastWords = text
      const message = {
        id: 'msg_unloop',
        type: 'message',
        role: 'assistant',
        model,
        content: [{ type: 'text', text }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      }
      if (!stream) return message
      return (
        [
          { type: 'message_start', message: { ...message, content: [], stop_reason: null } },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } },
          { type: 'content_block_stop', index: 0 },
        ]
          .map(toData)
          .join('') + toEnd(0)
      )
    },
  }
}

const toEnd = (output_tokens: number) =>
  toData({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens },
  }) + toData({ type: 'message_stop' })

const blocksOf = (content: Any): Any[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content

const isResult = ({ type }: Any) => type === 'tool_result'

const roleOf = ({ role, content }: Any): string =>
  blocksOf(content).some(isResult) ? 'tool' : role

function toEvents({ type, text, thinking, id, name, input }: Any): AgentEvent[] {
  switch (type) {
    case 'text':
      return [{ type, text }]
    case 'thinking':
      return [{ type: 'reasoning', text: thinking }]
    case 'tool_use':
      return [{ type: 'tool-call', id, name, args: input }]
    default:
      return []
  }
}

/** The provider refuses a thought without its signature, which one that was cut never got. */
function withoutCutThought({ content, ...message }: Any) {
  if (typeof content === 'string') return { ...message, content }
  const kept = content.filter(({ signature }: Any) => signature !== '')
  return { ...message, content: kept.length > 0 ? kept : '…' }
}
