// An agent of the AI SDK that reads one file forever, with two lines of unloop.
// npm i unloop @ai-sdk/openai ai zod
import assert from 'node:assert/strict'
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, stepCountIs, tool } from 'ai'
import { createGuard } from 'unloop'
import { guardRun, isStuck } from 'unloop/ai-sdk'
import { z } from 'zod'
import { startStuckModel } from './stuck-model.mjs'

const model = await startStuckModel(() => ({ name: 'read_file', args: { path: 'login.ts' } }))
const tools = {
  read_file: tool({
    description: 'Reads a file.',
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => `content of ${path}`,
  }),
}

const request = {
  model: createOpenAI({ apiKey: 'none', baseURL: `${model.url}/v1` }).chat('gpt-5'),
  prompt: 'Why does the login fail?',
}

// one line: the run ends once it is certainly stuck
const short = await generateText({
  ...request,
  tools,
  stopWhen: [stepCountIs(50), isStuck()],
})
console.log(`isStuck ended it after ${short.steps.length} of 50 steps`)
assert.ok(short.steps.length < 10)

// all of it: the model is warned, then a call is refused, then the run ends
const guard = createGuard()
const { steps } = await generateText({
  ...request,
  ...guardRun(guard, { tools, stopWhen: stepCountIs(50) }),
})
model.close()

for (const { action, detail } of guard.findings) console.log(`${action}: ${detail}`)
console.log(`ended after ${steps.length} of 50 steps`)
assert.deepEqual(
  guard.findings.map(({ action }) => action),
  ['warn', 'block', 'stop'],
)
assert.ok(steps.length < 10)
