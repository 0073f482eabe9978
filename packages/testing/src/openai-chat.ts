import { refuseChat } from './history.js'
import { type Context, CREATED, type Protocol, toData } from './protocol.js'
import { type CompleteAnswer, type Finish, toPieces } from './reply.js'

/** OpenAI's chat completions, which most other servers support too. */
export const openaiChat: Protocol = {
  name: 'openai-chat',
  path: /^\/v1\/chat\/completions$/,
  isStream: (_path, body) => body.stream === true,
  refuse: refuseChat,

  stream(answer, context) {
    const chunk = (fields: object) =>
      toData({ ...head(context), object: 'chat.completion.chunk', ...fields })
    const delta = (delta: object, finish_reason: string | null = null) =>
      chunk({ choices: [{ index: 0, delta, logprobs: null, finish_reason }] })
    const events = [
      delta({ role: 'assistant', content: '' }),
      ...toPieces(answer.reasoning).map((piece) => delta({ reasoning_content: piece })),
      ...toPieces(answer.text).map((piece) => delta({ content: piece })),
      ...answer.calls.flatMap(({ id, name, json }, index) => [
        delta({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] }),
        ...toPieces(json).map((piece) =>
          delta({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      delta({}, FINISH[answer.finish]),
    ]
    if (wantsUsage(context)) events.push(chunk({ choices: [], usage: toUsage(answer) }))
    return [...events, 'data: [DONE]\n\n']
  },

  whole(answer, context) {
    const calls = answer.calls.map(({ id, name, json }) => ({
      id,
      type: 'function',
      function: { name, arguments: json },
    }))
    const message = {
      role: 'assistant',
      content: answer.text || null,
      refusal: null,
      ...(answer.reasoning && { reasoning_content: answer.reasoning }),
      ...(calls.length > 0 && { tool_calls: calls }),
    }
    const finish_reason = FINISH[answer.finish]
    return {
      ...head(context),
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason }],
      usage: toUsage(answer),
    }
  },

  error: (status, message) => ({
    error: { message, type: status < 500 ? 'invalid_request_error' : 'server_error', code: null },
  }),
  streamError: (message) => toData({ error: { message, type: 'server_error', code: null } }),
}

const FINISH: Record<Finish, string> = {
  stop: 'stop',
  'tool-calls': 'tool_calls',
  length: 'length',
  refused: 'content_filter',
}

const head = ({ turn, model }: Context) => ({ id: `chatcmpl-${turn}`, created: CREATED, model })

const wantsUsage = ({ body }: Context) =>
  (body.stream_options as { include_usage?: boolean } | undefined)?.include_usage === true

const toUsage = ({ usage }: CompleteAnswer) => ({
  prompt_tokens: usage.inputTokens,
  completion_tokens: usage.outputTokens,
  total_tokens: usage.inputTokens + usage.outputTokens,
  prompt_tokens_details: { cached_tokens: usage.cachedTokens },
})
