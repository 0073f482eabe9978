// A program that asks a tool of an MCP server for the same file forever, over stdio, with two lines of unloop.
// npm i unloop @modelcontextprotocol/sdk zod
import assert from 'node:assert/strict'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { createGuard } from 'unloop'
import { guardClient } from 'unloop/mcp'
import { z } from 'zod'

if (process.argv[2] === 'serve') await serve()
else await ask()

async function serve() {
  const server = new McpServer({ name: 'files', version: '1.0.0' })
  const inputSchema = { path: z.string() }
  server.registerTool('read_file', { inputSchema }, ({ path }) => ({
    content: [{ type: 'text', text: `content of ${path}` }],
  }))
  await server.connect(new StdioServerTransport())
}

async function ask() {
  const client = new Client({ name: 'example', version: '1.0.0' })
  const args = [fileURLToPath(import.meta.url), 'serve']
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))

  const guard = createGuard()
  const tools = guardClient(guard, client)
  let calls = 0
  let answer
  // here your model would be asked which tool it wants next
  for (; calls < 50 && !guard.stopped; calls++) {
    answer = await tools.callTool({ name: 'read_file', arguments: { path: 'login.ts' } })
  }
  await client.close()

  console.log(answer.content[0].text)
  for (const { action, detail } of guard.findings) console.log(`${action}: ${detail}`)
  console.log(`ended after ${calls} of 50 calls`)
  assert.deepEqual(
    guard.findings.map(({ action }) => action),
    ['warn', 'block', 'stop'],
  )
  assert.equal(answer.isError, true)
}
