import { STUCK_KINDS } from '@unloop/agent'
import type { Command, Option } from 'commander'

/** What a shell can complete. */
export interface CommandWords {
  name: string
  description: string
  options: OptionWords[]
  /** what its first argument can be, where that is known */
  choices: string[]
  takesFiles: boolean
}

export interface OptionWords {
  flags: string[]
  description: string
  takes: 'nothing' | 'file' | 'text'
  choices: string[]
}

/** The words of every subcommand, from its own declaration. */
export const toWords = (program: Command): CommandWords[] =>
  program.commands.map((command) => ({
    name: command.name(),
    description: command.description(),
    options: [...command.options.map(toOption), HELP],
    choices: command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? []),
    takesFiles: command.registeredArguments.some(({ variadic }) => variadic),
  }))

const HELP: OptionWords = {
  flags: ['-h', '--help'],
  description: 'display help for command',
  takes: 'nothing',
  choices: [],
}

function toOption(option: Option): OptionWords {
  const { short, long, description, required, optional, argChoices } = option
  const isFile = /<(?:file|folder)>/.test(option.flags)
  return {
    flags: [short, long].filter((flag) => flag !== undefined),
    description,
    takes: isFile ? 'file' : required || optional ? 'text' : 'nothing',
    choices: long === '--prompt' ? STUCK_KINDS.map((kind) => `/stuck ${kind}`) : (argChoices ?? []),
  }
}
