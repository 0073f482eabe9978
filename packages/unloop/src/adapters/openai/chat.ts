import type { AgentEvent } from '../../event.js'
import type { CallEvent } from '../../host/run.js'
import type { Any } from '../shared/any.js'
import type { Dialect } from '../shared/exchange.js'
import { promptOf, sinceModel, textOf, toHistory, toUsage } from '../shared/words.js'

/** OpenAI's chat completions, which most other servers speak too; Responses ask in the same way, with a list of items. */
export const chat: Dialect = {
  ask({ input, messages = input }) {
    const items = toItems(messages)
    return {
      prompt: promptOf(items, roleOf),
      said: sinceModel(items, roleOf)
        .filter((item) => roleOf(item) === 'user')
        .map((item) => textOf(item.content))
        .join('\n'),
      results: items
        .filter((item) => roleOf(item) === 'tool')
        .map((part) => ({ id: part.tool_call_id ?? part.call_id ?? '', part })),
    }
  },

  history: ({ input, messages = input }, heard) =>
    toHistory(toItems(messages).flatMap(toEvents), heard),

  tools: ({ tools = [] }) => tools.map(({ name, function: made }: Any) => made?.name ?? name ?? ''),

  advise(body, advice) {
    const field = body.messages ? 'messages' : 'input'
    body[field] = [...toItems(body[field]), ...toItems(advice)]
  },

  stream() {
    /** the calls so far by their index, which may be anything */
    const calls = new Map<unknown, CallEvent & { args: string }>()
    let last: Any
    let isSaid = false
    return {
      read(chunk) {
        last = chunk
        const { delta, message = delta, finish_reason } = chunk.choices?.[0] ?? {}
        const { content, reasoning, reasoning_content, tool_calls } = message ?? {}
        isSaid ||= Boolean(content)
        for (const { index, id, function: made, custom = made } of tool_calls ?? []) {
          // not everybody numbers the pieces of calls; then an id begins the next
          const at = index ?? calls.size - (delta && !id ? 1 : 0)
          const { name, arguments: json, input = json } = custom ?? {}
          const call = calls.get(at) ?? { ...TOOL_CALL, id: id ?? '', name: name ?? '', args: '' }
          call.args += input ?? ''
          calls.set(at, call)
        }
        const made = finish_reason ? [...calls.values()] : []
        if (finish_reason) calls.clear()
        return [
          // others than OpenAI tell thoughts too, under one of two names
          ...toWords('reasoning', reasoning ?? reasoning_content),
          ...toWords('text', content),
          ...made,
          // some tell the sum so far with each piece
          ...toSpent((finish_reason || !message) && chunk.usage),
        ]
      },
      end() {
        // a message without words is not taken back
        const delta = isSaid ? {} : { content: '…' }
        return toStream({ ...last, choices: [{ index: 0, delta, finish_reason: 'stop' }] })
      },
    }
  },

  last({ model, stream, response_format }, words) {
    const message = {
      role: 'assistant',
      content: null,
      // words are no JSON; who asked for that reads a refusal
      [/^json/.test(response_format?.type) ? 'refusal' : 'content']: words,
    }
    const answer = {
      id: 'unloop',
      object: stream ? 'chat.completion.chunk' : 'chat.completion',
      created: Math.trunc(Date.now() / 1000),
      model,
      choices: [{ index: 0, [stream ? 'delta' : 'message']: message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    }
    return stream ? toStream(answer) : answer
  },
}

const TOOL_CALL = { type: 'tool-call' } as const

const toItems = (input: Any): Any[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? [])

/** What an item of a history says: a message, or for Responses a thought, a call or an answer. */
export function toEvents(item: Any): AgentEvent[] {
  const role = roleOf(item)
  const { type, content, tool_calls: calls = [] } = item
  if (role === 'tool') {
    const output = item.output ?? content
    return [{ type: 'tool-result', id: item.tool_call_id ?? item.call_id ?? '', output }]
  }
  const text = textOf(item.summary) + textOf(content)
  if (role === 'user') return [{ type: 'prompt', text }]
  if (role !== 'assistant') return []
  return [
    ...toWords(type === 'reasoning' ? type : 'text', text),
    ...calls.flatMap(({ id = '', function: made, custom = made }: Any) =>
      toCalls({ ...custom, call_id: id }),
    ),
    ...toCalls(item),
  ]
}

/** A call of a tool, as Responses have it; those that others than the program answer have no such id. */
export const toCalls = ({ call_id: id, name, arguments: json, input }: Any): AgentEvent[] =>
  name && id !== undefined ? [{ type: 'tool-call', id, name, args: json ?? input }] : []

const roleOf = ({ type, role = 'assistant' }: Any): string =>
  /_output$/.test(type) ? 'tool' : role

/** Words that the model said or thought, if there are any. */
export const toWords = (type: 'text' | 'reasoning', text: unknown): AgentEvent[] =>
  text && typeof text === 'string' ? [{ type, text }] : []

/** Tokens of an answer, if it tells them. */
export function toSpent(usage: Any): AgentEvent[] {
  if (!usage) return []
  const { prompt_tokens, input_tokens, prompt_tokens_details, input_tokens_details } = usage
  const { cached_tokens } = prompt_tokens_details ?? input_tokens_details ?? {}
  const output = usage.completion_tokens ?? usage.output_tokens
  return [toUsage(prompt_tokens ?? input_tokens, output, cached_tokens)]
}

const toStream = (chunk: object) => `${toData(chunk)}data: [DONE]\n\n`

/** A server-sent event; of those of Responses, the data has the name. */
export const toData = (data: object) => `data: ${JSON.stringify(data)}\n\n`
