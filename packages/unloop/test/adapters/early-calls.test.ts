import * as v6 from 'ai'
import * as v7 from 'ai7'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { guardRun } from '../../src/adapters/ai-sdk/index.js'
import { createGuard } from '../../src/guard.js'

// biome-ignore lint/suspicious/noExplicitAny: two versions of one SDK
type Any = any

/** What a model streams in its answers. */
function modelOf(provider: string, answers: (turn: number) => Any[]): Any {
  let turn = 0
  return {
    specificationVersion: 'v3',
    provider,
    modelId: 'm',
    supportedUrls: {},
    doStream: async () => ({
      stream: ReadableStream.from([{ type: 'stream-start', warnings: [] }, ...answers(turn++)]),
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
const finish = (unified: string) => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
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
  })
}
