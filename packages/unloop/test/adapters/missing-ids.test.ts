import * as v6 from 'ai'
import * as v7 from 'ai7'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { guardMiddleware, guardRun } from '../../src/adapters/ai-sdk/index.js'
import { createGuard } from '../../src/guard.js'

// biome-ignore lint/suspicious/noExplicitAny: two versions of one SDK
type Any = any

const USAGE = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const finishReason = { unified: 'tool-calls', raw: 'tool-calls' }

/** A stream of parts. */
function toStream(parts: Any[]) {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part)
      controller.close()
    },
  })
}

/** A model that makes these calls in each answer. */
function modelOf(calls: (turn: number) => Any[]): Any {
  let turn = 0
  const next = () => calls(turn++).map((call) => ({ type: 'tool-call', ...call }))
  return {
    specificationVersion: 'v3',
    provider: 'local.chat',
    modelId: 'm',
    supportedUrls: {},
    doGenerate: async () => ({ content: next(), finishReason, usage: USAGE, warnings: [] }),
    doStream: async () => ({
      stream: toStream([
        { type: 'stream-start', warnings: [] },
        ...next(),
        { type: 'finish', finishReason, usage: USAGE },
      ]),
    }),
  }
}

const IDS: Record<string, (turn: number, at: number) => string | undefined> = {
  'no ids': () => undefined,
  'empty ids': () => '',
  'ids of their own': (turn, at) => `call_${turn}_${at}`,
}

for (const [version, sdk] of Object.entries({ 6: v6, 7: v7 }) as [string, Any][])
  for (const seam of ['guardRun', 'guardMiddleware'])
    for (const isStreamed of [false, true])
      describe(`ai-sdk ${version}, ${seam}, streamed ${isStreamed}`, () => {
        async function play(
          toId: (turn: number, at: number) => string | undefined,
          inputs: string[],
          answer: (run: number) => string,
        ) {
          const guard = createGuard()
          let runs = 0
          const execute = () => answer(runs++)
          const model = modelOf((turn) =>
            inputs.map((input, at) => ({ toolCallId: toId(turn, at), toolName: 'get', input })),
          )
          const tools = { get: sdk.tool({ inputSchema: z.any(), execute }) }
          const own = { tools, stopWhen: (sdk.stepCountIs ?? sdk.isStepCount)(20) }
          const middleware = guardMiddleware(guard)
          const options = {
            prompt: 'go',
            onError() {},
            ...(seam === 'guardRun'
              ? { model, ...guardRun(guard, own) }
              : { model: sdk.wrapLanguageModel({ model, middleware }), ...own }),
          }
          const result = isStreamed ? sdk.streamText(options) : await sdk.generateText(options)
          if (isStreamed) await result.consumeStream()
          expect(guard.faults).toEqual([])
          return { text: await result.text, runs, findings: guard.findings }
        }

        it.each(Object.keys(IDS))(
          'finds a loop of calls with %s, and counts each once',
          async (ids) => {
            const toId = IDS[ids] as (turn: number, at: number) => string | undefined
            const { text, findings } = await play(toId, ['{"k":"a"}'], () => 'same')
            expect(text).toMatch(/^Stopped: get was called [45] times in a row/)
            expect(findings.length).toBeGreaterThan(0)
          },
        )

        it.each(Object.keys(IDS))('leaves a poll of calls with %s alone', async (ids) => {
          const toId = IDS[ids] as (turn: number, at: number) => string | undefined
          const { text, runs } = await play(toId, ['{"k":"a"}'], (run) => `step ${run} of 20`)
          expect(text).toBe('')
          expect(runs).toBe(20)
        })

        it.each(Object.keys(IDS))(
          'tells the answers of parallel calls with %s apart',
          async (ids) => {
            const toId = IDS[ids] as (turn: number, at: number) => string | undefined
            const { text } = await play(toId, ['{"k":"a"}', '{"k":"b"}'], (run) => `of ${run % 2}`)
            expect(text).toMatch(/^Stopped: /)
          },
        )
      })
