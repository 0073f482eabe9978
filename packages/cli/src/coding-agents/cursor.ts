import { join } from 'node:path'
import type { AgentEvent } from 'unloop'
import { type CodingAgent, given, type Payload, textIn } from './coding-agent.js'
import { forEach } from './install.js'

/** Cursor: refuses calls. Written to its published contract; never run against Cursor itself. */
export const cursor: CodingAgent = {
  name: 'cursor',
  title: 'Cursor',
  program: 'cursor',
  limits: [
    'Hooks cannot end a run: after a stop, every further call of this prompt is refused.',
    'Tested against the published contract only, not in Cursor itself.',
  ],

  install: {
    home: ({ home }) => join(home, '.cursor'),
    files(scope, { home, project }, command) {
      const path = join(scope === 'user' ? home : project, '.cursor', 'hooks.json')
      // without a time limit: whether Cursor counts seconds or milliseconds is not documented
      const events = [
        'beforeSubmitPrompt',
        'preToolUse',
        'postToolUse',
        'postToolUseFailure',
        'afterAgentResponse',
        'afterAgentThought',
        'preCompact',
      ]
      return [{ type: 'entries', path, events: forEach(events, { command }), top: { version: 1 } }]
    },
  },

  cannotStop: true,

  read(payload) {
    const hook = textIn(payload, 'hook_event_name')
    const session = textIn(payload, 'conversation_id')
    const event = hook && eventOf(hook, payload)
    if (!hook || !session || !event) return
    const roots = payload.workspace_roots
    const root: unknown = Array.isArray(roots) ? roots[0] : undefined
    const folder = textIn(payload, 'cwd') ?? (typeof root === 'string' ? root : undefined)
    return { hook, session, folder, event, args: payload.tool_input }
  },

  answer({ hook }, decision) {
    if (hook === 'preToolUse') {
      if (decision.type === 'go') return {}
      const { type, reason, notice } = decision
      const permission = type === 'ask' ? 'ask' : 'deny'
      return { stdout: { permission, user_message: notice, agent_message: reason } }
    }
    if (hook !== 'postToolUse') return {}
    const words = decision.type === 'go' ? decision.advice : decision.reason
    return words === undefined ? {} : { stdout: { additional_context: words } }
  },

  isAttended: () => true,
}

function eventOf(hook: string, payload: Payload): AgentEvent | undefined {
  const id = textIn(payload, 'tool_use_id')
  const name = textIn(payload, 'tool_name') ?? ''
  switch (hook) {
    case 'beforeSubmitPrompt':
      return {
        type: 'prompt',
        ...given({ id: textIn(payload, 'generation_id'), text: textIn(payload, 'prompt') }),
      }
    case 'preToolUse':
      return { type: 'tool-call', ...given({ id }), name, args: payload.tool_input }
    case 'postToolUse':
      return { type: 'tool-result', ...given({ id }), name, output: payload.tool_output }
    case 'postToolUseFailure': {
      const output = payload.error_message ?? payload.error
      return { type: 'tool-result', ...given({ id }), name, output, isError: true }
    }
    case 'afterAgentResponse':
      return { type: 'text', text: textIn(payload, 'text') ?? '' }
    case 'afterAgentThought':
      return { type: 'reasoning', text: textIn(payload, 'text') ?? '' }
    case 'preCompact':
      return { type: 'compaction' }
    default:
      return
  }
}
