// Compiled, never run: what the adapter takes and gives must fit the SDK.
import { Agent, type Model, type ModelProvider, Runner, type Tool } from '@openai/agents'
import { createGuard, type Guard } from '../../guard.js'
import { createGuards } from '../../host/guards.js'
import { guardOf, guardRunner } from './index.js'

const guard = createGuard()

export async function version0(model: Model, modelProvider: ModelProvider, tool: Tool) {
  const runner = guardRunner(guard, new Runner({ modelProvider })) satisfies Runner
  const agent = new Agent({ name: 'reader', model, tools: [tool] })
  const streamed = await runner.run(agent, 'go', { stream: true })
  for await (const delta of streamed.toTextStream()) delta satisfies string
  const { finalOutput } = await runner.run(agent, 'go')
  return finalOutput satisfies string | undefined
}

export async function version0OnServers(agent: Agent) {
  const runner = guardRunner(createGuards(), new Runner()) satisfies Runner
  return guardOf(await runner.run(agent, 'go')) satisfies Guard | undefined
}
