import { join } from 'node:path'
import type { AgentEvent } from 'unloop'
import { type CodingAgent, given, type Payload, recordIn, textIn } from './coding-agent.js'

/** Cline: refuses calls, and a refusal ends the run. Written to its published contract; never run against Cline itself. */
export const cline: CodingAgent = {
  name: 'cline',
  title: 'Cline',
  program: 'cline',
  limits: [
    'A refusal ends the run: Cline has no other kind.',
    'Text and thoughts are not shown to hooks.',
    'Tested against the published contract only, not in Cline itself.',
  ],

  install: {
    home: ({ home }) => join(home, '.cline'),
    files(scope, { home, project }, command) {
      const folder = join(scope === 'user' ? home : project, '.cline', 'hooks')
      return ['UserPromptSubmit', 'PreToolUse', 'PostToolUse'].map((event) => ({
        type: 'script',
        path: join(folder, event),
        content: scriptOf(command),
      }))
    },
  },

  read(payload) {
    const hook = textIn(payload, 'hookName')
    const session = textIn(payload, 'taskId')
    const event = hook && eventOf(hook, payload)
    if (!hook || !session || !event) return
    const roots = payload.workspaceRoots
    const folder: unknown = Array.isArray(roots) ? roots[0] : undefined
    return { hook, session, folder: typeof folder === 'string' ? folder : undefined, event }
  },

  answer({ hook }, decision) {
    if (decision.type === 'go') {
      const { advice } = decision
      return advice === undefined ? {} : { stdout: { context: advice } }
    }
    const { type, reason } = decision
    if (hook === 'tool_result' && type === 'deny') return { stdout: { context: reason } }
    if (type === 'ask') return { stdout: { review: true, context: reason } }
    return { stdout: { cancel: true, errorMessage: reason } }
  },

  isAttended: () => true,
}

// Cline wants an object in any case; without unloop it gets an empty one, and goes on
const scriptOf = (command: string) => `#!/bin/sh
# Written by \`unloop init\`, and removed by \`unloop init --remove\`.
answer=$(${command} 2>/dev/null) || answer=
[ -n "$answer" ] || answer='{}'
printf '%s\\n' "$answer"
`

function eventOf(hook: string, payload: Payload): AgentEvent | undefined {
  switch (hook) {
    case 'prompt_submit':
      return { type: 'prompt', ...given({ text: textIn(payload, 'prompt') }) }
    case 'tool_call': {
      const call = recordIn(payload, 'tool_call')
      const id = textIn(call, 'id')
      return {
        type: 'tool-call',
        ...given({ id }),
        name: textIn(call, 'name') ?? '',
        args: call.input,
      }
    }
    case 'tool_result': {
      const result = recordIn(payload, 'tool_result')
      const id = textIn(result, 'id')
      const { error, output } = result
      const isError = error !== undefined && error !== null
      return {
        type: 'tool-result',
        ...given({ id }),
        name: textIn(result, 'name') ?? '',
        output: isError ? error : output,
        ...(isError && { isError }),
      }
    }
    default:
      return
  }
}
