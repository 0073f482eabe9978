// An agent of the Google Gen AI SDK that reads one file for ever, against a provider on this machine, with two lines of unloop.
import assert from 'node:assert/strict'
import { GoogleGenAI } from '@google/genai'
import { startProvider } from '@unloop/testing'
import { createGuard } from 'unloop'
import { guardClient } from 'unloop/google'

const provider = await startProvider(() => ({
  calls: [{ name: 'read_file', args: { path: 'login.ts' } }],
}))
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
  new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: provider.url } }),
)
const { text } = await client.models.generateContent({
  model: 'gemini-3-pro',
  contents: 'Why does the login fail?',
  config: { tools: [reader], automaticFunctionCalling: { maximumRemoteCalls: 50 } },
})
await provider.close()

console.log(text)
for (const { action, detail } of guard.findings) console.log(`${action}: ${detail}`)
console.log(`ended after ${provider.exchanges.length} of 50 requests`)
assert.deepEqual(
  guard.findings.map(({ action }) => action),
  ['warn', 'block', 'stop'],
)
assert.ok(provider.exchanges.length < 10)
