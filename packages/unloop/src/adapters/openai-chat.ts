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
          field: part.call_id === undefined ? 'content' : 'output',
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
          calls[index] ??= { type: 'tool-call', id: id ?? '', name: '', args: '' }
          calls[index].name ||= custom?.name ?? ''
          calls[index].args += custom?.arguments ?? custom?.input ?? ''
        }
        return [
          ...toWords('reasoning', reasoning),
          ...toWords('text', content),
          ...(finish_reason ? calls.splice(0) : []),
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

const toWords = (type: 'text' | 'reasoning', text: unknown) =>
  text && typeof text === 'string' ? [{ type, text }] : []

const toChoice = (field: string, value: object) => ({
  index: 0,
  [field]: value,
  finish_reason: 'stop',
})

const toStream = (chunk: object) => `${toData(chunk)}data: [DONE]\n\n`

/** A server-sent event; of those of Responses, the data has the name. */
export const toData = (data: object) => `data: ${JSON.stringify(data)}\n\n`
