// An agent of Anthropic's SDK that reads one file for ever, against a provider on this machine, with two lines of unloop.
import assert from 'node:assert/strict'
import Anthropic from '@anthropic-ai/sdk'
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod'
import { startProvider } from '@unloop/testing'
import { createGuard } from 'unloop'
import { guardClient } from 'unloop/anthropic'
import { z } from 'zod'

const provider = await startProvider(() => ({
  calls: [{ name: 'read_file', args: { path: 'login.ts' } }],
}))
const readFile = betaZodTool({
  name: 'read_file',
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  run: ({ path }) => `content of ${path}`,
})

const guard = createGuard()
const client = guardClient(guard, new Anthropic({ apiKey: 'none', baseURL: provider.url }))
const { content } = await client.beta.messages.toolRunner({
  model: 'claude-sonnet-5',
  max_tokens: 1000,
  max_iterations: 50,
  messages: [{ role: 'user', content: 'Why does the login fail?' }],
  tools: [readFile],
})
await provider.close()

console.log(content[0].text)
for (const { action, detail } of guard.findings) console.log(`${action}: ${detail}`)
console.log(`ended after ${provider.exchanges.length} of 50 requests`)
assert.deepEqual(
  guard.findings.map(({ action }) => action),
  ['warn', 'block', 'stop'],
)
assert.ok(provider.exchanges.length < 10)
