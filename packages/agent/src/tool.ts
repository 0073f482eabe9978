import type { Effect } from 'unloop'
import { z } from 'zod'
import type { ClientEvent } from './client-event.js'
import type { ToolDeclaration } from './model.js'

/** What a running tool is given. */
export interface ToolContext {
  signal: AbortSignal
  /** Tells the agent, and its guard, of an event of a sub-agent. */
  report(event: ClientEvent & { agent: string }): void
}

/** Something a model can call. */
export interface Tool<Args = unknown> {
  name: string
  description: string
  parameters: z.ZodType<Args>
  /** what it does to the world, for the guard */
  effect?: Effect
  /** The question to put to the person before it runs; nothing if it need not be asked. */
  confirm?(args: Args): string | undefined
  /** What "always" to that question would allow, in words; the name of the tool if not given. */
  scopes?(args: Args): readonly string[]
  timeoutMs?: number
  /** whether it always ends soon after its signal is aborted, so that the agent waits for that */
  endsOnAbort?: boolean
  /** Gives the answer as text; what it throws becomes an error the model can read. */
  execute(args: Args, context: ToolContext): Promise<string> | string
}

/** Declares a tool; the arguments have the type of its schema. */
export const defineTool = <Args>(tool: Tool<Args>): Tool => tool as Tool

/** The tool as models are told of it. */
export function toDeclaration({ name, description, parameters }: Tool): ToolDeclaration {
  const { $schema: _, ...schema } = z.toJSONSchema(parameters, { io: 'input' })
  return { name, description, parameters: schema }
}
