// A model on this machine that always makes the same call, so that the examples need no key and no network. It speaks the
// protocols of OpenAI, Anthropic and Google, as far as the examples use them.
import { once } from 'node:events'
import { createServer } from 'node:http'

/** Starts it on a free port. `next` gets the body of a request and says which tool to call. */
export async function startStuckModel(next) {
  const model = { url: '', requests: 0 }
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString() || '{}')
    const protocol = PROTOCOLS.find(({ path }) => path.test(request.url))
    if (!protocol) return response.writeHead(404).end('{}')
    const number = ++model.requests
    const { name, args = {} } = next(body)
    const answer = protocol.answer({ id: `call_${number}`, name, args }, body.model)
    const type = body.stream ? 'text/event-stream' : 'application/json'
    response.writeHead(200, { 'content-type': type })
    response.end(body.stream ? protocol.stream(answer).join('') : JSON.stringify(answer))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  model.url = `http://127.0.0.1:${server.address().port}`
  model.close = () => {
    server.close()
    server.closeAllConnections()
  }
  return model
}

const chatCompletions = {
  path: /^\/v1\/chat\/completions/,
  answer({ id, name, args }, model) {
    const call = { id, type: 'function', function: { name, arguments: JSON.stringify(args) } }
    const message = { role: 'assistant', content: null, tool_calls: [call] }
    const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
    const choices = [{ index: 0, message, finish_reason: 'tool_calls' }]
    return { id: `chat_${id}`, object: 'chat.completion', created: 0, model, choices, usage }
  },
  stream({ choices: [{ message, finish_reason }], ...answer }) {
    const tool_calls = message.tool_calls.map((call, index) => ({ index, ...call }))
    const choices = [{ index: 0, delta: { ...message, tool_calls }, finish_reason }]
    const chunk = { ...answer, object: 'chat.completion.chunk', choices }
    return [`data: ${JSON.stringify(chunk)}\n\n`, 'data: [DONE]\n\n']
  },
}

const responses = {
  path: /^\/v1\/responses/,
  answer({ id, name, args }, model) {
    const call = { type: 'function_call', call_id: id, name, arguments: JSON.stringify(args) }
    return {
      id: `response_${id}`,
      object: 'response',
      created_at: 0,
      model,
      status: 'completed',
      output: [{ id: `item_${id}`, status: 'completed', ...call }],
      usage: {
        input_tokens: 10,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 15,
      },
    }
  },
}

const messages = {
  path: /^\/v1\/messages(\?|$)/,
  answer: ({ id, name, args }, model) => ({
    id: `message_${id}`,
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'tool_use', id, name, input: args }],
    stop_reason: 'tool_use',
    stop_sequence: null,
    usage: { input_tokens: 10, output_tokens: 5 },
  }),
  stream({ content: [call], stop_reason, stop_sequence, usage, ...message }) {
    const partial_json = JSON.stringify(call.input)
    const start = { ...message, content: [], stop_reason: null, stop_sequence: null, usage }
    return [
      { type: 'message_start', message: start },
      { type: 'content_block_start', index: 0, content_block: { ...call, input: {} } },
      { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json } },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage },
      { type: 'message_stop' },
    ].map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  },
}

const generateContent = {
  path: /:generateContent/,
  answer({ id, name, args }) {
    const content = { role: 'model', parts: [{ functionCall: { id, name, args } }] }
    return { candidates: [{ index: 0, content, finishReason: 'STOP' }] }
  },
}

const PROTOCOLS = [chatCompletions, responses, messages, generateContent]
