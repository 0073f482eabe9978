// An agent of the AI SDK that reads one file for ever, against a provider on this machine, with two lines of unloop.
import assert from 'node:assert/strict'
import { createOpenAI } from '@ai-sdk/openai'
import { startProvider } from '@unloop/testing'
import { generateText, stepCountIs, tool } from 'ai'
import { createGuard } from 'unloop'
import { guardRun } from 'unloop/ai-sdk'
import { z } from 'zod'

const provider = await startProvider(() => ({
  calls: [{ name: 'read_file', args: { path: 'login.ts' } }],
}))
const tools = {
  read_file: tool({
    description: 'Reads a file.',
    inputSchema: z.object({ path: z.string() }),
    execute: ({ path }) => `content of ${path}`,
  }),
}

const guard = createGuard()
const { steps } = await generateText({
  model: createOpenAI({ apiKey: 'none', baseURL: `${provider.url}/v1` }).chat('gpt-5'),
  prompt: 'Why does the login fail?',
  ...guardRun(guard, { tools, stopWhen: stepCountIs(50) }),
})
await provider.close()

for (const { action, detail } of guard.findings) console.log(`${action}: ${detail}`)
console.log(`ended after ${steps.length} of 50 steps`)
assert.deepEqual(
  guard.findings.map(({ action }) => action),
  ['warn', 'block', 'stop'],
)
assert.ok(steps.length < 10)
