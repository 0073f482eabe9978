import type { Guard } from '../../guard.js'
import type { Guards } from '../../host/guards.js'
import type { Any } from '../shared/any.js'
import { checkGiven, checkGuard } from '../shared/given.js'
import { finderOf } from './course.js'
import { type Call, toCall } from './tools.js'

/** What the SDK tells of a call that waits for approval; `ai-sdk.test-d.ts` holds it against version 7. */
interface Asked {
  toolCall: Call
  tools?: Any
  toolsContext?: Any
  messages?: Any
  runtimeContext?: Any
}

type Status = 'not-applicable' | 'approved' | 'denied' | 'user-approval'
type Approval = undefined | Status | { type: Status; reason?: string }

/** What else decides, as version 7 has it: one function for all tools, or a status or function for each. */
type ToolApproval =
  | {
      // a method, since the SDK's own functions know more of the tools than this
      is(asked: Asked): Approval | PromiseLike<Approval>
    }['is']
  | { readonly [tool: string]: Any }

/**
 * `toolApproval` of version 7, beside `guardRun`: a call that repeats in a loop is denied before anybody is asked. All others are
 * decided by your own `toolApproval`, which goes second, and then by the tool's `needsApproval`, as without a guard.
 *
 * @example
 * const options = guardRun(guard, { tools, stopWhen })
 * generateText({ model, prompt, ...options, toolApproval: guardApproval(guard, { deploy: 'user-approval' }) })
 */
export function guardApproval(guard: Guard | Guards, toolApproval?: ToolApproval) {
  checkGuard(guard, 'ai-sdk')
  if (toolApproval != null)
    checkGiven(
      'guardApproval',
      'your toolApproval',
      toolApproval,
      typeof toolApproval === 'function' || typeof toolApproval === 'object',
    )
  const find = finderOf(guard)
  return async (asked: Asked): Promise<Any> => {
    const verdict = find(asked.messages)?.decide(toCall(asked.toolCall))
    return verdict && 'reason' in verdict
      ? { type: 'denied', reason: verdict.reason }
      : statusOf(toolApproval, asked)
  }
}

/** What would hold without us: the SDK asks nobody else where it is given a function. */
async function statusOf(toolApproval: ToolApproval | undefined, asked: Asked): Promise<Approval> {
  if (typeof toolApproval === 'function') return toolApproval(asked)
  const { toolCall, tools, toolsContext, messages, runtimeContext } = asked
  const { toolName, toolCallId, input } = toolCall
  const tool = ownOf(tools, toolName)
  const contextOf = () => validate(tool?.contextSchema, ownOf(toolsContext, toolName), toolName)
  const theirs = ownOf(toolApproval, toolName)
  if (typeof theirs === 'function')
    return theirs(input, { toolCallId, messages, toolContext: await contextOf(), runtimeContext })
  if (theirs != null) return theirs
  const needs = tool?.needsApproval
  const isNeeded =
    typeof needs === 'function'
      ? await tool.needsApproval(input, { toolCallId, messages, context: await contextOf() })
      : needs
  return isNeeded ? 'user-approval' : undefined
}

const ownOf = (given: Any, name: string): Any =>
  given != null && Object.hasOwn(given, name) ? given[name] : undefined

/** A tool's context as its schema has it: one of the SDK's, one of another library, or a function that gives one. */
async function validate(schema: Any, value: unknown, tool: string): Promise<unknown> {
  if (schema == null) return value
  const standard = schema['~standard']
  if (!standard && typeof schema === 'function') return validate(schema(), value, tool)
  const result = await (standard ?? schema).validate?.(value)
  if (!result) return value
  if (result.issues || result.success === false)
    throw new TypeError(`the context of ${tool} does not fit its schema`, { cause: result })
  return result.value
}
