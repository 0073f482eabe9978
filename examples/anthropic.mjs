// An agent of Anthropic's SDK that reads one file forever, with two lines of unloop.
// npm i unloop @anthropic-ai/sdk zod
import assert from 'node:assert/strict'
import Anthropic from '@anthropic-ai/sdk'
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod'
import { createGuard } from 'unloop'
import { guardClient } from 'unloop/anthropic'
import { z } from 'zod'
import { startStuckModel } from './stuck-model.mjs'

const model = await startStuckModel(() => ({ name: 'read_file', args: { path: 'login.ts' } }))
const readFile = betaZodTool({
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  run: ({ path }) => `content of ${path}`,
})

const guard = createGuard()
const client = guardClient(guard, new Anthropic({ apiKey: 'none', baseURL: model.url }))
const { content } = await client.beta.messages.toolRunner({
  model: 'claude-sonnet-5',
  max_tokens: 1000,
  max_iterations: 50,
  messages: [{ role: 'user', content: 'Why does the login fail?' }],
  tools: [readFile],
})
model.close()

console.log(content[0].text)
for (const { action, detail } of guard.findings) console.log(`${action}: ${detail}`)
console.log(`ended after ${model.requests} of 50 requests`)
assert.deepEqual(
  guard.findings.map(({ action }) => action),
  ['warn', 'block', 'stop'],
)
assert.ok(model.requests < 10)
