import { claudeCode } from './claude-code.js'
import { cline } from './cline.js'
import { codex } from './codex.js'
import type { CodingAgent } from './coding-agent.js'
import { copilot } from './copilot.js'
import { cursor } from './cursor.js'
import { geminiCli } from './gemini-cli.js'
import { opencode } from './opencode.js'
import { qwenCode } from './qwen-code.js'

/** The agents that can be guarded by hooks, the most used first. */
export const codingAgents: readonly CodingAgent[] = [
  claudeCode,
  codex,
  geminiCli,
  qwenCode,
  opencode,
  cursor,
  copilot,
  cline,
]

/** The agent of this name. */
export const codingAgentNamed = (name: string | undefined): CodingAgent | undefined =>
  codingAgents.find((agent) => agent.name === name)
