import type { AgentEvent } from 'unloop'
import { findProtocol } from 'unloop/wire'
import { describe, expect, it } from 'vitest'
import { tapEvents } from './answer-tap.js'

/** Passes a stream in pieces; gives what came out, and what was heard. */
function play(path: string, stream: string, isHeld = false) {
  const events: AgentEvent[] = []
  let reads = 0
  const reader = findProtocol(path)?.dialect.stream()
  if (!reader) throw new Error(path)
  const counted: typeof reader = {
    ...reader,
    read(piece) {
      reads++
      return reader.read(piece)
    },
  }
  const listener = {
    see: (event: AgentEvent) => void events.push(event) as never,
    finish: () => undefined,
    lose() {},
  }
  const tap = tapEvents(counted, listener, isHeld)
  const bytes = Buffer.from(stream)
  let passed = ''
  for (let at = 0; at < bytes.length; at += 60_000) {
    const { bytes: out, look } = tap.pass(bytes.subarray(at, at + 60_000))
    passed += out ?? ''
    look?.()
  }
  void tap.end()
  return { events, reads, passed }
}

const data = (...said: object[]) => said.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('')
const after = { type: 'text', text: 'after' }
const piecesOf = (text: string) => text.match(/[\s\S]{1,5000}/g) ?? []

const CHAT = '/v1/chat/completions'
const ANTHROPIC = '/v1/messages'
const chatText = (content: string) => data({ choices: [{ delta: { content } }] })
const chatCall = (args: string) =>
  piecesOf(args)
    .map((piece) =>
      data({
        choices: [
          { delta: { tool_calls: [{ index: 0, id: 'c', function: { arguments: piece } }] } },
        ],
      }),
    )
    .join('') + data({ choices: [{ delta: {}, finish_reason: 'tool_calls' }] })
const anthropicText = (text: string) =>
  data({ type: 'content_block_delta', delta: { type: 'text_delta', text } })
const anthropicCall = (args: string) =>
  data({ type: 'content_block_start', content_block: { type: 'tool_use', name: 'f', id: 't' } }) +
  piecesOf(args)
    .map((partial_json) =>
      data({ type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json } }),
    )
    .join('') +
  data({ type: 'content_block_stop' })

describe.each([
  ['chat completions', CHAT, chatCall, chatText],
  ['Anthropic', ANTHROPIC, anthropicCall, anthropicText],
])('a call in a stream of %s', (_, path, call, text) => {
  it('is read up to more than models write', () => {
    const stream = call(`"${'x'.repeat(400_000)}"`) + call('{}') + text('after')
    const { events, passed } = play(path, stream)
    expect(events.map(({ type }) => type)).toEqual(['tool-call', 'tool-call', 'text'])
    expect(passed).toBe(stream)
  })

  it('is not kept beyond that, and passes', () => {
    const stream = call(`[${'{},'.repeat(1_000_000)}1]`) + text('after')
    const { events, reads, passed } = play(path, stream)
    expect(events).toEqual([])
    // 512 KB in pieces of 5 KB
    expect(reads).toBeLessThan(110)
    expect(passed).toBe(stream)
  })
})

describe('an event', () => {
  const many = `data: {"choices":[],"x":[${'{},'.repeat(20_000)}1]}\n\n`
  const long = `data: {"choices":[],"x":"${'y'.repeat(2_000_000)}"}\n\n`

  it.each([
    ['of very many values', many],
    ['that is very long', long],
  ])('%s is not read, and passes', (_, event) => {
    const stream = event + chatText('after')
    const { events, reads, passed } = play(CHAT, stream)
    expect([events, reads]).toEqual([[after], 1])
    expect(passed).toBe(stream)
  })

  it('with a long text is read', () => {
    const { events } = play(CHAT, chatText('x'.repeat(500_000)))
    expect(events).toEqual([{ type: 'text', text: 'x'.repeat(500_000) }])
  })

  it.each([20_000, 2_000_000])('that ends an answer is held, also if it has %i characters', (n) => {
    const last = data({ type: 'response.completed', response: { text: 'x'.repeat(n) } })
    const { passed } = play('/v1/responses', data({ type: 'response.created' }) + last, true)
    expect(passed).not.toMatch(/\n\n$/)
  })
})
