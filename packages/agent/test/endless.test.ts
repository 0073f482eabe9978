import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createAgent } from '../src/agent.js'
import type { ModelEvent } from '../src/model.js'
import { resolveModel } from '../src/models/resolve-model.js'
import { collect } from './collect.js'
import { scriptedModel } from './scripted-model.js'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** A server whose answer begins and then brings the same thing without end; `left` settles when no client is there any more. */
async function startEndless(opening: readonly string[], again: string) {
  let open = 0
  let onClose = () => {}
  server = createServer((request, response) => {
    open++
    request.resume()
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const frame of opening) response.write(frame)
    const timer = setInterval(() => response.write(again), 1)
    response.on('close', () => {
      clearInterval(timer)
      if (--open === 0) onClose()
    })
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const left = () =>
    new Promise<void>((resolve) => {
      onClose = resolve
      if (open === 0) resolve()
    })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, left }
}

const data = (value: object) => `data: ${JSON.stringify(value)}\n\n`
const event = (value: { type: string }) => `event: ${value.type}\n${data(value)}`

interface Protocol {
  opening: string[]
  /** what keeps a connection open and says nothing */
  nothing: Record<string, string>
  /** how a call begins, and its arguments */
  call?: { opening: string[]; toDelta(text: string): string }
}

const chat = (delta: object) =>
  data({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null }] })
const gemini = (part: object) =>
  data({ candidates: [{ content: { parts: [part], role: 'model' }, index: 0 }] })
const block = (index: number, content_block: object) =>
  event({ type: 'content_block_start', ...{ index, content_block } })
const blockDelta = (index: number, delta: object) =>
  event({ type: 'content_block_delta', ...{ index, delta } })
const item = (fields: { type: string; id: string }) =>
  event({ type: 'response.output_item.added', ...{ output_index: 0, item: fields } })

const PROTOCOLS: Record<string, Protocol> = {
  'openai/gpt-5': {
    opening: [
      event({ type: 'response.created', ...{ response: { id: 'r', created_at: 1, model: 'm' } } }),
    ],
    nothing: {
      'empty text': event({ type: 'response.output_text.delta', ...{ item_id: 'i', delta: '' } }),
      'signs of life': event({ type: 'response.in_progress', ...{ response: { id: 'r' } } }),
    },
    call: {
      opening: [
        item({ type: 'function_call', id: 'f', ...{ call_id: 'c', name: 'look', arguments: '' } }),
      ],
      toDelta: (delta) =>
        event({
          type: 'response.function_call_arguments.delta',
          ...{ item_id: 'f', output_index: 0, delta },
        }),
    },
  },
  'anthropic/claude-opus-4': {
    opening: [
      event({
        type: 'message_start',
        ...{ message: { id: 'm', model: 'm', usage: { input_tokens: 1, output_tokens: 1 } } },
      }),
      block(0, { type: 'thinking', thinking: '', signature: '' }),
      block(1, { type: 'text', text: '' }),
    ],
    nothing: {
      pings: event({ type: 'ping' }),
      'empty text': blockDelta(1, { type: 'text_delta', text: '' }),
      'empty reasoning': blockDelta(0, { type: 'thinking_delta', thinking: '' }),
    },
    call: {
      opening: [block(2, { type: 'tool_use', id: 't', name: 'look', input: {} })],
      toDelta: (partial_json) => blockDelta(2, { type: 'input_json_delta', partial_json }),
    },
  },
  'google/gemini-3-pro': {
    opening: [gemini({ text: 'Hello.' })],
    nothing: {
      'empty text': gemini({ text: '' }),
      'empty reasoning': gemini({ text: '', thought: true }),
      'empty candidates': data({ candidates: [] }),
    },
  },
  'compatible/qwen3': {
    opening: [chat({ role: 'assistant', content: '' })],
    nothing: {
      'empty text': chat({ content: '' }),
      'empty reasoning': chat({ reasoning_content: '' }),
      'no choices': data({ id: 'c', created: 1, model: 'm', choices: [] }),
    },
    call: {
      opening: [
        chat({
          tool_calls: [
            { index: 0, id: 'c', type: 'function', function: { name: 'look', arguments: '' } },
          ],
        }),
      ],
      toDelta: (text) => chat({ tool_calls: [{ index: 0, function: { arguments: text } }] }),
    },
  },
}

/** How a prompt ends that is answered like this. */
async function endOf(spec: string, opening: readonly string[], again: string, silenceMs: number) {
  const { url, left } = await startEndless(opening, again)
  const env = {
    ...{ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: `${url}/v1` },
    ...{ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: url },
    ...{ GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: url },
  }
  const model = await resolveModel(spec, { env, silenceMs })
  const events = await collect(createAgent({ model, retries: 0 }).sendMessageStream('Hi'))
  await left()
  return events.at(-1)
}

describe.each(Object.entries(PROTOCOLS))('%s', (spec, { opening, nothing }) => {
  it.each(Object.entries({ ...nothing, comments: ': keep-alive\n\n' }))(
    'ends by itself when nothing but %s comes',
    async (_, again) => {
      expect(await endOf(spec, opening, again, 250)).toEqual({
        type: 'error',
        kind: 'silence',
        message: `nothing new from ${spec} for 0.25 s`,
        advice: 'Try again, or use another model.',
      })
    },
  )
})

const CALLS = Object.entries(PROTOCOLS).flatMap(([spec, { opening, call }]) =>
  call ? [{ spec, start: [...opening, ...call.opening], toDelta: call.toDelta }] : [],
)

it.each(CALLS)(
  '$spec ends by itself when the arguments of a call do not',
  async ({ spec, start, toDelta }) => {
    const opening = [...start, toDelta('{"path":"')]
    expect(await endOf(spec, opening, toDelta('a'.repeat(50_000)), 10_000)).toEqual({
      type: 'error',
      kind: 'endless',
      message: `${spec} did not finish a call in 1000000 characters`,
      advice: 'Ask for less at a time, or use another model.',
    })
  },
)

it('a model of your own that says nothing without end is given up too', async () => {
  const empty: ModelEvent = { type: 'reasoning', text: '', meta: { id: 1 } }
  const model = scriptedModel([Array.from({ length: 5000 }, () => empty)])
  const events = await collect(createAgent({ model, retries: 0 }).sendMessageStream('Hi'))
  expect(events.at(-1)).toMatchObject({ type: 'error', kind: 'silence' })
})
