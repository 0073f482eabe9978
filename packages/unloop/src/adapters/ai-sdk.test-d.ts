// Compiled, never run: what the adapter gives must fit the SDK in every version that people have.
import * as v6 from 'ai'
import * as v5 from 'ai5'
import * as v7 from 'ai7'
import { z } from 'zod'
import { createGuard } from '../guard.js'
import { guardApproval, guardMiddleware, guardRun } from './ai-sdk.js'

const guard = createGuard()
const inputSchema = z.object({ path: z.string() })
const execute = ({ path }: { path: string }) => path.length

const middleware = guardMiddleware(guard)

export const wrapped = [
  (model: Parameters<typeof v5.wrapLanguageModel>[0]['model']) =>
    v5.wrapLanguageModel({ model, middleware }),
  (model: Parameters<typeof v6.wrapLanguageModel>[0]['model']) =>
    v6.wrapLanguageModel({ model, middleware }),
  (model: Parameters<typeof v7.wrapLanguageModel>[0]['model']) =>
    v7.wrapLanguageModel({ model, middleware }),
]

export async function version5(model: v5.LanguageModel) {
  const tools = { read: v5.tool({ inputSchema, execute }) }
  const options = guardRun(guard, { tools, stopWhen: v5.stepCountIs(5) })
  const { toolResults } = await v5.generateText({ model, prompt: 'go', ...options })
  v5.streamText({ model, prompt: 'go', ...options })
  // the tools keep their types
  return toolResults.map((result) => (result.dynamic ? 0 : (result.output satisfies number)))
}

export async function version6(model: v6.LanguageModel) {
  const tools = { read: v6.tool({ inputSchema, execute }) }
  const options = guardRun(guard, { tools, stopWhen: [v6.stepCountIs(5)] })
  const { toolResults } = await v6.generateText({ model, prompt: 'go', ...options })
  v6.streamText({ model, prompt: 'go', ...options })
  new v6.ToolLoopAgent({ model, ...options })
  return toolResults.map((result) => (result.dynamic ? 0 : (result.output satisfies number)))
}

export async function version7(model: v7.LanguageModel) {
  const tools = { read: v7.tool({ inputSchema, execute }) }
  const options = guardRun(guard, { tools, stopWhen: v7.isStepCount(5), onStepFinish: console.log })
  const { toolResults } = await v7.generateText({ model, prompt: 'go', ...options })
  v7.streamText({ model, prompt: 'go', ...options })
  await v7.generateText({ model, tools, prompt: 'go', toolApproval: guardApproval(guard) })
  return toolResults.map((result) => (result.dynamic ? 0 : (result.output satisfies number)))
}
