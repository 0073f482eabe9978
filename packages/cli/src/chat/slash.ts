import { type GuardMode, guardModeProblem, isGuardMode } from '@unloop/agent/guard-mode'
import { suggestion } from '../nearest.js'

/** What a line that begins with a slash asks for. */
export type SlashCommand =
  | { type: 'help' }
  | { type: 'loops' }
  | { type: 'guard'; mode: GuardMode | undefined }
  | { type: 'resume' }
  | { type: 'exit' }
  /** goes to the embedded model as it is */
  | { type: 'stuck' }
  | { type: 'unknown'; message: string }

const NAMES = ['help', 'loops', 'guard', 'resume', 'stuck', 'exit'] as const

export const HELP = `/help                      this list
/loops                     where the agent was stuck or struggled, with evidence
/guard [MODE]              enforce: act on loops; observe: only record them; off: ignore them
/resume                    continue an earlier conversation in this folder
/stuck KIND [heed]         make the embedded model get stuck; with heed it follows advice
/exit                      leave
Enter sends · Ctrl+J or Alt+Enter: new line · ↑ ↓ earlier prompts · Esc stops the answer · Ctrl+C twice leaves`

/** The command in a line; nothing if it is a prompt. */
export function readSlash(line: string): SlashCommand | undefined {
  if (!/^\/[a-z]*(\s|$)/.test(line)) return
  const [name = '', argument] = line.trim().slice(1).split(/\s+/)
  switch (name) {
    case 'help':
    case 'loops':
    case 'resume':
    case 'exit':
    case 'stuck':
      return { type: name }
    case 'quit':
      return { type: 'exit' }
    case 'guard':
      if (argument === undefined) return { type: 'guard', mode: undefined }
      if (isGuardMode(argument)) return { type: 'guard', mode: argument }
      return unknown(`the mode of /guard ${guardModeProblem(argument)}`)
    default:
      return unknown(
        `unknown command /${name}${suggestion(name, NAMES) || '; /help lists the commands'}`,
      )
  }
}

const unknown = (message: string): SlashCommand => ({ type: 'unknown', message })
