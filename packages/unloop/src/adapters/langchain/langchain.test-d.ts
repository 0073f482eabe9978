// Compiled, never run: what the adapter gives must fit the SDK.
import { interrupt } from '@langchain/langgraph'
import { ChatOpenAI } from '@langchain/openai'
import { createAgent, createMiddleware, type ToolCallRequest, tool } from 'langchain'
import { z } from 'zod'
import { createGuard } from '../../guard.js'
import { createGuards } from '../../host/guards.js'
import { type Choice, guardModel, guardRun, type Question } from './index.js'

const guard = createGuard()
const guards = createGuards()

export const answer = ({ choices }: Question): Choice =>
  choices.includes('allow') ? 'allow' : 'continue-once'

export async function version1(request: ToolCallRequest) {
  const read = tool(({ path }) => path, { name: 'read', schema: z.object({ path: z.string() }) })
  const middleware = [
    createMiddleware(guardRun(guard)),
    createMiddleware(guardRun(guard, { interrupt })),
    createMiddleware(guardRun(guards)),
  ]
  const agent = createAgent({ model: 'openai:gpt-5', tools: [read], middleware })
  const { messages } = await agent.invoke({ messages: 'go' })
  const model = guardModel(guard, new ChatOpenAI({ model: 'gpt-5' })) satisfies ChatOpenAI
  createAgent({ model, tools: [read], middleware })
  createAgent({ model: guardModel(guards, model), tools: [read], middleware })
  request.runtime.configurable?.thread_id satisfies string | undefined
  // what we read of a call
  const { id, name, args } = request.toolCall
  id satisfies string | undefined
  name satisfies string
  args satisfies object
  return messages.map(({ id, type, content }) => ({ id, type, content }))
}
