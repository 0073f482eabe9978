// Compiled, never run: what the adapter takes and gives must fit the SDK in every version that people have.
import { OpenAI as OpenAI6 } from 'openai'
import { OpenAI as OpenAI5 } from 'openai5'
import { createGuard } from '../../guard.js'
import { guardClient, guardFetch, guardTools } from './index.js'

const guard = createGuard()
const tool = {
  type: 'function' as const,
  function: {
    name: 'read',
    description: 'Reads a file.',
    parameters: { type: 'object' },
    parse: (json: string) => JSON.parse(json) as { path: string },
    function: ({ path }: { path: string }) => path.length,
  },
}

export async function version5() {
  new OpenAI5({ fetch: guardFetch(guard) }) satisfies OpenAI5
  new OpenAI5({ fetch: guardFetch(guard, fetch) }) satisfies OpenAI5
  const client = guardClient(guard, new OpenAI5()) satisfies OpenAI5
  const request = { model: 'gpt-5', messages: [{ role: 'user' as const, content: 'go' }] }
  client.chat.completions.runTools({ ...request, tools: guardTools(guard, [tool]) })
  return (await client.chat.completions.create(request)).choices[0]?.message.content
}

export async function version6() {
  new OpenAI6({ fetch: guardFetch(guard) }) satisfies OpenAI6
  new OpenAI6({ fetch: guardFetch(guard, fetch) }) satisfies OpenAI6
  const client = guardClient(guard, new OpenAI6()) satisfies OpenAI6
  const request = { model: 'gpt-5', messages: [{ role: 'user' as const, content: 'go' }] }
  client.chat.completions.runTools({ ...request, tools: guardTools(guard, [tool]) })
  return (await client.chat.completions.create(request)).choices[0]?.message.content
}
