import { claudeCode } from './claude-code.js'
import { readClaudeEvent } from './claude-events.js'
import type { CodingAgent } from './coding-agent.js'

/** qwen-code: the hooks of Claude Code, with times in milliseconds. */
export const qwenCode: CodingAgent = {
  name: 'qwen-code',
  title: 'qwen-code',
  program: 'qwen',
  limits: [
    'A message is seen when it is complete, so a chant is not cut while it is written.',
    'qwen-code has a loop detector of its own, which stops a call that is repeated exactly.',
  ],
  read: readClaudeEvent,
  answer: claudeCode.answer,
}
