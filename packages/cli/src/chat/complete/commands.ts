import { STUCK_KINDS } from '@unloop/agent'
import { GUARD_MODES } from '@unloop/agent/guard-mode'
import { printable } from '../../printable.js'
import { oneLine } from '../../words.js'
import { COMMANDS } from '../slash.js'

/** What there is to choose from, apart from commands. */
export interface Choices {
  models(): readonly string[]
  /** names of conversations, each with what was asked first */
  sessions(): readonly { text: string; note: string }[]
}

interface Option {
  text: string
  note: string
}

/** The commands that begin so. */
export const commandOptions = (begin: string): Option[] =>
  COMMANDS.filter(({ name }) => name.startsWith(begin)).map(({ name, note }) => ({
    text: `/${name}`,
    note,
  }))

/** What a command takes that begins so. */
export function argumentsOf(command: string, begin: string, choices: Choices): Option[] {
  return optionsFor(command, choices)
    .filter(({ text }) => text.toLowerCase().startsWith(begin.toLowerCase()))
    .map(({ text, note }) => ({ text: oneLine(printable(text), 60), note: oneLine(note, 80) }))
}

function optionsFor(command: string, choices: Choices): readonly Option[] {
  switch (command) {
    case 'guard':
      return GUARD_MODES.map((text) => ({ text, note: GUARD_NOTES[text] }))
    case 'stuck':
      return STUCK_KINDS.map((text) => ({ text, note: '' }))
    case 'model':
      return choices.models().map((text) => ({ text, note: '' }))
    case 'resume':
      return choices.sessions()
    default:
      return []
  }
}

const GUARD_NOTES = {
  enforce: 'act on loops',
  observe: 'only record them',
  off: 'ignore them',
}
