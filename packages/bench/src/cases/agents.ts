import type { Random } from '../random.js'
import { bashOnly } from './agents/bash-only.js'
import { claudeCode } from './agents/claude-code.js'
import { cline } from './agents/cline.js'
import { codex } from './agents/codex.js'
import { codexExec } from './agents/codex-exec.js'
import { cursor } from './agents/cursor.js'
import { geminiCli, qwenCode } from './agents/gemini-cli.js'
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
  /** some editors quote the text that was to be replaced, or the text that would have been */
  editFailed(path: string, text?: string): string
  noMatches(pattern: string): string
  noFile(path: string): string
  /** what a command printed, as the shell tool wraps it */
  printed(random: Random, command: string, text: string, exitCode: number): string
  noTool(name: string): string
}

/** Each makes one version of its program, in which a thing is always worded in the same way. */
export const agents: readonly ((random: Random) => Agent)[] = [
  geminiCli,
  qwenCode,
  claudeCode,
  codex,
  codexExec,
  sweAgent,
  openHands,
  openCode,
  cline,
  cursor,
  bashOnly,
]
