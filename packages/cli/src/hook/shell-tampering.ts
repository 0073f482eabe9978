import { homeOf } from '../home-of.js'
import { isProtected, isRemoved, type Place, placeOf, UNKNOWN } from './guarded-files.js'
import { changesGuard, isElsewhere, isOurs } from './own-commands.js'
import { commandsOf, type ShellCommand } from './shell-line.js'
import {
  AWAY,
  INTERPRETERS,
  launched,
  nameOf,
  RUNNERS,
  SHELLS,
  TO_ALL,
  TO_LAST,
} from './shell-programs.js'

/** Where a command line runs, and what is known of it so far. */
interface Shell {
  host: Place
  folder: string
  variables: Record<string, string>
  /** the variables that its commands get */
  exported: Record<string, string>
  /** a patch that a command would apply */
  isPatch(folder: string, text: string): boolean
}

// the longest command lines that were seen have some thousand characters, and a hook must be fast
const MAX_CHARACTERS = 20_000
const MAX_DEPTH = 3
const MAX_COMMANDS = 2_000
const MAX_VALUE = 1_000
const MAX_WORDS = 400

/** Whether a line of a shell, or the words of one command, would change the guard. */
export function runsTampering(
  host: Place,
  folder: string,
  line: string | readonly string[],
  isPatch: Shell['isPatch'],
): boolean {
  const shell = { host, folder, variables: {}, exported: {}, isPatch }
  if (typeof line === 'string') return runs(shell, line, 0)
  return tampers(shell, { words: [...line], targets: [] }, [], 0)
}

function runs(start: Shell, line: string, depth: number): boolean {
  if (depth > MAX_DEPTH) return false
  if (line.length > 2 * MAX_CHARACTERS) {
    const ends = [line.slice(0, MAX_CHARACTERS), line.slice(-MAX_CHARACTERS)]
    return ends.some((end) => runs(start, end, depth))
  }
  const shell = { ...start, variables: { ...start.variables }, exported: { ...start.exported } }
  const outer: string[] = []
  let before: string[] = []
  return commandsOf(line)
    .slice(0, MAX_COMMANDS)
    .some((command) => {
      const [word] = command.words
      if (word === '(') outer.push(shell.folder)
      else if (word === ')') shell.folder = outer.pop() ?? shell.folder
      else {
        const words = ends(command.words).map((one) => expanded(shell, one))
        const targets = ends(command.targets).map((one) => expanded(shell, one))
        const piped = command.isPiped ? before : []
        before = words
        return tampers(shell, { ...command, words, targets }, piped, depth)
      }
      return false
    })
}

/** The first and the last of too many. */
const ends = (words: readonly string[]) =>
  words.length > MAX_WORDS
    ? [...words.slice(0, MAX_WORDS / 2), ...words.slice(-MAX_WORDS / 2)]
    : words

/** A word with the variables that are known. */
function expanded({ host, folder, variables }: Shell, word: string): string {
  if (!word.includes('$')) return word
  const known = (name: string) => {
    const value =
      variables[name] ?? (name === 'HOME' ? homeOf(host) : name === 'PWD' ? folder : host.env[name])
    // words must not grow without end
    return value !== undefined && value.length <= MAX_VALUE ? value : undefined
  }
  return word
    .slice(0, MAX_CHARACTERS)
    .replace(/\$\{(\w{1,64}):-([^{}]{0,200})\}/g, (_, name, other) => known(name) || other)
    .replace(/\$(?:\{(\w{1,64})\}|(\w{1,64}))/g, (same, a, b) => known(a ?? b) ?? same)
}

function tampers(
  shell: Shell,
  command: ShellCommand,
  piped: readonly string[],
  depth: number,
): boolean {
  const { host, folder } = shell
  const { targets, input } = command
  if (targets.some((target) => isProtected(host, folder, target))) return true
  const { words, env, hasMore, lines } = launched(command.words)
  const [word = '', ...rest] = words
  const program = nameOf(word)
  const exported = { ...shell.exported, ...env }
  const inner: Shell = { ...shell, variables: { ...shell.variables, ...env }, exported }
  if (lines.some((line) => runs(inner, line, depth + 1))) return true
  if (word === '') {
    Object.assign(shell.variables, env)
    return false
  }
  if (moves(shell, program, rest)) return false
  const operands = piped.slice(1).filter((one) => !one.startsWith('-'))
  // printf and echo print their words, find and ls their paths
  const more = hasMore ? [...operands, input ?? ''].flatMap((one) => one.split(/\s+/)) : []
  const isFree = isElsewhere(host, exported)
  if (!isFree && changesGuard([...words, ...more])) return true
  if (writes(shell, program, rest) || writes(shell, program, more, isProtected)) return true
  if (program === 'find') return finds(inner, rest, depth)
  if (
    program === 'apply_patch' &&
    [...rest, input].some((text) => shell.isPatch(folder, text ?? ''))
  )
    return true
  const printed = /^(?:echo|printf)$/.test(nameOf(piped[0] ?? ''))
    ? operands.join(' ').replaceAll('\\n', '\n')
    : undefined
  const read = input ?? printed
  if (SHELLS.has(program)) {
    const scripts = program === 'eval' ? [rest.join(' ')] : scriptsIn(rest)
    if (read !== undefined && !rest.some((one) => !one.startsWith('-'))) scripts.push(read)
    return scripts.some((script) => runs(inner, script, depth + 1))
  }
  if (RUNNERS.has(program)) {
    const scripts = [...scriptsIn(rest), ...(read === undefined ? [] : [read])]
    if (scripts.some((script) => runs(inner, script, depth + 1))) return true
    return !isFree && rest.some((one, at) => isOurs(one) && changesGuard(rest.slice(at)))
  }
  if (!INTERPRETERS.test(program)) return false
  const code = rest.find((_, at) => /^-\w*[ecp]$|^--?(?:eval|print)$/.test(rest[at - 1] ?? ''))
  if (code !== undefined) return hasTampering(inner, code, depth, isFree)
  const at = scriptAt(rest)
  if (at < 0 || rest[at] === '-') return hasTampering(inner, read ?? '', depth, isFree)
  return !isFree && !rest.includes('--test') && changesGuard(rest.slice(at), true)
}

/** Takes what changes the folder and the variables of the commands that follow. */
function moves(shell: Shell, program: string, rest: readonly string[]): boolean {
  const [first] = rest.filter((one) => !one.startsWith('-'))
  switch (program) {
    case 'cd':
    case 'pushd':
      shell.folder =
        rest.includes('-') || /[$`]/.test(first ?? '')
          ? UNKNOWN
          : placeOf(shell.host, shell.folder, first ?? homeOf(shell.host))
      return true
    case 'popd':
      shell.folder = UNKNOWN
      return true
    case 'export':
    case 'declare':
    case 'local':
    case 'readonly':
      for (const word of rest) {
        const [, name, value] = /^(\w+)(?:=(.*))?$/s.exec(word) ?? []
        if (name === undefined) continue
        const known = value ?? shell.variables[name]
        if (known === undefined) continue
        shell.variables[name] = known
        shell.exported[name] = known
      }
      return true
    case 'for': {
      const [name = '', , ...items] = rest
      const item = items.find((one) => isRemoved(shell.host, shell.folder, one)) ?? items[0]
      if (item !== undefined) shell.variables[name] = item
      return true
    }
    default:
      return false
  }
}

/** What a shell is given to run: the word after -c, and everything that is more than a word. */
const scriptsIn = (rest: readonly string[]) =>
  rest.filter((one, at) => /\s/.test(one) || /^(?:-\w*c|\/c|-Command)$/i.test(rest[at - 1] ?? ''))

/** Where the script of an interpreter stands, after its options. */
function scriptAt(rest: readonly string[]): number {
  const isValue = (at: number) =>
    /^(?:-r|-C|--require|--import|--loader|--conditions|--env-file)$/.test(rest[at - 1] ?? '')
  return rest.findIndex((one, at) => (one === '-' || !one.startsWith('-')) && !isValue(at))
}

/** `find` with what it does to the files in its folders. */
function finds(shell: Shell, rest: readonly string[], depth: number): boolean {
  if (depth > MAX_DEPTH) return false
  const first = rest.findIndex((one) => /^[-(!]/.test(one))
  const paths = rest.slice(0, first < 0 ? rest.length : first)
  const isGuards = (path: string) => isProtected(shell.host, shell.folder, path)
  if (rest.includes('-delete')) return paths.some(isGuards)
  const at = rest.findIndex((option) => /^-(?:exec|ok)(?:dir)?$/.test(option))
  if (at < 0) return false
  const words = rest.slice(at + 1).flatMap((one) => (one === '{}' ? paths.filter(isGuards) : one))
  const end = words.findIndex((one) => one === ';' || one === '+')
  const command = { words: words.slice(0, end < 0 ? words.length : end), targets: [] }
  return tampers(shell, command, [], depth + 1)
}

/** Whether a command that writes to files, or takes them away, does so with one of the guard's. */
function writes(
  { host, folder }: Shell,
  program: string,
  rest: readonly string[],
  isGone = isRemoved,
): boolean {
  const isGuards = (path: string) => isProtected(host, folder, path)
  const isTaken = (path: string) => isGone(host, folder, path)
  const files = rest.filter((one) => !one.startsWith('-')).map((one) => one.replace(/^of=/, ''))
  if (AWAY.has(program)) return files.some(isTaken)
  if (TO_ALL.has(program)) {
    const [mode = ''] = files
    const isClosing = program === 'chmod' && /^0?[0-5]\d\d$|^[ua]?-/.test(mode)
    return files.some((file) => isGuards(file) || (isClosing && isTaken(file)))
  }
  if (TO_LAST.has(program)) {
    const option = rest.findIndex((one) => /^(?:-t|--target-directory)$/.test(one))
    const named = option < 0 ? undefined : rest[option + 1]
    const joined = rest.find((one) => one.startsWith('--target-directory='))?.slice(19)
    const last = named ?? joined ?? files.at(-1) ?? ''
    const sources = files.filter((file) => file !== last)
    if (program === 'mv' && sources.some(isTaken)) return true
    return isGuards(last) || sources.some((file) => isGuards(`${last}/${nameOf(file)}`))
  }
  const after = (pattern: RegExp) => rest.filter((_, at) => pattern.test(rest[at - 1] ?? ''))
  switch (program) {
    case 'sed':
    case 'perl':
    case 'awk':
    case 'gawk':
      return rest.some((one) => /^-[a-zA-Z]*i|^--in-place/.test(one)) && files.some(isGuards)
    case 'curl':
      return after(/^(?:-\w*o|--output)$/).some(isGuards)
    case 'wget':
      return [
        ...after(/^(?:-\w*O|--output-document)$/),
        ...after(/^-P$/).flatMap((into) => files.map((file) => `${into}/${nameOf(file)}`)),
      ].some(isGuards)
    case 'git': {
      const into = placeOf(host, folder, after(/^-C$/)[0] ?? '.')
      if (!files.some((file) => /^(?:checkout|restore|clean|rm|mv)$/.test(file))) return false
      return files.some((file) => isProtected(host, into, file))
    }
    default:
      return false
  }
}

/** Whether code of another language does with its texts what a shell must not do. */
function hasTampering(shell: Shell, code: string, depth: number, isFree: boolean): boolean {
  const texts = textsIn(code.slice(0, MAX_CHARACTERS))
  if (RUNS.test(code)) {
    if (texts.some((text) => runs(shell, text, depth + 1))) return true
    if (!isFree && texts.some((one, at) => isOurs(one) && changesGuard(texts.slice(at))))
      return true
  }
  if (!CHANGES.test(code)) return false
  const isHome = HOME.test(code)
  return texts.some(
    (text) =>
      isProtected(shell.host, shell.folder, text) ||
      (isHome && isProtected(shell.host, homeOf(shell.host), text.replace(/^\//, ''))),
  )
}

const RUNS = /system|popen|spawn|exec|subprocess|check_|run\(/i
const CHANGES =
  /write|rmtree|\brm|remove|unlink|rename|replace|truncate|move|copy|chmod|open\([^)]{0,200},\s?["'][wax+]/i
const HOME = /HOME|homedir|expanduser|home\(\)/

/** The texts in the code, in order. */
const textsIn = (code: string): string[] =>
  [...code.matchAll(/"([^"\n]{0,2000})"|'([^'\n]{0,2000})'|`([^`]{0,2000})`/g)].map(
    ([, a, b, c]) => a ?? b ?? c ?? '',
  )
