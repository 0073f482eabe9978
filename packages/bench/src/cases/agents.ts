import type { Random } from '../random.js'
import { bashOnly } from './agents/bash-only.js'
import { claudeCode } from './agents/claude-code.js'
import { codex } from './agents/codex.js'
import { geminiCli } from './agents/gemini-cli.js'
import { openHands } from './agents/open-hands.js'
import { openCode } from './agents/opencode.js'
import { sweAgent } from './agents/swe-agent.js'

export interface Call {
  name: string
  args: Record<string, unknown>
}

/** The tools of one coding agent and the way they answer. */
export interface Agent {
  name: string
  /** some formats mark a failed call, some leave it to the text */
  flagsErrors: boolean
  read(path: string, from: number, count: number): Call
  search(pattern: string, folder: string): Call
  list(folder: string): Call
  edit(path: string, before: string, after: string): Call
  shell(command: string, reason: string): Call
  /** lines of a file as the reading tool shows them */
  shown(path: string, lines: readonly string[], from: number, total: number): string
  edited(path: string, after: string): string
  editFailed(path: string): string
  noMatches(pattern: string): string
  noFile(path: string): string
  /** what a command printed, as the shell tool wraps it */
  printed(random: Random, command: string, text: string, exitCode: number): string
  noTool(name: string): string
}

export const agents: readonly Agent[] = [
  geminiCli,
  claudeCode,
  codex,
  sweAgent,
  openHands,
  openCode,
  bashOnly,
]
