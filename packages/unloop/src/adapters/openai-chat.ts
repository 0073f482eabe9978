import { fromJsonText } from '../call-key.js'
import { type Any, type Asked, type Dialect, promptOf, toUsage } from './exchange.js'

/** OpenAI's chat completions, which most other servers speak too. */
export const chat: Dialect = {
  ask: ({ messages }) => toAsked(messages, ({ role }) => role, 'tool_call_id', 'content'),

  advise(body, advice) {
    body.messages.push({ role: 'user', content: advice })
  },

  // a whole answer is a stream of one piece
  answer: (whole) => chat.stream().read(whole),

  stream() {
    const calls: Any[] = []
    let last: Any
    return {
      read(chunk) {
        last = chunk
        const { choices = [], usage } = chunk
        const { delta, message = delta, finish_reason } = choices[0] ?? {}
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
          calls[index] ??= { id: id ?? '', name: '', json: '' }
          calls[index].name ||= custom?.name ?? ''
          calls[index].json += custom?.arguments ?? custom?.input ?? ''
        }
        return [
          ...toWords('reasoning', reasoning),
          ...toWords('text', content),
          ...(finish_reason ? calls.splice(0) : []).map(({ id, name, json }) => ({
            type: 'tool-call' as const,
            id,
            name,
            args: fromJsonText(json),
          })),
          // some tell the sum so far with each piece
          ...(usage && (finish_reason || !message)
            ? [toUsage(usage.prompt_tokens, usage.completion_tokens)]
            : []),
        ]
      },
      end: () => toStream({ ...last, choices: [toChoice('delta', {})] }),
    }
  },

  last({ model, stream, response_format }, words) {
    // words are no JSON; who asked for that reads a refusal
    const field = /^json/.test(response_format?.type) ? 'refusal' : 'content'
    const message = { role: 'assistant', content: null, [field]: words }
    const answer = {
      id: 'unloop',
      created: toSeconds(),
      model,
      choices: [toChoice(stream ? 'delta' : 'message', message)],
      usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    }
    return stream ? toStream(answer) : JSON.stringify(answer)
  },
}

export const toSeconds = () => Math.trunc(Date.now() / 1000)

/** A request whose answers of tools are items of a list, as in both protocols of OpenAI. */
export const toAsked = (
  items: Any[],
  roleOf: (item: Any) => string,
  id: string,
  field: string,
): Asked => ({
  prompt: promptOf(items, roleOf),
  results: items
    .filter((item) => roleOf(item) === 'tool')
    .map((part) => ({ id: part[id] ?? '', part, field })),
})

const toWords = (type: 'text' | 'reasoning', text: unknown) =>
  text && typeof text === 'string' ? [{ type, text }] : []

const toChoice = (field: string, value: object) => ({
  index: 0,
  [field]: value,
  finish_reason: 'stop',
})

const toStream = (chunk: object) => `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`
