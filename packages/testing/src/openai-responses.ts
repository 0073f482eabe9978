import { refuseItems } from './history.js'
import { type Context, CREATED, type EventData, type Protocol, toEvent } from './protocol.js'
import { type CompleteAnswer, toPieces } from './reply.js'

/** OpenAI's Responses. */
export const openaiResponses: Protocol = {
  name: 'openai-responses',
  path: /^\/v1\/responses$/,
  isStream: (_path, body) => body.stream === true,
  refuse: refuseItems,

  stream(answer, context) {
    const items = toItems(answer, context)
    const started = { ...head(context), status: 'in_progress', output: [], usage: null }
    const events = [
      { type: 'response.created', response: started },
      { type: 'response.in_progress', response: started },
      ...items.flatMap(({ start, events, whole }, output_index) => [
        { type: 'response.output_item.added', output_index, item: start },
        ...events.map((event) => ({ item_id: whole.id, output_index, ...event })),
        { type: 'response.output_item.done', output_index, item: whole },
      ]),
      {
        type: answer.finish === 'length' ? 'response.incomplete' : 'response.completed',
        response: toResponse(answer, context),
      },
    ]
    return events.map((event, sequence_number) => toEvent({ sequence_number, ...event }))
  },

  whole: (answer, context) => toResponse(answer, context),

  error: (status, message) => ({
    error: {
      message,
      type: status < 500 ? 'invalid_request_error' : 'server_error',
      param: null,
      code: null,
    },
  }),
  streamError: (message) =>
    toEvent({ type: 'error', sequence_number: 0, code: 'server_error', message, param: null }),
}

interface Item {
  start: object
  events: EventData[]
  whole: { id: string; [field: string]: unknown }
}

const head = ({ turn, model }: Context) => ({
  id: `resp_${turn}`,
  object: 'response',
  created_at: CREATED,
  model,
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: 'auto',
  tools: [],
  top_p: 1,
})

const toResponse = (answer: CompleteAnswer, context: Context) => ({
  ...head(context),
  status: answer.finish === 'length' ? 'incomplete' : 'completed',
  incomplete_details: answer.finish === 'length' ? { reason: 'max_output_tokens' } : null,
  output: toItems(answer, context).map(({ whole }) => whole),
  usage: {
    input_tokens: answer.usage.inputTokens,
    input_tokens_details: { cached_tokens: answer.usage.cachedTokens },
    output_tokens: answer.usage.outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: answer.usage.inputTokens + answer.usage.outputTokens,
  },
})

function toItems(answer: CompleteAnswer, context: Context): Item[] {
  const { reasoning, text, finish } = answer
  return [
    ...(reasoning ? [toReasoning(reasoning, context)] : []),
    ...(text ? [finish === 'refused' ? toRefusal(text, context) : toMessage(text, context)] : []),
    ...answer.calls.map((call, index) => toCall(call, index, context)),
  ]
}

function toReasoning(text: string, { turn, body }: Context): Item {
  const item = {
    id: `rs_${turn}`,
    type: 'reasoning',
    ...(wantsEncrypted(body) && { encrypted_content: `encrypted-of-turn-${turn}` }),
  }
  const part = { type: 'summary_text', text }
  return {
    start: { ...item, summary: [] },
    events: [
      { type: 'response.reasoning_summary_part.added', part: { ...part, text: '' } },
      ...toPieces(text).map((delta) => ({ type: 'response.reasoning_summary_text.delta', delta })),
      { type: 'response.reasoning_summary_text.done', text },
      { type: 'response.reasoning_summary_part.done', part },
    ].map((event) => ({ summary_index: 0, ...event })),
    whole: { ...item, summary: [part] },
  }
}

const wantsEncrypted = ({ include }: Context['body']) =>
  Array.isArray(include) && include.includes('reasoning.encrypted_content')

function toMessage(text: string, { turn }: Context): Item {
  const item = { id: `msg_${turn}`, type: 'message', role: 'assistant' }
  const part = { type: 'output_text', text, annotations: [], logprobs: [] }
  return {
    start: { ...item, status: 'in_progress', content: [] },
    events: [
      { type: 'response.content_part.added', part: { ...part, text: '' } },
      ...toPieces(text).map((delta) => ({
        type: 'response.output_text.delta',
        delta,
        logprobs: [],
      })),
      { type: 'response.output_text.done', text, logprobs: [] },
      { type: 'response.content_part.done', part },
    ].map((event) => ({ content_index: 0, ...event })),
    whole: { ...item, status: 'completed', content: [part] },
  }
}

function toRefusal(refusal: string, { turn }: Context): Item {
  const item = { id: `msg_${turn}`, type: 'message', role: 'assistant' }
  const part = { type: 'refusal', refusal }
  return {
    start: { ...item, status: 'in_progress', content: [] },
    events: [
      { type: 'response.content_part.added', part: { ...part, refusal: '' } },
      ...toPieces(refusal).map((delta) => ({ type: 'response.refusal.delta', delta })),
      { type: 'response.refusal.done', refusal },
      { type: 'response.content_part.done', part },
    ].map((event) => ({ content_index: 0, ...event })),
    whole: { ...item, status: 'completed', content: [part] },
  }
}

function toCall(call: CompleteAnswer['calls'][number], index: number, { turn }: Context): Item {
  const { id, name, json } = call
  const item = { id: `fc_${turn}_${index}`, type: 'function_call', call_id: id, name }
  return {
    start: { ...item, status: 'in_progress', arguments: '' },
    events: [
      ...toPieces(json).map((delta) => ({ type: 'response.function_call_arguments.delta', delta })),
      { type: 'response.function_call_arguments.done', name, arguments: json },
    ],
    whole: { ...item, status: 'completed', arguments: json },
  }
}
