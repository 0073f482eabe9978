import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { presets } from 'unloop/presets'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { createAgent } from '../src/agent.js'
import { PROVIDERS } from '../src/models/providers.js'
import { resolveModel } from '../src/models/resolve-model.js'
import { defineTool } from '../src/tool.js'
import { collect, ofType } from './collect.js'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const event = (type: string, value: object) => `event: ${type}\n${data({ type, ...value })}`
const argsOf = (n: number) => JSON.stringify({ path: `f${n}` })

interface Protocol {
  opening: string
  /** the frames of one call, complete */
  call(n: number): string
  /** a word after the calls */
  word: string
}

const chatDelta = (delta: object) =>
  data({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null }] })

const CHAT: Protocol = {
  opening: chatDelta({ role: 'assistant', content: '' }),
  call: (index) => {
    const start = { name: 'read_file', arguments: '' }
    const [first, second] = [argsOf(index).slice(0, 5), argsOf(index).slice(5)]
    return [
      { index, id: `call_${index}`, type: 'function', function: start },
      { index, function: { arguments: first } },
      { index, function: { arguments: second } },
    ]
      .map((call) => chatDelta({ tool_calls: [call] }))
      .join('')
  },
  word: chatDelta({ content: 'Then' }),
}

const RESPONSES: Protocol = {
  opening: event('response.created', { response: { id: 'r', created_at: 1, model: 'm' } }),
  call: (output_index) => {
    const item = {
      ...{ type: 'function_call', id: `fc_${output_index}` },
      ...{ call_id: `call_${output_index}`, name: 'read_file' },
    }
    const whole = argsOf(output_index)
    return [
      event('response.output_item.added', { output_index, item: { ...item, arguments: '' } }),
      event('response.function_call_arguments.delta', {
        ...{ item_id: item.id, output_index, delta: whole },
      }),
      event('response.output_item.done', {
        ...{ output_index, item: { ...item, status: 'completed', arguments: whole } },
      }),
    ].join('')
  },
  word:
    event('response.output_item.added', { output_index: 9, item: { type: 'message', id: 'm' } }) +
    event('response.output_text.delta', { item_id: 'm', output_index: 9, delta: 'Then' }),
}

const MESSAGES: Protocol = {
  opening: event('message_start', {
    message: { id: 'm', model: 'm', usage: { input_tokens: 1, output_tokens: 1 } },
  }),
  call: (index) =>
    [
      event('content_block_start', {
        index,
        content_block: { type: 'tool_use', id: `call_${index}`, name: 'read_file', input: {} },
      }),
      event('content_block_delta', {
        index,
        delta: { type: 'input_json_delta', partial_json: argsOf(index) },
      }),
      event('content_block_stop', { index }),
    ].join(''),
  word:
    event('content_block_start', { index: 9, content_block: { type: 'text', text: '' } }) +
    event('content_block_delta', { index: 9, delta: { type: 'text_delta', text: 'Then' } }),
}

const CONTENTS: Protocol = {
  opening: data({ candidates: [{ content: { parts: [{ text: 'I look.' }], role: 'model' } }] }),
  call: (n) => {
    const functionCall = { id: `call_${n}`, name: 'read_file', args: { path: `f${n}` } }
    return data({ candidates: [{ content: { parts: [{ functionCall }], role: 'model' } }] })
  },
  word: data({ candidates: [{ content: { parts: [{ text: 'Then' }], role: 'model' } }] }),
}

const PROTOCOLS: Record<string, Protocol> = {
  openai: RESPONSES,
  anthropic: MESSAGES,
  google: CONTENTS,
  ollama: CHAT,
  lmstudio: CHAT,
  vllm: CHAT,
  compatible: CHAT,
}

const FOUR = [0, 1, 2, 3]

/** What a server sends up to the fourth call, one write each. */
const ANSWERS: Record<string, (protocol: Protocol) => string[]> = {
  'four calls': ({ call }) => FOUR.map(call),
  'four calls at once': ({ call }) => [FOUR.map(call).join('')],
  'four calls, and a word': ({ call, word }) => [...FOUR.map(call), word],
}

const chatCall = (index: number, more: object) => chatDelta({ tool_calls: [{ index, ...more }] })
const opened = (index: number, args: string) => ({
  ...{ index, id: `call_${index}`, type: 'function' },
  function: { name: 'read_file', arguments: args },
})

/** What servers with OpenAI's chat completions send besides. */
const CHAT_ANSWERS: Record<string, string[]> = {
  'whole calls': FOUR.map((index) => chatDelta({ tool_calls: [opened(index, argsOf(index))] })),
  'a list of whole calls': [
    chatDelta({ tool_calls: FOUR.map((index) => opened(index, argsOf(index))) }),
  ],
  'all calls opened first': [
    ...FOUR.map((index) => chatCall(index, opened(index, ''))),
    ...FOUR.map((index) => chatCall(index, { function: { arguments: argsOf(index) } })),
  ],
  'one character at a time': FOUR.flatMap((index) => [
    chatCall(index, opened(index, '')),
    ...[...argsOf(index)].map((character) =>
      chatCall(index, { function: { arguments: character } }),
    ),
  ]),
}

const CASES = Object.entries(PROTOCOLS).flatMap(([provider, protocol]) => {
  const shared = Object.entries(ANSWERS).map(([name, toWrites]) => [name, toWrites(protocol)])
  const own = protocol === CHAT ? Object.entries(CHAT_ANSWERS) : []
  return [...shared, ...own].map(([name, writes]) => ({
    ...{ provider, name: String(name), opening: protocol.opening, writes: writes as string[] },
  }))
})

/** A server that sends this in one answer, and nothing more until its client is gone. */
async function startServer(writes: string[]) {
  let requests = 0
  let onClose = () => {}
  const closed = new Promise<void>((resolve) => {
    onClose = resolve
  })
  const answer = async (response: ServerResponse) => {
    requests++
    response.once('close', onClose)
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const text of writes) {
      await new Promise((resolve) => {
        response.write(text, resolve)
      })
    }
  }
  server = createServer((request, response) => {
    request.resume().once('end', () => answer(response))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    closed,
    get requests() {
      return requests
    },
  }
}

const KEYS = { OPENAI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k', GEMINI_API_KEY: 'k' }

it('is tried with every provider', () => {
  expect(Object.keys(PROTOCOLS).sort()).toEqual(Object.keys(PROVIDERS).sort())
})

it.each(CASES)(
  '$provider, $name: the connection closes at the call that is refused, not at the end of the answer',
  async ({ provider, opening, writes }) => {
    const ran: string[] = []
    const readFile = defineTool({
      name: 'read_file',
      description: 'Reads a file.',
      parameters: z.object({ path: z.string() }),
      effect: 'reads',
      execute: ({ path }) => {
        ran.push(path)
        return path
      },
    })
    const host = await startServer([opening, ...writes])
    const isBare = provider === 'google' || provider === 'anthropic'
    const baseUrl = isBare ? host.url : `${host.url}/v1`
    const model = await resolveModel(`${provider}/gemini-3-pro-preview`, { env: KEYS, baseUrl })
    const agent = createAgent({ model, tools: [readFile], guard: { preset: presets.deepv } })
    const events = await collect(agent.sendMessageStream('Read all files.'))
    await host.closed
    expect(events.at(-1)).toMatchObject({ type: 'loop_detected', finding: { count: 4 } })
    expect(ofType(events, 'tool-call')).toHaveLength(3)
    expect(ran).toEqual([])
    expect(host.requests).toBe(1)
  },
)
