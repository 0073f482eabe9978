import type { AgentEvent } from '../event.js'
import { type Any, type Dialect, promptOf, toUsage } from './exchange.js'

/** What both protocols of OpenAI say in the same way: a list of items, of which some are answers of tools. */
export const lists: Pick<Dialect, 'ask' | 'advise'> = {
  ask({ input, messages = input }) {
    const items = toItems(messages)
    return {
      prompt: promptOf(items, roleOf),
      results: items
        .filter((item) => roleOf(item) === 'tool')
        .map((part) => ({
          id: part.tool_call_id ?? part.call_id ?? '',
          part,
          field: 'output' in part ? 'output' : 'content',
        })),
    }
  },

  advise(body, advice) {
    const field = body.messages ? 'messages' : 'input'
    body[field] = [...toItems(body[field]), ...toItems(advice)]
  },
}

const toItems = (input: Any): Any[] =>
  typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? [])

const roleOf = ({ type, role = 'assistant' }: Any): string =>
  /_output$/.test(type) ? 'tool' : role

/** OpenAI's chat completions, which most other servers speak too. */
export const chat: Dialect = {
  ...lists,

  stream() {
    const calls: Any[] = []
    let last: Any
    return {
      read(chunk) {
        last = chunk
        const { delta, message = delta, finish_reason } = chunk.choices?.[0] ?? {}
        // others than OpenAI tell thoughts too, under one of two names
        const {
          content,
          reasoning_content,
          reasoning = reasoning_content,
          tool_calls,
        } = message ?? {}
        for (const [at, { index = at, id, function: made, custom = made }] of (
          tool_calls ?? []
        ).entries()) {
          const { name, arguments: json, input = json } = custom ?? {}
          calls[index] ??= { type: 'tool-call', id: id ?? '', name: '', args: '' }
          calls[index].name ||= name ?? ''
          calls[index].args += input ?? ''
        }
        return [
          ...toWords(false, reasoning),
          ...toWords(true, content),
          ...(finish_reason ? calls.splice(0) : []),
          // some tell the sum so far with each piece
          ...(finish_reason || !message ? toSpent(chunk.usage) : []),
        ]
      },
      end: () => toStream({ ...last, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }),
    }
  },

  last({ model, stream, response_format }, words) {
    // words are no JSON; who asked for that reads a refusal
    const field = /^json/.test(response_format?.type) ? 'refusal' : 'content'
    const message = { role: 'assistant', content: null, [field]: words }
    const answer = {
      id: 'unloop',
      created: Math.trunc(Date.now() / 1000),
      model,
      choices: [{ index: 0, [stream ? 'delta' : 'message']: message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    }
    return stream ? toStream(answer) : answer
  },
}

/** Words that the model said or thought, if there are any. */
export const toWords = (isText: boolean, text: unknown): AgentEvent[] =>
  text && typeof text === 'string' ? [{ type: isText ? 'text' : 'reasoning', text }] : []

/** Tokens of an answer, if it tells them. */
export const toSpent = (usage: Any): AgentEvent[] =>
  usage
    ? [
        toUsage(
          usage.prompt_tokens ?? usage.input_tokens,
          usage.completion_tokens ?? usage.output_tokens,
        ),
      ]
    : []

const toStream = (chunk: object) => `${toData(chunk)}data: [DONE]\n\n`

/** A server-sent event; of those of Responses, the data has the name. */
export const toData = (data: object) => `data: ${JSON.stringify(data)}\n\n`
