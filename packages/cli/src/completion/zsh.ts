import type { CommandWords, OptionWords } from './words.js'

/** The script for zsh. */
export const toZsh = (commands: readonly CommandWords[]): string => `#compdef unloop
_unloop() {
  local -a commands
  commands=(
${commands.map(({ name, description }) => `    ${quote(`${name}:${description}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    _arguments '--help[display help]' '--version[print the version]'
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${commands.map(toCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _unloop ]]; then
  _unloop "$@"
else
  compdef _unloop unloop
fi
`

function toCase({ name, options, choices, takesFiles }: CommandWords): string {
  const rest = takesFiles ? ["'*:file:_files'"] : []
  const first = choices.length > 0 ? [quote(`1:${name}:(${choices.join(' ')})`)] : []
  const specs = [...options.flatMap(toSpecs), ...first, ...rest]
  return `    ${name}) _arguments ${specs.join(' ')} ;;`
}

const toSpecs = ({ flags, description, takes, choices }: OptionWords) =>
  flags.map((flag) => {
    const text = description.replace(/[[\]:]/g, '\\$&')
    const values = choices.map((choice) => choice.replace(/ /g, '\\ ')).join(' ')
    const value = takes === 'nothing' ? '' : `:value:${takes === 'file' ? '_files' : `(${values})`}`
    return quote(`${flag}[${text}]${value}`)
  })

const quote = (text: string) => `'${text.replace(/'/g, "'\\''")}'`
