import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import { createTranslator } from './to-model-events.js'

function translate(...parts: LanguageModelV3StreamPart[]) {
  const translator = createTranslator('test/m')
  return parts.flatMap((part) => translator(part))
}

const usage = {
  inputTokens: {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  },
  outputTokens: { total: 3, text: undefined, reasoning: undefined },
}

const toCall = (input: string): LanguageModelV3StreamPart => ({
  type: 'tool-call',
  toolCallId: '1',
  toolName: 'x',
  input,
})

test('a signature in the middle comes with the text so far', () => {
  const providerMetadata = { anthropic: { signature: 's' } }
  expect(
    translate(
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'Hm' },
      { type: 'reasoning-delta', id: '0', delta: '', providerMetadata },
      { type: 'reasoning-end', id: '0' },
    ),
  ).toEqual([
    { type: 'reasoning', text: 'Hm' },
    { type: 'reasoning', text: '', meta: providerMetadata },
  ])
})

test('what begin and end tell is told once, together', () => {
  expect(
    translate(
      { type: 'reasoning-start', id: '0', providerMetadata: { openai: { itemId: 'r', x: null } } },
      { type: 'reasoning-delta', id: '0', delta: 'Hm' },
      { type: 'reasoning-end', id: '0', providerMetadata: { openai: { x: 'encrypted' } } },
    ),
  ).toEqual([
    { type: 'reasoning', text: 'Hm' },
    { type: 'reasoning', text: '', meta: { openai: { itemId: 'r', x: 'encrypted' } } },
  ])
})

test('reasoning that is hidden is kept for the provider', () => {
  const providerMetadata = { anthropic: { redactedData: 'x' } }
  expect(
    translate(
      { type: 'reasoning-start', id: '0', providerMetadata },
      { type: 'reasoning-end', id: '0' },
    ),
  ).toEqual([{ type: 'reasoning', text: '', meta: providerMetadata }])
})

test('a text and a reasoning of the same id are two', () => {
  const providerMetadata = { google: { thoughtSignature: 's' } }
  expect(
    translate(
      { type: 'reasoning-start', id: '0', providerMetadata },
      { type: 'text-start', id: '0' },
      { type: 'text-end', id: '0' },
    ),
  ).toEqual([])
})

test('arguments are parsed, none are none, and what cannot be parsed is told', () => {
  expect(translate(toCall('{"a":1}'), toCall(''), toCall('{"a'))).toEqual([
    { type: 'tool-call', id: '1', name: 'x', args: { a: 1 } },
    { type: 'tool-call', id: '1', name: 'x', args: {} },
    {
      type: 'tool-call',
      id: '1',
      name: 'x',
      args: '{"a',
      invalid: expect.stringContaining('not valid JSON'),
    },
  ])
})

test('a call that the provider ran is none', () => {
  expect(
    translate({
      type: 'tool-call',
      toolCallId: '1',
      toolName: 'x',
      input: '',
      providerExecuted: true,
    }),
  ).toEqual([])
})

test('"stop" after calls means the calls', () => {
  const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage } as const
  expect(translate(finish).at(-1)).toEqual({ type: 'finish', reason: 'stop' })
  expect(translate(toCall(''), finish).at(-1)).toEqual({ type: 'finish', reason: 'tool-calls' })
})

test('usage holds what is known', () => {
  const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage } as const
  expect(translate(finish)[0]).toEqual({ type: 'usage', outputTokens: 3 })
})

test.each([
  ['error', 'MALFORMED_FUNCTION_CALL', 'malformed'],
  ['other', undefined, 'network'],
] as const)('an end by "%s" is none', (unified, raw, kind) => {
  const finish = { type: 'finish', finishReason: { unified, raw }, usage } as const
  expect(() => translate(finish)).toThrow(expect.objectContaining({ kind }))
})

describe('calls that the SDK reports at the end', () => {
  const late = (...parts: LanguageModelV3StreamPart[]) => {
    const translator = createTranslator('test/m', { hasLateCalls: true })
    return parts.map((part) => translator(part))
  }
  const begin = (id: string) => ({ type: 'tool-input-start', id, toolName: 'x' }) as const
  const write = (id: string, delta: string) => ({ type: 'tool-input-delta', id, delta }) as const
  const report = (id: string, input: string, providerMetadata?: object) =>
    ({
      ...{ type: 'tool-call', toolCallId: id, toolName: 'x', input },
      ...(providerMetadata && { providerMetadata }),
    }) as LanguageModelV3StreamPart
  const call = (id: string, args: unknown) => ({ type: 'tool-call', id, name: 'x', args })

  test('are told when their JSON is whole, and once', () => {
    const events = late(
      ...[begin('1'), write('1', '{"a":"}\\"'), write('1', '}"'), write('1', '}')],
      report('1', '{"a":"}\\"}"}'),
    )
    expect(events).toEqual([[], [], [], [call('1', { a: '}"}' })], []])
  })

  test('wait for the report where their arguments are not whole', () => {
    const text = { type: 'text-delta', id: '0', delta: 'Now' } as const
    const parts = [begin('1'), write('1', '{"a'), begin('2'), text, write('3', '{}')]
    expect(late(...parts).flat()).toEqual([{ type: 'text', text: 'Now' }])
    expect(late(...parts, report('1', '{"a')).at(-1)).toMatchObject([
      { args: '{"a', invalid: expect.any(String) },
    ])
    expect(late(...parts, report('2', '')).at(-1)).toEqual([call('2', {})])
  })

  test.each(['data = ["a"]', '[1]', '"{}"', '}{}'])('wait for the report after %s', (input) => {
    const texts = late(begin('1'), ...[...input].map((piece) => write('1', piece)))
    expect(texts.flat()).toEqual([])
  })

  test('may come in pieces by turns', () => {
    const events = late(
      ...[begin('1'), begin('2'), write('1', '{"a"'), write('2', '{"b"'), write('1', ':1}')],
      ...[write('2', ':2}'), report('1', '{"a":1}'), report('2', '{"b":2}')],
    )
    expect(events.flat()).toEqual([call('1', { a: 1 }), call('2', { b: 2 })])
  })

  test('go on after blank text', () => {
    const blank = { type: 'text-delta', id: '0', delta: '\n' } as const
    const events = late(begin('1'), write('1', '{"a"'), blank, write('1', ':1}'))
    expect(events[2]).toEqual([{ type: 'text', text: '\n' }])
    expect(events[3]).toEqual([call('1', { a: 1 })])
  })

  test('may all be opened before their arguments come', () => {
    const events = late(
      ...[begin('1'), begin('2'), begin('3')],
      ...[write('1', '{"a":1}'), write('2', '{"a":2}'), write('3', '{"a":3}')],
      ...[report('1', '{"a":1}'), report('2', '{"a":2}'), report('3', '{"a":3}')],
    )
    expect(events.flat()).toEqual([1, 2, 3].map((a) => call(`${a}`, { a })))
  })

  test('are corrected by the report', () => {
    const signed = { compatible: { thoughtSignature: 's' } }
    const correction = { ...call('1', { a: 1 }), type: 'call-correction' }
    expect(late(begin('1'), write('1', '{"a":1}'), report('1', '{"a":1}', signed))[2]).toEqual([
      { ...correction, meta: signed },
    ])
  })
})
