import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import * as v6 from 'ai'
import * as v5 from 'ai5'
import { createOpenAI as createOpenAI5 } from 'ai5-openai'
import * as v7 from 'ai7'
import { createOpenAI as createOpenAI7 } from 'ai7-openai'
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { guardMiddleware, guardRun } from '../../src/adapters/ai-sdk/index.js'
import { createGuard, type Guard } from '../../src/guard.js'
import { createGuards, type Guards } from '../../src/host/guards.js'
import { presets } from '../../src/presets/index.js'

let server: Server | undefined
afterEach(() => {
  server?.closeAllConnections()
  server?.close()
})

/** A server that sends this in one answer, and nothing more until its client is gone. */
async function startServer(writes: readonly string[]) {
  let onClose = () => {}
  const closed = new Promise<void>((resolve) => {
    onClose = resolve
  })
  let requests = 0
  server = createServer((request, response) => {
    requests++
    request.resume().once('end', async () => {
      response.once('close', onClose)
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const text of writes) await new Promise((resolve) => response.write(text, resolve))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/v1`, closed, requests: () => requests }
}

const frame = (delta: object) =>
  `data: ${JSON.stringify({ id: 'c', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`
const piece = (index: number, more: object) => frame({ tool_calls: [{ index, ...more }] })
const opened = (index: number, args: string) =>
  piece(index, {
    ...{ id: `call_${index}`, type: 'function' },
    function: { name: 'read_file', arguments: args },
  })
const argsOf = (index: number) => JSON.stringify({ path: `f "{${index}` })
const rest = (index: number, args: string) => piece(index, { function: { arguments: args } })

const FOUR = [0, 1, 2, 3]
const OPENING = frame({ role: 'assistant', content: '' })

/** What servers send up to the fourth call. */
const ANSWERS: Record<string, string[]> = {
  'calls in pieces': FOUR.flatMap((index) => [
    opened(index, ''),
    rest(index, argsOf(index).slice(0, 5)),
    rest(index, argsOf(index).slice(5)),
  ]),
  'whole calls': FOUR.map((index) => opened(index, argsOf(index))),
  'one character at a time': FOUR.flatMap((index) => [
    opened(index, ''),
    ...[...argsOf(index)].map((character) => rest(index, character)),
  ]),
}

/** Those of servers whose SDK tells of calls at the end of an answer only. */
const LATE_ANSWERS: Record<string, string[]> = {
  'all calls opened first': [
    ...FOUR.map((index) => opened(index, '')),
    ...FOUR.map((index) => rest(index, argsOf(index))),
  ],
}

// biome-ignore lint/suspicious/noExplicitAny: three versions of one SDK
type Any = any

const compatible = (options: Any) =>
  createOpenAICompatible({ ...options, name: 'local' }).chatModel('gemini-3-pro-preview')
const openai = (create: Any) => (options: Any) => create(options).chat('gemini-3-pro-preview')

const SDKS: Record<string, { sdk: Any; modelOf(options: Any): Any; answers: typeof ANSWERS }> = {
  'ai 5': { sdk: v5, modelOf: openai(createOpenAI5), answers: ANSWERS },
  'ai 6': { sdk: v6, modelOf: openai(createOpenAI), answers: ANSWERS },
  'ai 7': { sdk: v7, modelOf: openai(createOpenAI7), answers: ANSWERS },
  'ai 6, openai-compatible': {
    ...{ sdk: v6, modelOf: compatible, answers: { ...ANSWERS, ...LATE_ANSWERS } },
  },
  'ai 7, openai-compatible': {
    ...{ sdk: v7, modelOf: compatible, answers: { ...ANSWERS, ...LATE_ANSWERS } },
  },
}

const CASES = Object.entries(SDKS).flatMap(([name, { answers, ...rest }]) =>
  Object.entries(answers).flatMap(([answer, writes]) =>
    ['guardRun', 'guardMiddleware'].map((seam) => ({
      name,
      answer,
      seam,
      writes,
      ...rest,
    })),
  ),
)

it.each(CASES)(
  '$name, $seam, $answer: the connection closes at the call that is refused',
  async ({ sdk, modelOf, seam, writes }) => {
    const preset = { preset: presets.deepv }
    for (const guard of [createGuard(preset), createGuards({ guard: preset })] as (
      | Guard
      | Guards
    )[]) {
      const host = await startServer([OPENING, ...writes])
      const ran: string[] = []
      const execute = ({ path }: { path: string }) => ran.push(path)
      const tools = {
        read_file: sdk.tool({ inputSchema: z.object({ path: z.string() }), execute }),
      }
      const plain = modelOf({ apiKey: 'none', baseURL: host.url })
      const isRun = seam === 'guardRun'
      const model = isRun
        ? plain
        : sdk.wrapLanguageModel({ model: plain, middleware: guardMiddleware(guard) })
      const stopWhen = (sdk.stepCountIs ?? sdk.isStepCount)(5)
      const options = isRun ? guardRun(guard, { tools, stopWhen }) : { tools, stopWhen }
      const result = sdk.streamText({ model, prompt: 'Read all files.', onError() {}, ...options })
      await result.consumeStream()
      await host.closed
      expect(await result.text).toMatch(/^Stopped: /)
      const [first] = await result.steps
      expect(first.toolCalls.length).toBeLessThanOrEqual(4)
      expect(first.providerMetadata.unloop.outcome).toBe('stopped')
      // a middleware refuses nothing, and calls that were told of early have begun
      if (isRun) expect(ran.length).toBeLessThanOrEqual(3)
      expect(host.requests()).toBe(1)
      server?.closeAllConnections()
    }
  },
)
