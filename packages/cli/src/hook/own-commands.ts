import type { Host } from '../host.js'
import { stateFolder } from '../state-folder.js'
import { UNKNOWN } from './guarded-files.js'

/** Whether these words are one of our commands that only a person may give, in a shell or as the script of Node.js. */
export function changesGuard(words: readonly string[], isScript = false): boolean {
  const [program = '', ...rest] = words
  if (!isOurs(program, isScript)) return false
  const [command = '', ...options] = rest.slice(rest.findIndex((word) => !word.startsWith('-')))
  const has = (...names: string[]) =>
    options.some((option) => names.includes(option.split('=', 1)[0] as string))
  // it runs whatever else is said
  if (command === 'hook') return !/^(?:--help|-h)$/.test(options[0] ?? '')
  if (has('--help', '-h')) return false
  switch (command) {
    case 'session':
      return has('--continue', '--allow', '--hint', '--off', '--on')
    case 'trust':
      return !has('--list', '--json', '--remove') || has('--yes')
    case 'init':
      return has('--remove')
    default:
      return false
  }
}

/** Whether this is our program: by its name on the PATH, its package, or the path of an installed one. */
export function isOurs(word: string, isScript = false): boolean {
  if (/[$`]/.test(word) && /\b(?:which|command -v|type -p) unloop\b/.test(word)) return true
  if (
    !isScript &&
    /^(?:unloop(?:\.(?:js|cmd|exe|ps1))?|(?:npm:)?@unloop\/cli(?:@[\w.-]+)?)$/.test(word)
  )
    return true
  return /(?:^|\/)(?:\.?bin\/unloop(?:\.(?:js|cmd))?|@unloop\/cli\/[\w./-]{1,200}|hook\.cjs)$|^[~/]\S*\/unloop(?:\.(?:js|cmd))?$/.test(
    word,
  )
}

/** Whether a command with these variables keeps its state elsewhere, so that it concerns other guards. */
export function isElsewhere(
  { env, platform }: Pick<Host, 'env' | 'platform'>,
  changed: Record<string, string>,
): boolean {
  const names = ['UNLOOP_HOME', 'HOME', 'XDG_STATE_HOME', 'LOCALAPPDATA']
  const values = names.flatMap((name) => (name in changed ? [[name, changed[name] ?? '']] : []))
  const known = values.map(([name, value = '']) => [
    name,
    // a folder that is made just now
    /[$`]/.test(value) ? `${UNKNOWN}${name}` : value.replace(/^~(?=\/|$)/, env.HOME ?? '~'),
  ])
  const other = stateFolder({ env: { ...env, ...Object.fromEntries(known) }, platform })
  return other !== stateFolder({ env, platform })
}
