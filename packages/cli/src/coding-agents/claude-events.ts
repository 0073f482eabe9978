import type { AgentEvent } from 'unloop'
import { type AnsweredCall, given, type HookEvent, type Payload, textIn } from './coding-agent.js'

/** The events that are read. */
export const CLAUDE_EVENTS: readonly string[] = [
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'Stop',
  'SubagentStop',
  'PreCompact',
]

/** The events of Claude Code, whose names and fields other agents have taken over. */
export function readClaudeEvent(payload: Payload): HookEvent | undefined {
  const hook = textIn(payload, 'hook_event_name')
  const session = textIn(payload, 'session_id')
  if (hook === undefined || session === undefined) return
  const event = eventOf(hook, payload)
  if (!event) return
  const agent = textIn(payload, 'agent_id')
  return {
    hook,
    session,
    folder: textIn(payload, 'cwd'),
    event: agent === undefined ? event : { ...event, agent },
    ...(hook === 'PostToolBatch' && { round: roundIn(payload) }),
  }
}

/** All calls of a round as the model reads them: also those of unknown tools or with invalid arguments, for which no other hook runs. */
function roundIn({ tool_calls: calls }: Payload): AnsweredCall[] {
  return (Array.isArray(calls) ? calls : []).flatMap((call: Payload | null) => {
    if (typeof call !== 'object' || call === null) return []
    const { tool_input: args, tool_response: output } = call
    const hasFailed = FAILED.test(typeof output === 'string' ? output : '')
    return {
      ...given({ id: textIn(call, 'tool_use_id') }),
      name: textIn(call, 'tool_name') ?? '',
      args,
      output,
      ...(hasFailed && { isError: true as const }),
    }
  })
}

// what Claude Code puts before the words of a command or a tool that failed
const FAILED = /^(?:<tool_use_error>|Exit code [1-9]|Error: )/

function eventOf(hook: string, payload: Payload): AgentEvent | undefined {
  const id = textIn(payload, 'tool_use_id') ?? textIn(payload, 'tool_call_id')
  const name = textIn(payload, 'tool_name') ?? ''
  switch (hook) {
    case 'UserPromptSubmit':
      return {
        type: 'prompt',
        ...given({
          id: textIn(payload, 'prompt_id') ?? textIn(payload, 'turn_id'),
          text: textIn(payload, 'prompt'),
        }),
      }
    case 'PreToolUse':
      return { type: 'tool-call', ...given({ id }), name, args: payload.tool_input }
    case 'PostToolUse':
      return { type: 'tool-result', ...given({ id }), name, output: payload.tool_response }
    case 'PostToolUseFailure':
      // what the person interrupted says nothing about the agent
      if (payload.is_interrupt === true) return
      return { type: 'tool-result', ...given({ id }), name, output: payload.error, isError: true }
    case 'Stop':
    case 'SubagentStop': {
      const text = textIn(payload, 'last_assistant_message')
      return text === undefined ? undefined : { type: 'text', text }
    }
    case 'MessageDisplay': {
      const text = textIn(payload, 'delta')
      return text === undefined ? undefined : { type: 'text', text }
    }
    // all calls of the message are over, and the model is asked again
    case 'PostToolBatch':
      return { type: 'turn-start' }
    case 'PreCompact':
      return { type: 'compaction' }
    default:
      return
  }
}
