// An agent of the Google Gen AI SDK that reads one file forever, with two lines of unloop.
// npm i unloop @google/genai
import assert from 'node:assert/strict'
import { GoogleGenAI } from '@google/genai'
import { createGuard } from 'unloop'
import { guardClient } from 'unloop/google'
import { startStuckModel } from './stuck-model.mjs'

const model = await startStuckModel(() => ({ name: 'read_file', args: { path: 'login.ts' } }))
const parametersJsonSchema = { type: 'object', properties: { path: { type: 'string' } } }
const reader = {
  tool: async () => ({ functionDeclarations: [{ name: 'read_file', parametersJsonSchema }] }),
  callTool: async (calls) =>
    calls.map(({ id, name, args }) => ({
      functionResponse: { id, name, response: { output: `content of ${args.path}` } },
    })),
}

const guard = createGuard()
const client = guardClient(
  guard,
  new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: model.url } }),
)
const { text } = await client.models.generateContent({
  model: 'gemini-3-pro',
  contents: 'Why does the login fail?',
  config: { tools: [reader], automaticFunctionCalling: { maximumRemoteCalls: 50 } },
})
model.close()

console.log(text)
for (const { action, detail } of guard.findings) console.log(`${action}: ${detail}`)
console.log(`ended after ${model.requests} of 50 requests`)
assert.deepEqual(
  guard.findings.map(({ action }) => action),
  ['warn', 'block', 'stop'],
)
assert.ok(model.requests < 10)
