import type { LanguageModelV3StreamPart } from '@ai-sdk/provider'
import { expect, test } from 'vitest'
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
