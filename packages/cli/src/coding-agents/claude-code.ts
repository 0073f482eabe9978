import { join } from 'node:path'
import { CLAUDE_EVENTS, readClaudeEvent } from './claude-events.js'
import {
  type CodingAgent,
  type Decision,
  type HookAnswer,
  type HookEvent,
  message,
} from './coding-agent.js'
import { folderFrom, forEach, HOOK_LIMIT } from './install.js'

/** Claude Code: refuses calls, asks, and ends the run from any hook of a tool. */
export const claudeCode: CodingAgent = {
  name: 'claude-code',
  title: 'Claude Code',
  program: 'claude',
  limits: [
    'Hooks see only the final message, once it is complete, so repetition cannot be cut off mid-message.',
    'Thoughts are not shown to hooks.',
  ],

  install: {
    home: (place) => folderFrom(place, 'CLAUDE_CONFIG_DIR', '.claude'),
    files(scope, place, command, beforeCall = command) {
      const { home } = claudeCode.install
      const folder = scope === 'user' ? home(place) : join(place.project, '.claude')
      // in seconds
      const running = (command: string) => ({
        hooks: [{ type: 'command', command, timeout: HOOK_LIMIT }],
      })
      return [
        {
          type: 'entries',
          path: join(folder, 'settings.json'),
          events: { ...forEach(EVENTS, running(command)), PreToolUse: running(beforeCall) },
        },
      ]
    },
  },

  // the program prompts the model too, when a task in the background is done
  read: (payload) =>
    payload.hook_event_name === 'UserPromptSubmit' && !isPerson(payload.source)
      ? undefined
      : readClaudeEvent(payload),

  answer({ hook }, decision) {
    switch (hook) {
      case 'PreToolUse':
        return beforeCall(decision)
      case 'PostToolUse':
      case 'PostToolUseFailure':
      case 'PostToolBatch':
        return afterCall(hook, decision)
      default:
        return message(decision)
    }
  },

  marksRounds: true,
  isAttended: ({ CLAUDE_CODE_SESSION_ATTENDED: attended, CLAUDE_CODE_ENTRYPOINT: entry }) =>
    attended === undefined ? entry === 'cli' : attended === '1',
}

// the end of a round tells the answers of its calls, so there is no process for each of them
const EVENTS = [
  ...CLAUDE_EVENTS.filter((event) => !event.startsWith('PostToolUse')),
  'PostToolBatch',
]

const isPerson = (source: unknown) =>
  source === undefined || source === 'user' || source === 'sdk' || source === 'cli'

function beforeCall(decision: Decision): HookAnswer {
  if (decision.type === 'go') return {}
  const { type, reason, notice } = decision
  return {
    stdout: {
      // headless, the reason of a stop is shown nowhere, and a message is
      ...(type === 'stop' && { continue: false, stopReason: 'unloop' }),
      systemMessage: notice,
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: type === 'ask' ? 'ask' : 'deny',
        permissionDecisionReason: reason,
      },
    },
  }
}

function afterCall(hook: HookEvent['hook'], decision: Decision): HookAnswer {
  // a failed call cannot end the run: the next one will
  if (decision.type === 'stop' && hook !== 'PostToolUseFailure') {
    return { stdout: { continue: false, stopReason: 'unloop', systemMessage: decision.notice } }
  }
  const words = decision.type === 'go' ? decision.advice : decision.reason
  if (words === undefined) return {}
  return { stdout: { hookSpecificOutput: { hookEventName: hook, additionalContext: words } } }
}
