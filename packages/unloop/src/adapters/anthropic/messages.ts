import type { AgentEvent } from '../../event.js'
import { fromJsonText } from '../../reading/call-key.js'
import type { Any } from '../shared/any.js'
import type { Dialect } from '../shared/exchange.js'
import { promptOf, sinceModel, textOf, toData, toHistory, toUsage } from '../shared/words.js'

/** Anthropic's messages, of one run. */
export function createMessages(): Dialect & { heal(text: string): string } {
  /** what stopped runs were told in the model's place */
  const lastWords = new Set<string>()
  return {
    heal(text) {
      const body: Any =
        lastWords.size > 0 || text.includes(UNSIGNED) ? fromJsonText(text) : undefined
      if (!Array.isArray(body?.messages)) return text
      // where our words are the last, the model would have to go on with them
      const isSaid = ({ role, content }: Any) => role === 'user' || !lastWords.has(textOf(content))
      const messages = body.messages.filter(isSaid).map(toSigned)
      return JSON.stringify({ ...body, messages })
    },

    ask: ({ messages }) => ({
      prompt: promptOf(messages, roleOf),
      said: sinceModel(messages, roleOf)
        .filter(({ role }) => role === 'user')
        .map(({ content }) => textOf(content))
        .join('\n'),
      results: messages
        .flatMap(({ content }: Any) => blocksOf(content))
        .filter(isResult)
        .map((part: Any) => ({ id: part.tool_use_id, part })),
    }),

    history: ({ messages }, heard) =>
      toHistory(
        messages.flatMap(({ role, content }: Any) => blocksOf(content).flatMap(ofRole(role))),
        heard,
      ),

    thread: ({ thread }) => thread && { before: thread.previous_message_id },

    tools: ({ tools = [] }) => tools.map(({ name = '' }: Any) => name),

    advise({ messages }, text) {
      const last = messages.at(-1)
      const block = { type: 'text', text }
      if (last?.role === 'user') last.content = [...blocksOf(last.content), block]
      else messages.push({ role: 'user', content: [block] })
    },

    stream() {
      let id: string | undefined
      let block: Any
      let index = 0
      let json = ''
      let deltas = 0
      let tokens = 0
      return {
        id: () => id,
        read({ type, delta, content, usage, ...event }) {
          id = event.message?.id ?? (content ? event.id : id)
          if (content) {
            return [...content.flatMap(toEvents), toSpent(usage, usage?.output_tokens)]
          }
          switch (type) {
            case 'message_start':
              tokens = event.message.usage?.output_tokens
              return [toSpent(event.message.usage)]
            case 'content_block_start':
              block = event.content_block
              index = event.index
              json = ''
              deltas = 0
              return []
            case 'content_block_delta':
              deltas++
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
          // a thought that was cut is not taken back, and neither is a message of nothing else or a text without words
          const isThought = block?.type === 'thinking'
          const end = toData({ type: 'content_block_stop', index })
          if (isThought) return end + toText(index + 1, '…') + toEnd(tokens)
          return (deltas > 1 ? '' : toDelta(index, '…')) + end + toEnd(tokens)
        },
      }
    },

    last({ model, stream }, text) {
      lastWords.add(text)
      const [oldest = ''] = lastWords
      if (lastWords.size > MAX_WORDS) lastWords.delete(oldest)
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
      const start = { ...message, content: [], stop_reason: null }
      return toData({ type: 'message_start', message: start }) + toText(0, text) + toEnd(0)
    },
  }
}

/** Tokens of an answer; those that were read from the cache or written to it are told apart. */
function toSpent(usage: Any, output?: number): AgentEvent {
  const { input_tokens: fresh = 0, cache_read_input_tokens: cached } = usage ?? {}
  const written = usage?.cache_creation_input_tokens ?? 0
  return toUsage(fresh + (cached ?? 0) + written, output, cached ?? undefined)
}

const toText = (index: number, text: string) =>
  toData({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } }) +
  toDelta(index, text) +
  toData({ type: 'content_block_stop', index })

const toDelta = (index: number, text: string) =>
  toData({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } })

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

/** What the blocks of a message say, by who says them. */
const ofRole =
  (role: string) =>
  (block: Any): AgentEvent[] => {
    if (isResult(block)) {
      const { tool_use_id: id, content: output, is_error } = block
      return [{ type: 'tool-result', id, output, isError: is_error === true }]
    }
    if (role === 'assistant') return toEvents(block)
    // a program may put notes of its own between the messages, in the role of the system
    return role === 'user' && block.type === 'text' ? [{ type: 'prompt', text: block.text }] : []
  }

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

// more stops than one client sees within the hour
const MAX_WORDS = 1000

// as the SDK writes it into a request
const UNSIGNED = '"signature":""'

/** The same message without a thought that has no signature, as one that was cut never got one: the provider refuses it. */
export function toSigned<Message extends { content: Any }>(message: Message): Message {
  const { content } = message
  if (!Array.isArray(content)) return message
  const kept = content.filter(({ signature }) => signature !== '')
  return { ...message, content: kept.length > 0 ? kept : '…' }
}
