// An agent of the Claude Agent SDK that reads one file forever, with two lines of unloop.
// npm i unloop @anthropic-ai/claude-agent-sdk zod
// The SDK is large, so it is not installed here: `npm run test:e2e` runs this beside it.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk'
import { createGuard } from 'unloop'
import { guardQuery } from 'unloop/claude-agent'
import { z } from 'zod'
import { startStuckModel } from './stuck-model.mjs'

const name = 'mcp__files__read_file'
const model = await startStuckModel(() => ({ name, args: { path: 'login.ts' } }))
const readFile = tool('read_file', 'Reads a file.', { path: z.string() }, async ({ path }) => ({
  content: [{ type: 'text', text: `content of ${path}` }],
}))
const home = await mkdtemp(join(tmpdir(), 'unloop-example-'))

const guard = createGuard()
const run = guardQuery(
  guard,
  query,
)({
  prompt: 'Why does the login fail?',
  options: {
    maxTurns: 50,
    allowedTools: [name],
    mcpServers: {
      files: createSdkMcpServer({ name: 'files', version: '1.0.0', tools: [readFile] }),
    },
    // a home of its own, so that it neither reads nor writes yours
    cwd: home,
    settingSources: [],
    env: {
      ...process.env,
      HOME: home,
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: 'none',
    },
  },
})
for await (const message of run) if (message.type === 'result') console.log(message.subtype)
model.close()
await rm(home, { recursive: true, force: true })

for (const { action, detail } of guard.findings) console.log(`${action}: ${detail}`)
console.log(`ended after ${model.requests} of 50 turns`)
assert.deepEqual(
  guard.findings.map(({ action }) => action),
  ['warn', 'block', 'stop'],
)
assert.ok(model.requests < 10)
