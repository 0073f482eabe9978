// An agent of LangChain that reads one file forever, with two lines of unloop.
// npm i unloop @langchain/openai langchain zod
import assert from 'node:assert/strict'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, createMiddleware, tool } from 'langchain'
import { createGuard } from 'unloop'
import { guardRun } from 'unloop/langchain'
import { z } from 'zod'
import { startStuckModel } from './stuck-model.mjs'

const model = await startStuckModel(() => ({ name: 'read_file', args: { path: 'login.ts' } }))
const readFile = tool(({ path }) => `content of ${path}`, {
  name: 'read_file',
  description: 'Reads a file.',
  schema: z.object({ path: z.string() }),
})

const guard = createGuard()
const agent = createAgent({
  model: new ChatOpenAI({
    model: 'gpt-5',
    apiKey: 'none',
    configuration: { baseURL: `${model.url}/v1` },
  }),
  tools: [readFile],
  middleware: [createMiddleware(guardRun(guard))],
})
const { messages } = await agent.invoke({
  messages: [{ role: 'user', content: 'Why does the login fail?' }],
})
model.close()

console.log(messages.at(-1).text)
for (const { action, detail } of guard.findings) console.log(`${action}: ${detail}`)
console.log(`ended after ${model.requests} requests`)
assert.deepEqual(
  guard.findings.map(({ action }) => action),
  ['warn', 'block', 'stop'],
)
assert.ok(model.requests < 10)
