import type { CommandWords } from './words.js'

/** The script for bash. */
export const toBash = (
  commands: readonly CommandWords[],
): string => `# completion of unloop for bash
_unloop() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  local IFS=$'\\n'
  COMPREPLY=()
  # words with a blank in them are one word while a quote is open
  cur=\${cur#[\\"\\']}
  if [[ $COMP_CWORD -eq 1 ]]; then
    COMPREPLY=($(compgen -W '${lines([...commands.map(({ name }) => name), 'help', '--help', '--version'])}' -- "$cur"))
    return
  fi
  case "$command" in
${commands.map(toCase).join('\n')}
    help)
      COMPREPLY=($(compgen -W '${lines(commands.map(({ name }) => name))}' -- "$cur"))
      ;;
  esac
}
complete -o filenames -F _unloop unloop
`

const lines = (words: readonly string[]) => words.join('\n')

function toCase({ name, options, choices, takesFiles }: CommandWords): string {
  const values = options.flatMap((option) => {
    if (option.takes === 'nothing') return []
    const reply =
      option.takes === 'file'
        ? '$(compgen -f -- "$cur")'
        : `$(compgen -W '${lines(option.choices)}' -- "$cur")`
    return [`        ${option.flags.join('|')}) COMPREPLY=(${reply}); return ;;`]
  })
  const words = [...options.flatMap(({ flags }) => flags), ...choices]
  return `    ${name})
      case "$prev" in
${values.join('\n')}
      esac
      COMPREPLY=($(compgen -W '${lines(words)}' -- "$cur"))
${takesFiles ? '      [[ $cur != -* ]] && COMPREPLY+=($(compgen -f -- "$cur"))\n' : ''}      ;;`
}
