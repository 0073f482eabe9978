import { findProtocol, placeOf } from 'unloop/wire'
import { describe, expect, it } from 'vitest'
import { toConfig } from '../config/config.js'
import { startLane } from './lane.js'
import { type ModelRequest, readRequest } from './read-request.js'

const { limits } = toConfig({})

/** Lets go of the event loop as often as it can. */
const breath = { isDue: true, take: () => Promise.resolve() }

const read = async (path: string, body: unknown) => {
  const bytes = Buffer.from(JSON.stringify(body))
  return (await readRequest(path, { bytes, body, breath }, limits)) as ModelRequest
}

const times = <Item>(count: number, make: (at: number) => Item[]) =>
  Array.from({ length: count }, (_, at) => make(at)).flat()

/** Histories of more messages than are read at once, with words beside the answers of tools and calls that nobody answered. */
const HISTORIES: Record<string, [path: string, body: object]> = {
  'chat completions': [
    '/v1/chat/completions',
    {
      messages: times(333, (at) => [
        { role: 'user', content: `Question ${at}` },
        { role: 'user', content: 'And more' },
        {
          role: 'assistant',
          content: at % 3 ? 'Let me see.' : null,
          tool_calls: [{ id: `call_${at}`, function: { name: 'read', arguments: `{"at":${at}}` } }],
        },
        ...(at % 5 ? [{ role: 'tool', tool_call_id: `call_${at}`, content: `answer ${at}` }] : []),
        ...(at % 7 ? [] : [{ role: 'user', content: 'Step done, continue.' }]),
      ]),
    },
  ],
  'Anthropic messages': [
    '/v1/messages',
    {
      messages: times(333, (at) => [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: `t${at}`, name: 'read', input: { at } }],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: `t${at}`, content: `answer ${at}` },
            { type: 'text', text: 'continue' },
          ],
        },
        { role: 'user', content: `More ${at}` },
      ]),
    },
  ],
  Responses: [
    '/v1/responses',
    {
      input: times(333, (at) => [
        { role: 'user', content: `Question ${at}` },
        { type: 'function_call', call_id: `c${at}`, name: 'read', arguments: '{}' },
        { type: 'function_call_output', call_id: `c${at}`, output: `answer ${at}` },
      ]),
    },
  ],
  Gemini: [
    '/v1beta/models/m:generateContent',
    {
      contents: times(333, (at) => [
        { role: 'user', parts: [{ text: `Question ${at}` }] },
        { role: 'model', parts: [{ functionCall: { name: 'read', args: { at } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'read', response: { output: at } } }] },
      ]),
    },
  ],
}

describe('a long history', () => {
  it.each(Object.entries(HISTORIES))('reads the same in sips: %s', async (_, [path, body]) => {
    const whole = findProtocol(path)?.dialect.history(structuredClone(body)) ?? []
    const request = await read(path, body)
    expect(request.history).toEqual(whole)
    expect({ last: request.last, whole: request.whole }).toEqual(placeOf(whole))
  })

  it('is shown to a new guard as far as that keeps it', async () => {
    const rounds = (count: number) => [
      { role: 'user', content: 'Read all of it' },
      ...times(count, (at) => [
        {
          role: 'assistant',
          tool_calls: [{ id: `call_${at}`, function: { name: 'read', arguments: `{"at":${at}}` } }],
        },
        { role: 'tool', tool_call_id: `call_${at}`, content: `answer ${at}` },
      ]),
    ]
    const eventsAfter = async (messages: object[]) =>
      (await startLane('', await read('/v1/chat/completions', { messages }), {})).guard.events
    const kept = await eventsAfter(rounds(120))
    expect(await eventsAfter(rounds(100))).toBeLessThan(kept)
    expect(await eventsAfter(rounds(121))).toBe(kept)
    expect(await eventsAfter(rounds(3000))).toBe(kept)
    // one round of very many calls
    const calls = times(5000, (at) => [
      { id: `call_${at}`, function: { name: 'read', arguments: `{"at":${at}}` } },
    ])
    const wide = [
      { role: 'user', content: 'Read all of it' },
      { role: 'assistant', tool_calls: calls },
    ]
    expect(await eventsAfter(wide)).toBeLessThan(2100)
  })

  it('keeps long arguments apart, and compares them', async () => {
    const asking = (args: string) => ({
      messages: [
        { role: 'user', content: 'Write it' },
        {
          role: 'assistant',
          tool_calls: [{ id: 'c', function: { name: 'write', arguments: args } }],
        },
      ],
    })
    const place = async (args: string) => (await read('/v1/chat/completions', asking(args))).whole
    const long = `{"text":"${'x'.repeat(300_000)}"}`
    expect(await place(long)).toBe(await place(long))
    expect(await place(long)).not.toBe(await place(long.replace('xxx', 'xyx')))
    const many = JSON.stringify(Array(6000).fill({ to: 'x' }))
    expect(await place(many)).toBe(await place(many))
    expect(await place(many)).not.toBe(await place(many.replace('x', 'y')))
  })
})

it('a thought without a signature is left out, as its provider wants it', async () => {
  const thought = { type: 'thinking', thinking: 'Hm', signature: '' }
  const said = { type: 'text', text: 'Hello' }
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: [thought, said] },
    { role: 'user', content: 'Go on' },
  ]
  const request = await read('/v1/messages', { messages })
  expect(request.isHealed).toBe(true)
  expect(request.body.messages[1].content).toEqual([said])
  expect((await read('/v1/messages', { messages: messages.slice(0, 1) })).isHealed).toBe(false)
})
