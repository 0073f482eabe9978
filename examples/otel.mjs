// An agent that is traced and reads one file forever: a span processor notices and aborts it.
// npm i unloop @ai-sdk/openai @opentelemetry/sdk-trace-node ai zod
import assert from 'node:assert/strict'
import { createOpenAI } from '@ai-sdk/openai'
import { NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { generateText, stepCountIs, tool } from 'ai'
import { createGuards } from 'unloop/host'
import { guardSpans } from 'unloop/otel'
import { z } from 'zod'
import { startStuckModel } from './stuck-model.mjs'

const model = await startStuckModel(() => ({ name: 'read_file', args: { path: 'login.ts' } }))
const abort = new AbortController()
const actions = []

const processor = guardSpans(createGuards(), ({ action, detail }, { guard }) => {
  actions.push(action)
  console.log(`${action}: ${detail}`)
  if (guard.stopped) abort.abort(new Error(`Stopped: ${detail}`))
})
new NodeTracerProvider({ spanProcessors: [processor] }).register()

const run = generateText({
  model: createOpenAI({ apiKey: 'none', baseURL: `${model.url}/v1` }).chat('gpt-5'),
  prompt: 'Why does the login fail?',
  tools: {
    read_file: tool({
      description: 'Reads a file.',
      inputSchema: z.object({ path: z.string() }),
      execute: async ({ path }) => `content of ${path}`,
    }),
  },
  stopWhen: stepCountIs(50),
  abortSignal: abort.signal,
  experimental_telemetry: { isEnabled: true },
})
await assert.rejects(run, /Stopped: read_file was called/)
model.close()

console.log(`ended after ${model.requests} of 50 steps`)
assert.deepEqual(actions, ['warn', 'block', 'stop'])
assert.ok(model.requests < 10)
