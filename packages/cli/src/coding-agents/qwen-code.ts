import { join } from 'node:path'
import { claudeCode } from './claude-code.js'
import { CLAUDE_EVENTS, readClaudeEvent } from './claude-events.js'
import { type CodingAgent, message, recordIn, textIn } from './coding-agent.js'
import { folderFrom, forEach, HOOK_LIMIT } from './install.js'

/** qwen-code: the hooks of Claude Code, but only the hook before a request can end the run. */
export const qwenCode: CodingAgent = {
  name: 'qwen-code',
  title: 'qwen-code',
  program: 'qwen',
  limits: [
    'Hooks see a message only once it is complete, so repetition cannot be cut off mid-message.',
    'Thoughts are not shown to hooks.',
    'qwen-code has a loop detector of its own, which stops a call that is repeated exactly.',
  ],

  install: {
    home: (place) => folderFrom(place, 'QWEN_HOME', '.qwen'),
    files(scope, place, command) {
      const { home } = qwenCode.install
      const folder = scope === 'user' ? home(place) : join(place.project, '.qwen')
      // in milliseconds
      const entry = { hooks: [{ type: 'command', command, timeout: HOOK_LIMIT * 1000 }] }
      return [
        {
          type: 'entries',
          path: join(folder, 'settings.json'),
          events: forEach(CLAUDE_EVENTS, entry),
        },
      ]
    },
  },

  read(payload) {
    // called after each call, not after all of a message
    if (payload.hook_event_name === 'PostToolBatch') return
    const told = readClaudeEvent(payload)
    if (told?.event.type === 'tool-result' && !told.event.isError) {
      const { llmContent: output = told.event.output } = recordIn(payload, 'tool_response')
      return { ...told, event: { ...told.event, output } }
    }
    // also called before each request with answers of tools, without words of the person
    const isRequest = told?.hook === 'UserPromptSubmit' && textIn(payload, 'prompt') === undefined
    return isRequest ? { ...told, event: { type: 'turn-start' } } : told
  },

  answer(told, decision) {
    if (told.hook !== 'UserPromptSubmit') return claudeCode.answer(told, decision)
    if (decision.type === 'stop') {
      return { stdout: { continue: false, stopReason: decision.notice } }
    }
    const additionalContext = decision.type === 'go' ? decision.advice : undefined
    if (additionalContext === undefined) return message(decision)
    return { stdout: { hookSpecificOutput: { hookEventName: told.hook, additionalContext } } }
  },

  marksRounds: true,
}
