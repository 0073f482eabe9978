import { readClaudeEvent } from './claude-events.js'
import type { CodingAgent } from './coding-agent.js'

/** Codex: refuses calls. It rejects fields that it does not know, so each answer has exactly those it takes. */
export const codex: CodingAgent = {
  name: 'codex',
  title: 'Codex',
  program: 'codex',
  limits: [
    'Hooks of tools cannot end a turn: after a stop, every further call of this prompt is refused.',
    'Hooks cannot ask the person.',
    'Hooks run after the person has trusted them once, with /hooks in Codex.',
    'A message is seen when it is complete, so a chant is not cut while it is written.',
  ],

  read: readClaudeEvent,

  answer({ hook }, decision) {
    const hookEventName = hook
    if (hook === 'PreToolUse') {
      if (decision.type === 'go') return {}
      const { reason, notice } = decision
      const denied = { permissionDecision: 'deny', permissionDecisionReason: reason }
      return { stdout: { systemMessage: notice, hookSpecificOutput: { hookEventName, ...denied } } }
    }
    if (hook !== 'PostToolUse') return {}
    if (decision.type !== 'go') return { stdout: { decision: 'block', reason: decision.reason } }
    const { advice } = decision
    if (advice === undefined) return {}
    return { stdout: { hookSpecificOutput: { hookEventName, additionalContext: advice } } }
  },
}
