// Compiled, never run: what the adapter takes and gives must fit both versions of the SDK.
import { Client as ClientOf2 } from '@modelcontextprotocol/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { McpServer as McpServerOf2, Server as ServerOf2 } from '@modelcontextprotocol/server'
import { createGuard } from '../../guard.js'
import { guardClient, guardServer, toTools } from './index.js'

const guard = createGuard()
const info = { name: 'files', version: '1.0.0' }
const capabilities = { tools: {} }

export async function version1() {
  const client: Client = guardClient(guard, new Client(info))
  guardServer(guard, new McpServer(info)).registerTool('read', {}, () => ({ content: [] }))
  guardServer(guard, new Server(info, { capabilities })) satisfies Server
  createGuard({ tools: toTools(await client.listTools()) })
  const { content, isError } = await client.callTool({ name: 'read', arguments: {} })
  return [content, isError]
}

export async function version2() {
  const client: ClientOf2 = guardClient(guard, new ClientOf2(info))
  guardServer(guard, new McpServerOf2(info)).registerTool('read', {}, () => ({ content: [] }))
  guardServer(guard, new ServerOf2(info, { capabilities })) satisfies ServerOf2
  createGuard({ tools: toTools(await client.listTools()) })
  const { content, structuredContent, isError } = await client.callTool({ name: 'read' })
  return [content, structuredContent, isError]
}
