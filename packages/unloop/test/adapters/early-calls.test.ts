import * as v6 from 'ai'
import * as v7 from 'ai7'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { guardMiddleware, guardRun, outcomeOf } from '../../src/adapters/ai-sdk/index.js'
import { createGuard } from '../../src/guard.js'

// biome-ignore lint/suspicious/noExplicitAny: two versions of one SDK
type Any = any

/** A stream of parts. */
function toStream(parts: Any[]) {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

/** What a model streams in its answers. */
function modelOf(provider: string, answers: (turn: number) => Any[]): Any {
  let turn = 0
  return {
    specificationVersion: 'v3',
    provider,
    modelId: 'm',
    supportedUrls: {},
    doStream: async () => ({
      stream: toStream([{ type: 'stream-start', warnings: [] }, ...answers(turn++)]),
    }),
    doGenerate: async () => ({
      content: [{ type: 'text', text: 'Done.' }],
      ...USAGE,
      warnings: [],
    }),
  }
}

const begin = (id: string, toolName: string, more = {}) => ({
  ...{ type: 'tool-input-start', id, toolName },
  ...more,
})
const write = (id: string, delta: string) => ({ type: 'tool-input-delta', id, delta })
const report = (id: string, toolName: string, input: string, more = {}) => [
  { type: 'tool-input-end', id },
  { type: 'tool-call', toolCallId: id, toolName, input, ...more },
]
const USAGE = {
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
}
const finish = (unified: string) => ({
  ...{ type: 'finish', ...USAGE },
  finishReason: { unified, raw: unified },
})
const words = (text: string) => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: text },
  { type: 'text-end', id: 't' },
]
const DONE = [...words('Done.'), finish('stop')]

/** The texts in pieces, by turns. */
function mix(texts: Record<string, string>): Any[] {
  const longest = Math.max(...Object.values(texts).map(({ length }) => length))
  const pieces: Any[] = []
  for (let at = 0; at < longest; at += 4)
    for (const [id, text] of Object.entries(texts))
      if (at < text.length) pieces.push(write(id, text.slice(at, at + 4)))
  return pieces
}

/** The arguments of work that goes on: each beginning is the same, and each end another. */
const INPUTS: Record<string, (row: number) => string> = {
  'a program': (row) => `data = ["a"]\nsave("row ${row}", ${row})`,
  'a program in brackets': (row) => `["a"]\nsave("row ${row}", ${row})`,
  'a patch': (row) => `*** Begin Patch\n+{"a": 1}\n+row ${row}\n*** End Patch`,
  'a string': (row) => JSON.stringify(`{} ${row}`),
  'a list': (row) => JSON.stringify(['row', row]),
  'an object': (row) => JSON.stringify({ text: '}{"\\', row }),
}

for (const [version, sdk] of Object.entries({ 6: v6, 7: v7 }) as [string, Any][]) {
  const stepCountIs = sdk.stepCountIs ?? sdk.isStepCount

  describe(`ai-sdk ${version}, calls while they come`, () => {
    it.each(
      Object.keys(INPUTS).flatMap((name) =>
        ['in order', 'by turns'].map((order) => [name, order] as const),
      ),
    )('reads all of %s, %s', async (name, order) => {
      const inputOf = INPUTS[name] as (row: number) => string
      const guard = createGuard()
      const rows: string[] = []
      const execute = (input: unknown) => {
        rows.push(typeof input === 'string' ? input : JSON.stringify(input))
        return 'ok'
      }
      const tools = {
        append: sdk.tool({ inputSchema: z.any(), execute }),
        log: sdk.tool({ inputSchema: z.any(), execute: () => 'ok' }),
      }
      const model = modelOf('local.chat', (row) => {
        if (row >= 12) return DONE
        const input = JSON.stringify(inputOf(row))
        // as a whole it is JSON, as the SDK wants it; its pieces come as they are
        const args = name === 'an object' ? inputOf(row) : input
        const [a, b] = [`a${row}`, `b${row}`]
        const logged = '{"q":"status"}'
        return [
          ...[begin(a, 'append'), begin(b, 'log')],
          ...(order === 'in order'
            ? [...mix({ [a]: inputOf(row) }), ...mix({ [b]: logged })]
            : mix({ [a]: inputOf(row), [b]: logged })),
          ...report(a, 'append', args),
          ...report(b, 'log', logged),
          finish('tool-calls'),
        ]
      })
      const options = guardRun(guard, { tools, stopWhen: stepCountIs(20) })
      const result = sdk.streamText({ model, prompt: 'append rows 0 to 11', ...options })
      expect(await result.text).toBe('Done.')
      expect(rows).toHaveLength(12)
      expect(guard.findings).toEqual([])
      expect(guard.faults).toEqual([])
    })

    it.each(
      ['guardRun', 'guardMiddleware'].flatMap((seam) =>
        [false, true].flatMap((dynamic) =>
          [false, true].flatMap((hasOwn) =>
            ['anthropic.messages', 'local.chat'].map(
              (provider) => [seam, dynamic, hasOwn, provider] as const,
            ),
          ),
        ),
      ),
    )(
      'leaves out a call of the provider that ends the run: %s, dynamic %s, after one of the program %s, %s',
      async (seam, dynamic, hasOwn, provider) => {
        const guard = createGuard()
        const more = { providerExecuted: true, ...(dynamic && { dynamic }) }
        const asks = { search: 0 }
        const model = modelOf(provider, (turn) => {
          asks.search++
          const searches = Array.from({ length: 9 }, (_, at) => {
            const id = `s${turn}_${at}`
            return [
              ...[begin(id, 'search', more), write(id, '{"q":"x"}')],
              ...report(id, 'search', '{"q":"x"}', more),
              {
                type: 'tool-result',
                toolCallId: id,
                toolName: 'search',
                result: { a: 1 },
                dynamic,
              },
            ]
          })
          const own = [begin('own', 'read'), write('own', '{}'), ...report('own', 'read', '{}')]
          return [
            ...(hasOwn ? own : []),
            ...searches.flat(),
            finish(hasOwn ? 'tool-calls' : 'stop'),
          ]
        })
        const search = {
          ...{ type: 'provider', id: 'x.search', name: 'search', args: {} },
          ...{ isProviderExecuted: true, inputSchema: z.any() },
        }
        const read = sdk.tool({ inputSchema: z.any(), execute: () => 'content' })
        const tools = { read, ...(!dynamic && { search }) }
        const own = { tools, stopWhen: stepCountIs(9) }
        const errors: unknown[] = []
        const onError = ({ error }: Any) => errors.push(error)
        const middleware = guardMiddleware(guard)
        const result = sdk.streamText({
          ...{ prompt: 'go', onError },
          ...(seam === 'guardRun'
            ? { model, ...guardRun(guard, own) }
            : { model: sdk.wrapLanguageModel({ model, middleware }), ...own }),
        })
        expect(await result.text).toMatch(/^Stopped: /)
        expect(await result.finishReason).toBe('other')
        expect(asks.search).toBe(1)
        expect(outcomeOf(guard)).toBe('stopped')
        const messages = (await result.responseMessages) ?? (await result.response).messages
        const next = { role: 'user', content: 'next' }
        const asked = {
          model,
          tools,
          messages: [{ role: 'user', content: 'go' }, ...messages, next],
        }
        expect((await sdk.generateText(asked)).text).toBe('Done.')
        expect(errors).toEqual([])
      },
    )

    it.each([
      ['google.generative-ai', true],
      ['local.chat', true],
      ['openai.responses', false],
      ['anthropic.messages', false],
      ['azure.responses', false],
    ])('keeps what %s wants back with the last call', async (provider, isEarly) => {
      const guard = createGuard()
      const model = modelOf(provider, (turn) => {
        const calls = Array.from({ length: 2 }, (_, at) => {
          const id = `c${turn}_${at}`
          const own = { providerMetadata: { provider: { signature: `of ${id}` } } }
          return [
            ...[begin(id, 'read', isEarly ? own : {}), write(id, '{"path":"a"}')],
            ...report(id, 'read', '{"path":"a"}', own),
          ]
        })
        return [...calls.flat(), finish('tool-calls')]
      })
      const tools = { read: sdk.tool({ inputSchema: z.any(), execute: () => 'content' }) }
      const options = guardRun(guard, { tools, stopWhen: stepCountIs(9) })
      const result = sdk.streamText({ model, prompt: 'go', ...options })
      expect(await result.text).toMatch(/^Stopped: /)
      const messages = (await result.responseMessages) ?? (await result.response).messages
      const calls = messages
        .filter(({ role }: Any) => role === 'assistant')
        .flatMap(({ content }: Any) => content)
        .filter(({ type }: Any) => type === 'tool-call')
      expect(calls.length).toBeGreaterThan(3)
      for (const { toolCallId, providerOptions } of calls)
        expect(providerOptions).toEqual({ provider: { signature: `of ${toolCallId}` } })
    })
  })
}
