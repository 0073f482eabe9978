import { expect, it } from 'vitest'
import { guardFetch } from '../../src/adapters/openai/index.js'
import type { AgentEvent } from '../../src/event.js'
import { findProtocol } from '../../src/wire/index.js'
import { listening } from './test-adapter.js'

/** What a server may say in the place of 0 and 1. */
const INDEXES: [unknown, unknown][] = [
  [0, 1],
  [1, 0],
  [10_000_000, 50_000_000],
  [4_294_967_290, 4_294_967_294],
  [4_294_967_295, 2 ** 53],
  [1e300, 2e300],
  [-1, -2],
  [0.5, 1.5],
  ['0', '1'],
  ['__proto__', 'constructor'],
  [null, 1],
  [undefined, undefined],
]

const toStream = (events: object[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')

/** Two calls, the second of them in pieces. */
const chatWith = ([first, second]: readonly unknown[]) => {
  const piece = (index: unknown, id: string | undefined, json: string) => ({
    choices: [
      {
        delta: {
          tool_calls: [{ index, id, function: { ...(id && { name: 'read' }), arguments: json } }],
        },
      },
    ],
  })
  return [
    piece(first, 'a', '{"path":"a"}'),
    piece(second, 'b', '{"path":'),
    piece(second, undefined, '"b"}'),
    { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
  ]
}

const responsesWith = (indexes: readonly unknown[]) => [
  { type: 'response.created', response: { id: 'one' } },
  ...indexes.flatMap((output_index, at) => {
    const id = 'ab'[at]
    const item = { type: 'function_call', call_id: id, name: 'read', arguments: `{"path":"${id}"}` }
    return ['added', 'done'].map((type) => ({
      type: `response.output_item.${type}`,
      output_index,
      item,
    }))
  }),
]

const STREAMS = { 'chat/completions': chatWith, responses: responsesWith }

it.each(
  Object.entries(STREAMS).flatMap(([path, events]) =>
    INDEXES.map((indexes) => [path, indexes, events] as const),
  ),
)('%s: reads the calls of an answer that numbers them %j', async (path, indexes, events) => {
  const seen: AgentEvent[] = []
  const stream = toStream(events(indexes))
  const fetch = guardFetch(
    listening(seen),
    async () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } }),
  )
  const body = JSON.stringify({ messages: [], input: [], stream: true })
  const response = await fetch(`http://host/v1/${path}`, { method: 'POST', body })
  expect(await response.text()).toBe(stream)
  const calls = seen.filter(({ type }) => type === 'tool-call')
  expect(calls.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))).toMatchObject([
    { id: 'a', args: '{"path":"a"}' },
    { id: 'b', args: '{"path":"b"}' },
  ])
})

it.each(INDEXES)('ends an answer that counts its items %j, %j', (...indexes) => {
  const { dialect } = findProtocol('/v1/responses') ?? {}
  const reader = dialect?.stream()
  for (const event of responsesWith(indexes)) reader?.read(event)
  const end = reader?.end() ?? ''
  expect(end.length).toBeLessThan(2000)
  const last = JSON.parse(end.split('data: ').at(-1) ?? '')
  expect(last.response.output.every(Boolean)).toBe(true)
})
