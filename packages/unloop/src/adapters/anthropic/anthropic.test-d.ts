// Compiled, never run: what the adapter takes and gives must fit the SDK.
import Anthropic from '@anthropic-ai/sdk'
import { betaZodTool } from '@anthropic-ai/sdk/helpers/beta/zod'
import { z } from 'zod'
import { createGuard } from '../../guard.js'
import { guardClient, guardMiddleware, guardTools } from './index.js'

const guard = createGuard()
const tool = betaZodTool({
  name: 'read',
  description: 'Reads a file.',
  inputSchema: z.object({ path: z.string() }),
  run: ({ path }) => path,
})

export async function version1() {
  new Anthropic({ middleware: [guardMiddleware(guard)] }) satisfies Anthropic
  const client = guardClient(guard, new Anthropic()) satisfies Anthropic
  const request = {
    model: 'claude-sonnet-5',
    max_tokens: 100,
    messages: [{ role: 'user' as const, content: 'go' }],
  }
  await client.beta.messages.toolRunner({ ...request, tools: guardTools(guard, [tool]) })
  return (await client.messages.create(request)).content
}
