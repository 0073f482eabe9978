// Compiled, never run: what the adapter gives must fit the SDK in every version that people have.
import * as v6 from 'ai'
import * as v5 from 'ai5'
import * as v7 from 'ai7'
import { z } from 'zod'
import { createGuard } from '../../guard.js'
import { createGuards } from '../../host/guards.js'
import { guardApproval, guardMiddleware, guardRun, isStuck } from './index.js'

const guard = createGuard()
const guards = createGuards()
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

/** Whether a type is `any`, which fits everywhere and tells nothing. */
type IsAny<Type> = 0 extends 1 & Type ? true : false

const isTyped = <Type>(_: Type, is: IsAny<Type>) => is

// callbacks of the program: what they are given has a type, which may as well be the SDK's own
export const callbacks = [
  guardRun(guard, {
    stopWhen: ({ steps }) => isTyped(steps, false) || steps.length > 3,
    prepareStep: ({ stepNumber, messages }) => isTyped(messages, false) || stepNumber > 1,
    onStepFinish: ({ text, toolCalls, usage }) =>
      isTyped(usage.inputTokens, false) || text.length + toolCalls.length,
    onStepEnd: ({ finishReason, content }) => isTyped(content, false) || finishReason.length,
  }),
  // @ts-expect-error: a step has no such field
  guardRun(guard, { onStepFinish: ({ txt }) => txt }),
  // @ts-expect-error: a condition gives a boolean
  guardRun(guard, { stopWhen: () => 'yes' }),
]

type Tools5 = { read: v5.Tool<{ path: string }, number> }
type Tools6 = { read: v6.Tool<{ path: string }, number> }
type Tools7 = { read: v7.Tool<{ path: string }, number> }

export const theirs = [
  guardRun(guard, {
    stopWhen: [v5.stepCountIs(5), v5.hasToolCall('read')] as v5.StopCondition<Tools5>[],
    prepareStep: (async () => ({ toolChoice: 'auto' })) as v5.PrepareStepFunction<Tools5>,
    onStepFinish: (step: v5.StepResult<Tools5>) => step.response.id,
  }),
  guardRun(guard, {
    stopWhen: [v6.stepCountIs(5), v6.hasToolCall('read')] as v6.StopCondition<Tools6>[],
    prepareStep: (async () => ({ toolChoice: 'auto' })) as v6.PrepareStepFunction<Tools6>,
    onStepFinish: (step: v6.StepResult<Tools6>) => step.response.id,
  }),
  guardRun(guard, {
    stopWhen: [v7.isStepCount(5), v7.hasToolCall('read')],
    prepareStep: (async () => ({ toolChoice: 'auto' })) as v7.PrepareStepFunction<Tools7>,
    onStepEnd: (step: v7.StepResult<Tools7>) => step.response.id,
  }),
]

export async function version5(model: v5.LanguageModel) {
  const tools = { read: v5.tool({ inputSchema, execute }) }
  const options = guardRun(guard, { tools, stopWhen: v5.stepCountIs(5) })
  const { toolResults } = await v5.generateText({ model, prompt: 'go', ...options })
  v5.streamText({ model, prompt: 'go', ...options })
  v5.streamText({ model, tools, prompt: 'go', stopWhen: [v5.stepCountIs(5), isStuck(guard)] })
  new v5.Experimental_Agent({ model, ...guardRun(guards, { tools }) })
  // the tools keep their types
  return toolResults.map((result) => (result.dynamic ? 0 : (result.output satisfies number)))
}

export async function version6(model: v6.LanguageModel) {
  const tools = { read: v6.tool({ inputSchema, execute }) }
  const options = guardRun(guard, { tools, stopWhen: [v6.stepCountIs(5)] })
  const { toolResults } = await v6.generateText({ model, prompt: 'go', ...options })
  v6.streamText({ model, prompt: 'go', ...options })
  v6.streamText({ model, tools, prompt: 'go', stopWhen: [v6.stepCountIs(5), isStuck(guard)] })
  new v6.ToolLoopAgent({ model, ...options })
  new v6.ToolLoopAgent({ model, ...guardRun(guards, { tools }) })
  new v6.ToolLoopAgent({ model, tools, stopWhen: isStuck() })
  return toolResults.map((result) => (result.dynamic ? 0 : (result.output satisfies number)))
}

export async function version7(model: v7.LanguageModel) {
  const tools = { read: v7.tool({ inputSchema, execute }) }
  const options = guardRun(guard, { tools, stopWhen: v7.isStepCount(5), onStepFinish: console.log })
  const { toolResults } = await v7.generateText({ model, prompt: 'go', ...options })
  v7.streamText({ model, prompt: 'go', ...options })
  v7.streamText({ model, tools, prompt: 'go', stopWhen: [v7.isStepCount(5), isStuck(guard)] })
  new v7.ToolLoopAgent({ model, ...guardRun(guards, { tools }) })
  await v7.generateText({ model, tools, prompt: 'go', toolApproval: guardApproval(guard) })
  await v7.generateText({ model, tools, prompt: 'go', toolApproval: guardApproval(guards) })
  const theirs = guardApproval(guard, { read: 'user-approval' })
  await v7.generateText({ model, tools, prompt: 'go', toolApproval: theirs })
  return toolResults.map((result) => (result.dynamic ? 0 : (result.output satisfies number)))
}
