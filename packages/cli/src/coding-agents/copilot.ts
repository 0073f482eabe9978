import { join } from 'node:path'
import type { AgentEvent } from 'unloop'
import { type CodingAgent, given, type Payload, recordIn, textIn } from './coding-agent.js'
import { folderFrom, forEach, HOOK_LIMIT } from './install.js'

/** Copilot CLI: refuses calls. Written to its published contract; never run against Copilot itself. */
export const copilot: CodingAgent = {
  name: 'copilot',
  title: 'Copilot CLI',
  program: 'copilot',
  limits: [
    'Hooks of tools cannot end a run: after a stop, every further call of this prompt is refused.',
    'The payload does not name the hook, so its fields tell which one it is.',
    'Text and thoughts are not shown to hooks.',
    'Tested against the published contract only, not in Copilot itself.',
  ],

  install: {
    home: (place) => folderFrom(place, 'COPILOT_HOME', '.copilot'),
    files(scope, place, command) {
      const { home } = copilot.install
      const folder = scope === 'user' ? home(place) : join(place.project, '.github')
      const entry = (bash: string, powershell: string) => ({
        type: 'command',
        bash,
        powershell,
        timeoutSec: HOOK_LIMIT,
      })
      const others = ['userPromptSubmitted', 'postToolUse', 'postToolUseFailure']
      return [
        {
          type: 'entries',
          path: join(folder, 'hooks', 'unloop.json'),
          events: {
            // a hook that fails here refuses the call, and one that is missing fails
            preToolUse: entry(`${command} || true`, `& ${command}; exit 0`),
            ...forEach(others, entry(command, `& ${command}`)),
          },
          top: { version: 1 },
        },
      ]
    },
    isOnce: true,
  },

  cannotStop: true,

  read(payload) {
    const session = textIn(payload, 'sessionId')
    const told = eventOf(payload)
    if (!session || !told) return
    return { ...told, session, folder: textIn(payload, 'cwd'), args: payload.toolArgs }
  },

  answer({ hook }, decision) {
    if (hook === 'preToolUse') {
      if (decision.type === 'go') return {}
      const { type, reason } = decision
      const permissionDecision = type === 'ask' ? 'ask' : 'deny'
      return { stdout: { permissionDecision, permissionDecisionReason: reason } }
    }
    const words = decision.type === 'go' ? decision.advice : decision.reason
    if (words === undefined || !hook.startsWith('postToolUse')) return {}
    // what a failed tool adds for the model is read when the hook ends with 2
    const exitCode = hook === 'postToolUseFailure' ? { exitCode: 2 } : {}
    return { stdout: { additionalContext: words }, ...exitCode }
  },
}

function eventOf(payload: Payload): { hook: string; event: AgentEvent } | undefined {
  const name = textIn(payload, 'toolName')
  if (name === undefined) {
    const text = textIn(payload, 'prompt')
    return text === undefined
      ? undefined
      : { hook: 'userPromptSubmitted', event: { type: 'prompt', text } }
  }
  const id = textIn(payload, 'toolCallId')
  const args = payload.toolArgs
  if ('error' in payload) {
    const { error } = payload
    return {
      hook: 'postToolUseFailure',
      event: { type: 'tool-result', ...given({ id }), name, output: error, isError: true },
    }
  }
  if (!('toolResult' in payload)) {
    return { hook: 'preToolUse', event: { type: 'tool-call', ...given({ id }), name, args } }
  }
  const { textResultForLlm, resultType } = recordIn(payload, 'toolResult')
  const output = textResultForLlm ?? payload.toolResult
  const isError = resultType === 'failure'
  return {
    hook: 'postToolUse',
    event: { type: 'tool-result', ...given({ id }), name, output, ...(isError && { isError }) },
  }
}
