// An agent of the OpenAI SDK that reads one file forever, with two lines of unloop.
// npm i unloop openai
import assert from 'node:assert/strict'
import OpenAI from 'openai'
import { createGuard } from 'unloop'
import { guardClient } from 'unloop/openai'
import { startStuckModel } from './stuck-model.mjs'

const model = await startStuckModel(() => ({ name: 'read_file', args: { path: 'login.ts' } }))
const tools = [
  {
    type: 'function',
    function: {
      name: 'read_file',
      description: 'Reads a file.',
      parameters: { type: 'object', properties: { path: { type: 'string' } } },
      parse: JSON.parse,
      function: ({ path }) => `content of ${path}`,
    },
  },
]

const guard = createGuard()
const client = guardClient(guard, new OpenAI({ apiKey: 'none', baseURL: `${model.url}/v1` }))
const runner = client.chat.completions.runTools(
  { model: 'gpt-5', messages: [{ role: 'user', content: 'Why does the login fail?' }], tools },
  { maxChatCompletions: 50 },
)
console.log(await runner.finalContent())
model.close()

for (const { action, detail } of guard.findings) console.log(`${action}: ${detail}`)
console.log(`ended after ${model.requests} of 50 requests`)
assert.deepEqual(
  guard.findings.map(({ action }) => action),
  ['warn', 'block', 'stop'],
)
assert.ok(model.requests < 10)
