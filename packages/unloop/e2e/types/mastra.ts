// Compiled beside the SDK, never run: what the adapter takes and gives must fit it.
import { Agent, type IterationCompleteContext } from '@mastra/core/agent'
import type {
  ProcessInputStepArgs,
  ProcessOutputStreamArgs,
  Processor,
} from '@mastra/core/processors'
import { createTool, type ToolHooks } from '@mastra/core/tools'
import { createGuard } from 'unloop'
import { createGuards } from 'unloop/host'
import { guardRun } from 'unloop/mastra'
import { z } from 'zod'

const guard = createGuard()
const guards = createGuards()
const own: Processor = { id: 'own', processInput: ({ messages }) => messages }

export async function run(prompt: string, abortSignal: AbortSignal) {
  const read = createTool({
    id: 'read',
    description: 'Reads a file.',
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }) => path,
  })
  const agent = new Agent({
    id: 'coder',
    name: 'coder',
    instructions: 'You read files.',
    model: 'openai/gpt-5',
    tools: { read },
  })
  const { tripwire } = await agent.generate(prompt, guardRun(guard))
  await agent.generate(prompt, guardRun(guards, { maxSteps: 20 }))
  const memory = { thread: 'chat-1', resource: 'user-1' }
  await agent.generate(prompt, guardRun(guards, { maxSteps: 20, memory }))
  const mine = { maxSteps: 20, abortSignal, inputProcessors: [own], hooks: {} as ToolHooks }
  const stream = await agent.stream(prompt, guardRun(guard, mine))
  return [tripwire?.reason, tripwire?.metadata, await stream.text]
}

type IsAny<Type> = 0 extends 1 & Type ? true : false

const isTyped = <Type>(_: Type, is: IsAny<Type>) => is

/** What callbacks are given has a type, which may as well be the SDK's own. */
export const callbacks = [
  guardRun(guard, {
    hooks: {
      beforeToolCall: ({ toolName, input }) => isTyped(toolName, false) || isTyped(input, false),
    },
    onIterationComplete: ({ iteration, toolCalls }) =>
      isTyped(iteration, false) || toolCalls.map(({ name }) => name),
  }),
  guardRun(guard, {
    onIterationComplete: ({ messages }: IterationCompleteContext) => void messages.length,
  }),
  // @ts-expect-error: a call has no such field
  guardRun(guard, { hooks: { beforeToolCall: ({ tool }) => tool } }),
]

/** What we read of steps and parts. */
export function read(step: ProcessInputStepArgs, { part, abort }: ProcessOutputStreamArgs) {
  step.systemMessages satisfies unknown[]
  step.requestContext satisfies object | undefined
  const [message] = step.messages
  if (part.type === 'step-finish') return part.payload.output.usage?.inputTokens
  if (part.type !== 'text-delta')
    return [message?.role, message?.content.parts, message?.content.content]
  return abort(part.payload.text, { metadata: {} })
}

/** What we read of calls. */
export const hooks: ToolHooks = {
  beforeToolCall: ({ toolName, input }) => ({ proceed: false, output: [toolName, input] }),
  afterToolCall({ output, error }) {
    if (error) throw new Error(`${output}`)
  },
}
