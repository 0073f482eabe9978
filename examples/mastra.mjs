// An agent of Mastra that reads one file forever, with two lines of unloop.
// npm i unloop @mastra/core zod
// Mastra wants a newer Node than this repository, so it is not installed here: `npm run test:e2e` runs this beside it.
import assert from 'node:assert/strict'
import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { createGuard } from 'unloop'
import { guardRun } from 'unloop/mastra'
import { z } from 'zod'
import { startStuckModel } from './stuck-model.mjs'

const model = await startStuckModel(() => ({ name: 'read_file', args: { path: 'login.ts' } }))
const readFile = createTool({
  id: 'read_file',
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  execute: async ({ path }) => `content of ${path}`,
})
const agent = new Agent({
  id: 'coder',
  name: 'coder',
  instructions: 'You read files.',
  model: { id: 'openai/gpt-5', url: `${model.url}/v1`, apiKey: 'none' },
  tools: { read_file: readFile },
})

const guard = createGuard()
const result = await agent.generate('Why does the login fail?', guardRun(guard, { maxSteps: 50 }))
model.close()

console.log(result.tripwire.reason)
for (const { action, detail } of guard.findings) console.log(`${action}: ${detail}`)
console.log(`ended after ${model.requests} of 50 steps`)
assert.deepEqual(
  guard.findings.map(({ action }) => action),
  ['warn', 'block', 'stop'],
)
assert.ok(model.requests < 10)
