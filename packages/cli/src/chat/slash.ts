import { type GuardMode, guardModeProblem, isGuardMode } from '@unloop/agent/guard-mode'
import { suggestion } from '../nearest.js'

/** What a line that begins with a slash asks for. */
export type SlashCommand =
  | { type: 'help' | 'loops' | 'cost' | 'retry' | 'compact' | 'clear' | 'exit' }
  | { type: 'guard'; mode: GuardMode | undefined }
  | { type: 'model'; name: string | undefined }
  | { type: 'rename'; name: string }
  | { type: 'resume'; text: string }
  /** goes to the embedded model as it is */
  | { type: 'stuck' }
  | { type: 'unknown'; message: string }

/** A command as it is listed. */
export interface CommandHelp {
  name: string
  /** what it takes, as in `[MODE]` */
  takes: string
  note: string
}

/** All commands, in the order of the help. */
export const COMMANDS: readonly CommandHelp[] = [
  { name: 'help', takes: '', note: 'this list' },
  { name: 'loops', takes: '', note: 'where the agent was stuck or struggled, with evidence' },
  { name: 'cost', takes: '', note: 'tokens and dollars so far, and what loops wasted' },
  { name: 'retry', takes: '', note: 'ask the last request again' },
  { name: 'compact', takes: '', note: 'summarize the history to make room' },
  { name: 'clear', takes: '', note: 'start a new conversation' },
  {
    name: 'resume',
    takes: '[TEXT]',
    note: 'continue an earlier conversation in this folder; TEXT searches',
  },
  { name: 'rename', takes: 'NAME', note: 'name this conversation' },
  { name: 'model', takes: '[NAME]', note: 'use another model; without a name, choose from a list' },
  {
    name: 'guard',
    takes: '[MODE]',
    note: 'enforce: act on loops; observe: only record them; off: ignore them',
  },
  {
    name: 'stuck',
    takes: 'KIND [heed]',
    note: 'make the embedded model get stuck; with heed it follows advice',
  },
  { name: 'exit', takes: '', note: 'leave' },
]

const KEYS_HELP = `
Enter sends, also during an answer: the line waits · Ctrl+J or Alt+Enter: new line · @path adds a file · Tab completes
↑ ↓ earlier prompts · Ctrl+R searches them · Ctrl+O shows everything in full · Esc stops the answer · Ctrl+C twice leaves`

export const HELP = `${COMMANDS.map(({ name, takes, note }) => `${`/${name} ${takes}`.padEnd(20)} ${note}`).join('\n')}${KEYS_HELP}`

/** The command in a line; nothing if it is a prompt. */
export function readSlash(line: string): SlashCommand | undefined {
  if (!/^\/[a-z]*(\s|$)/.test(line)) return
  const [, name = '', argument = ''] = /^\/([a-z]*)\s*(.*)$/s.exec(line.trim()) ?? []
  switch (name) {
    case 'help':
    case 'loops':
    case 'cost':
    case 'retry':
    case 'compact':
    case 'clear':
    case 'exit':
    case 'stuck':
      return { type: name }
    case 'quit':
      return { type: 'exit' }
    case 'resume':
      return { type: name, text: argument }
    case 'model':
      return { type: name, name: argument || undefined }
    case 'rename':
      if (argument === '') return unknown('/rename takes a name, as in /rename login bug')
      return { type: name, name: argument }
    case 'guard':
      if (argument === '') return { type: 'guard', mode: undefined }
      if (isGuardMode(argument)) return { type: 'guard', mode: argument }
      return unknown(`the mode of /guard ${guardModeProblem(argument)}`)
    default: {
      const names = COMMANDS.map((command) => `/${command.name}`)
      return unknown(
        `unknown command /${name}${suggestion(`/${name}`, names) || '; /help lists the commands'}`,
      )
    }
  }
}

const unknown = (message: string): SlashCommand => ({ type: 'unknown', message })
