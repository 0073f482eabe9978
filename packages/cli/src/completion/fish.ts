import type { CommandWords } from './words.js'

/** The script for fish. */
export const toFish = (commands: readonly CommandWords[]): string =>
  `# completion of unloop for fish
complete -c unloop -f
complete -c unloop -n __fish_use_subcommand -l help -d 'display help'
complete -c unloop -n __fish_use_subcommand -l version -d 'print the version'
${commands.flatMap(toLines).join('\n')}
`

function toLines({ name, description, options, choices, takesFiles }: CommandWords): string[] {
  const within = `complete -c unloop -n '__fish_seen_subcommand_from ${name}'`
  return [
    `complete -c unloop -n __fish_use_subcommand -a ${name} -d ${quote(description)}`,
    ...options.map(({ flags, description, takes, choices }) =>
      [
        within,
        ...flags.map((flag) =>
          flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
        ),
        takes !== 'nothing' && (takes === 'file' ? '-rF' : '-x'),
        choices.length > 0 && `-a ${quote(choices.map((choice) => `'${choice}'`).join(' '))}`,
        `-d ${quote(description)}`,
      ]
        .filter(Boolean)
        .join(' '),
    ),
    ...(choices.length > 0 ? [`${within} -a ${quote(choices.join(' '))}`] : []),
    ...(takesFiles ? [`${within} -F`] : []),
  ]
}

const quote = (text: string) => `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'")}'`
