import { refuseMessages } from './history.js'
import { type Context, type Protocol, toEvent } from './protocol.js'
import { type CompleteAnswer, type Finish, toPieces } from './reply.js'

/** Anthropic's messages. */
export const anthropic: Protocol = {
  name: 'anthropic',
  path: /^\/v1\/messages$/,
  isStream: (_path, body) => body.stream === true,
  refuse: refuseMessages,

  stream(answer, context) {
    const { output_tokens: _, ...usage } = toUsage(answer)
    const message = { ...head(context), content: [], stop_reason: null, stop_sequence: null }
    const blocks = toBlocks(answer, context)
    return [
      toEvent({
        type: 'message_start',
        message: { ...message, usage: { ...usage, output_tokens: 1 } },
      }),
      toEvent({ type: 'ping' }),
      ...blocks.flatMap(({ start, deltas }, index) => [
        toEvent({ type: 'content_block_start', index, content_block: start }),
        ...deltas.map((delta) => toEvent({ type: 'content_block_delta', index, delta })),
        toEvent({ type: 'content_block_stop', index }),
      ]),
      toEvent({
        type: 'message_delta',
        delta: { stop_reason: FINISH[answer.finish], stop_sequence: null },
        usage: { output_tokens: answer.usage.outputTokens },
      }),
      toEvent({ type: 'message_stop' }),
    ]
  },

  whole: (answer, context) => ({
    ...head(context),
    content: toBlocks(answer, context).map(({ whole }) => whole),
    stop_reason: FINISH[answer.finish],
    stop_sequence: null,
    usage: toUsage(answer),
  }),

  error: (status, message) => ({ type: 'error', error: { type: errorType(status), message } }),
  streamError: (message) =>
    toEvent({ type: 'error', error: { type: 'overloaded_error', message } }),
}

const FINISH: Record<Finish, string> = {
  stop: 'end_turn',
  'tool-calls': 'tool_use',
  length: 'max_tokens',
  refused: 'refusal',
}

const ERRORS: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

const errorType = (status: number) => ERRORS[status] ?? 'api_error'

const head = ({ turn, model }: Context) => ({
  id: `msg_${turn}`,
  type: 'message',
  role: 'assistant',
  model,
})

interface Block {
  start: object
  deltas: object[]
  whole: object
}

function toBlocks({ reasoning, text, calls }: CompleteAnswer, { turn }: Context): Block[] {
  const blocks: Block[] = []
  if (reasoning) {
    const signature = `signature-of-turn-${turn}`
    blocks.push({
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...toPieces(reasoning).map((thinking) => ({ type: 'thinking_delta', thinking })),
        { type: 'signature_delta', signature },
      ],
      whole: { type: 'thinking', thinking: reasoning, signature },
    })
  }
  if (text) {
    blocks.push({
      start: { type: 'text', text: '' },
      deltas: toPieces(text).map((piece) => ({ type: 'text_delta', text: piece })),
      whole: { type: 'text', text },
    })
  }
  for (const { id, name, json } of calls) {
    blocks.push({
      start: { type: 'tool_use', id, name, input: {} },
      // the real provider's first delta is empty too
      deltas: ['', ...toPieces(json)].map((piece) => ({
        type: 'input_json_delta',
        partial_json: piece,
      })),
      whole: { type: 'tool_use', id, name, input: toObject(json) },
    })
  }
  return blocks
}

function toObject(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return {}
  }
}

const toUsage = ({ usage }: CompleteAnswer) => ({
  // here the input does not include what was read from the cache
  input_tokens: usage.inputTokens - usage.cachedTokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: usage.cachedTokens,
  output_tokens: usage.outputTokens,
})
