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
/loops                     where the agent was stuck or struggled so far, with evidence
/guard [MODE]              enforce: act on loops; observe: only record them; off: do not look for them
/resume                    go on with an earlier conversation of this folder
/stuck KIND [heed]         ask the embedded model to get stuck; with heed it takes advice
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
        `there is no /${name}${suggestion(name, NAMES) || '; /help lists what there is'}`,
      )
  }
}

const unknown = (message: string): SlashCommand => ({ type: 'unknown', message })
