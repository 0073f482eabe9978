// Compiled beside the SDK, never run: what the adapter takes and gives must fit it.
import {
  type HookEvent,
  type HookInput,
  type Options,
  type Query,
  query,
  type SDKMessage,
} from '@anthropic-ai/claude-agent-sdk'
import { createGuard } from 'unloop'
import { guardHooks, guardQuery } from 'unloop/claude-agent'

const guard = createGuard()

export async function run(prompt: string) {
  const guarded: typeof query = guardQuery(guard, query)
  const own: Options = { hooks: { Stop: [{ hooks: [async () => ({})] }] }, model: 'opus' }
  const messages: Query = guarded({ prompt, options: own })
  for await (const message of messages) read(message)
  return query({ prompt, options: { hooks: guardHooks(guard) } })
}

guardHooks(guard) satisfies { [Event in HookEvent]?: unknown }

/** What we read of messages. */
function read(message: SDKMessage) {
  if (message.type === 'stream_event') {
    const { event, parent_tool_use_id, session_id } = message
    const delta = event.type === 'content_block_delta' ? event.delta : undefined
    const text = delta?.type === 'text_delta' ? delta.text : undefined
    const thinking = delta?.type === 'thinking_delta' ? delta.thinking : undefined
    return [parent_tool_use_id, session_id, text, thinking] satisfies (string | null | undefined)[]
  }
  if (message.type !== 'assistant' && message.type !== 'user') return
  return message.message.content
}

/** What we read of the inputs of hooks. */
export function input(hook: HookInput) {
  const agent: string | undefined = hook.agent_id
  switch (hook.hook_event_name) {
    case 'UserPromptSubmit':
      return [hook.prompt, hook.prompt_id, hook.source satisfies string | undefined, agent]
    case 'PreToolUse':
      return [hook.tool_use_id, hook.tool_name, hook.tool_input]
    case 'PostToolUse':
      return [hook.tool_use_id, hook.tool_response]
    case 'PostToolUseFailure':
      return [hook.tool_use_id, hook.error, hook.is_interrupt satisfies boolean | undefined]
    default:
      return
  }
}
