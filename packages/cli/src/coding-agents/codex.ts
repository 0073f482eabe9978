import { join } from 'node:path'
import { CLAUDE_EVENTS, readClaudeEvent } from './claude-events.js'
import { type CodingAgent, message } from './coding-agent.js'
import { folderFrom, forEach, HOOK_LIMIT } from './install.js'

/** Codex: refuses calls. It rejects fields that it does not know, so each answer has exactly those it takes. */
export const codex: CodingAgent = {
  name: 'codex',
  title: 'Codex',
  program: 'codex',
  limits: [
    'Hooks of tools cannot end a turn: after a stop, every further call of this prompt is refused.',
    'Hooks cannot ask the person.',
    'Hooks run after the person has trusted them once, with /hooks in Codex.',
    'Hooks see a message only once it is complete, so repetition cannot be cut off mid-message.',
  ],

  install: {
    home: (place) => folderFrom(place, 'CODEX_HOME', '.codex'),
    files(scope, place, command) {
      const { home } = codex.install
      const folder = scope === 'user' ? home(place) : join(place.project, '.codex')
      // in seconds; it has no hook for tools that fail, and takes no names that it does not know
      const entry = { hooks: [{ type: 'command', command, timeout: HOOK_LIMIT }] }
      const events = CLAUDE_EVENTS.filter((event) => event !== 'PostToolUseFailure')
      return [{ type: 'entries', path: join(folder, 'hooks.json'), events: forEach(events, entry) }]
    },
    next: 'Start codex, type /hooks and trust the hooks of unloop. Until then, Codex does not run them.',
  },

  cannotStop: true,

  read: readClaudeEvent,

  answer({ hook }, decision) {
    const hookEventName = hook
    if (hook === 'PreToolUse') {
      if (decision.type === 'go') return {}
      const { reason } = decision
      const denied = { permissionDecision: 'deny', permissionDecisionReason: reason }
      const { stdout } = message(decision)
      return { stdout: { ...stdout, hookSpecificOutput: { hookEventName, ...denied } } }
    }
    if (hook !== 'PostToolUse') return decision.type === 'go' ? message(decision) : {}
    if (decision.type !== 'go') return { stdout: { decision: 'block', reason: decision.reason } }
    const { advice } = decision
    if (advice === undefined) return {}
    return { stdout: { hookSpecificOutput: { hookEventName, additionalContext: advice } } }
  },
}
