import { isRecord } from '../options.js'
import { withoutScratch } from './scratch.js'

/** What a call does to the world, as far as this is known without running it. */
export type Effect = 'reads' | 'changes' | 'waits' | 'moves' | 'unknown'

/** The effect, by the tool's name or, for shells, by the command line. */
export function effectOf(name: string, args: unknown): Effect {
  const { effect } = toolOf(name)
  if (isListening(name, args)) return 'waits'
  const operation = operationOf(args)
  if (operation !== undefined) return operation
  const command = commandIn(name, args)
  return command === undefined ? effect : effectOfCommand(command)
}

/** The command line that a shell is given. */
export const commandIn = (name: string, args: unknown): string | undefined =>
  toolOf(name).shell ? commandOf(args) : undefined

/** Whether a call measures time, so that the times in its answer matter. */
export const isMeasuring = (name: string, args: unknown): boolean =>
  MEASURES.test(commandIn(name, args)?.slice(0, MAX_MEASURED) ?? name)

// the program comes first
const MAX_MEASURED = 120
const MEASURES =
  /(?:^|[^a-z])(?:bench|benchmarks?|hyperfine|perf|timeit|profile|wrk|iperf3?|ping|speedtest)(?:$|[^a-z])/

/** The effect by name, cached: an agent has few tools and calls them often. */
function toolOf(name: string): { shell: boolean; effect: Effect } {
  const known = tools.get(name)
  if (known) return known
  const words = wordsInName(name)
  const first = words.find((word) => VERBS.has(word)) ?? ''
  // search_replace, find_and_replace
  const verb = words.includes('replace') ? 'replace' : first
  // `deploy_status` looks at a deployment, `set_status` changes it
  const isLook = STATES.has(words.at(-1) ?? '') && !words.some((word) => SETTERS.has(word))
  const tool = {
    shell: words.some((word) => SHELLS.has(word)),
    effect: isLook ? ('reads' as const) : (VERBS.get(verb) ?? ('unknown' as const)),
  }
  if (tools.size >= MAX_TOOLS) tools.clear()
  tools.set(name, tool)
  return tool
}

const fieldsOf = (args: unknown): Record<string, unknown> => (isRecord(args) ? args : {})

const tools = new Map<string, { shell: boolean; effect: Effect }>()
const MAX_TOOLS = 256

/** Empty input to a program means the agent wants to see its output. */
function isListening(name: string, args: unknown): boolean {
  const { chars, stdin, input } = fieldsOf(args)
  if (chars === '' || stdin === '' || input === '') return true
  return name.endsWith('stdin') && (chars ?? stdin ?? input) === undefined
}

/** How many seconds a waiting call says it will wait; -1 if it does not. */
export function secondsIn(args: unknown): number {
  let seconds = -1
  for (const [, time, unit] of bareLine(commandOf(args) ?? '')
    .replace(/#[^\n]*/g, '')
    .matchAll(SLEEP)) {
    seconds = Math.max(0, seconds) + Number(time) * (UNITS[unit ?? ''] ?? 1)
  }
  for (const [name, value] of Object.entries(fieldsOf(args)).slice(0, 24)) {
    if (typeof value !== 'number' || !(value >= 0) || !TIME.test(name)) continue
    // no call waits for an hour
    const isMs = /ms$|milli/i.test(name) || value > 3600
    seconds = Math.max(seconds, isMs ? value / 1000 : value)
  }
  return seconds
}

const SLEEP = /\bsleep\s+(\d{1,6}(?:\.\d{1,6})?)([smhd]?)/g
const UNITS: Record<string, number> = { m: 60, h: 3600, d: 86_400 }
const TIME =
  /^(?:\w{0,16}_)?(?:ms|s|secs?|seconds|minutes|duration|delay|wait|time|yield_time)(?:_?(?:ms|s|secs?|seconds))?$|(?:Ms|Seconds)$/i

/** A tool with several commands gets one as an argument: `{ command: 'view', path }`. */
function operationOf(args: unknown): Effect | undefined {
  const { command, action, operation, path, direction, dir, selector, element, target, text } =
    fieldsOf(args)
  if (isShort(direction ?? dir, DIRECTION)) return 'moves'
  // a click on what leads to the next page
  if (isShort(selector ?? element ?? target ?? text, NEXT)) return 'moves'
  const told = action ?? operation ?? (path === undefined ? undefined : command)
  const { effect } = toolOf(isShort(told, /./) ? told : '')
  return effect === 'unknown' ? undefined : effect
}

const isShort = (value: unknown, kind: RegExp): value is string =>
  typeof value === 'string' && value.length <= 40 && kind.test(value)

const NEXT =
  /^[\s#.]{0,3}(?:go to )?(?:next|forward|older|weiter|suivant|siguiente|→|»|>)(?![\p{L}-])/iu

const DIRECTION = /^(?:[nsewudlr]|north|south|east|west|up|down|left|right|forward|back)$/i

/** The words of `readFile`, `read_file` or `mcp__fs__read-file`. */
export const wordsInName = (name: string): string[] =>
  name
    .slice(0, 80)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)

const SHELLS = toSet(
  'bash shell sh terminal command cmd exec execute powershell run zsh console process',
)

// the order of words in a name decides: `wait_for_file` waits, `get_update` reads
const VERBS = toTable({
  waits: 'wait sleep poll await yield',
  moves:
    'scroll next previous prev step stepover continue forward back down up pagedown pageup press key keypress',
  reads:
    'read get list search find grep glob view open cat ls fetch show describe query lookup look check inspect ' +
    'status stat head tail visit browse navigate load extract analyze compare verify validate screenshot snapshot count diff log logs goto tree web calculate print ask',
  changes:
    'write edit create delete remove update insert replace append move rename patch apply set put post send submit ' +
    'install commit push add save book cancel upload make mkdir touch click type fill select drag str undo ' +
    'generate deploy start stop kill restart merge transfer download export convert translate reply assign archive ' +
    'approve register schedule notify close think thinking sequentialthinking',
})

/** The last word of a name for a look at something, unless the first one changes it. */
const STATES = toSet('status state progress health info details history result results log logs')
const SETTERS = toSet(
  'set write edit create delete remove update insert append replace patch put post send submit add save clear change reset close wait',
)

/** Whether the answer to a call may change by itself, while the agent does nothing: only such a call can wait. */
export function canWait(name: string, args: unknown, effect: Effect): boolean {
  if (effect === 'waits') return true
  const command = commandIn(name, args)
  if (command !== undefined) {
    const line = bareLine(command)
    return MOVING.test(line) || ELSEWHERE.test(line)
  }
  const words = wordsInName(name)
  if (words.some((word) => STANDING.has(word))) return false
  return words.some((word) => OUTSIDE.has(word) || MOVING.test(word)) || MOVING.test(textIn(args))
}

/** What moves by itself. */
const MOVING =
  /\b(?:status|state|progress|health\w{0,2}|ready|readiness|pending|running|queue|jobs?|builds?|deploy\w{0,7}|pipelines?|rollouts?|checks?|poll|watch|monitor|wait|sleep|inbox|e?mails?|messages?|notifications?|events?|alerts?|orders?|payments?|tickets?|pods?|uptime|ping)\b/i
/** Programs that look at something that runs elsewhere. */
const ELSEWHERE =
  /(?:^|[;&|]\s*|sudo\s)(?:gh|glab|kubectl|helm|argocd|curl|wget|http|docker|podman|systemctl|service|aws|gcloud|az|flyctl|heroku|vercel|squeue|sacct|ps|pgrep|ping|nc|ssh|nvidia-smi|git (?:fetch|pull|ls-remote))\b/
/** Tools whose answer only changes when the agent changes something. */
const STANDING = toSet(
  'read cat open view grep glob find search file files dir directory ls tree calculate calculator think print echo diff code symbol',
)
const OUTSIDE = toSet('get fetch describe show inspect request http api curl call task run')

/** Whether a call shows one thing, such as a file or a page: what it says is content. Other looks search. */
export function isView(name: string, args: unknown, effect: Effect): boolean {
  if (effect !== 'reads') return false
  const command = commandIn(name, args)
  if (command !== undefined) return VIEWERS.test(command)
  return wordsInName(name).some((word) => VIEWS.has(word))
}

const VIEWERS = /^\s*(?:cat|head|tail|less|more|bat|nl|sed -n|git show)\b/
const VIEWS = toSet(
  'read view open cat fetch get visit browse navigate load show describe goto extract',
)

/** The first words of the arguments. */
const textIn = (args: unknown): string =>
  (typeof args === 'string' ? [args] : Object.values(fieldsOf(args)))
    .map((value) => (typeof value === 'string' ? value.slice(0, MAX_TEXT) : ''))
    .join(' ')
    .slice(0, MAX_TEXT)

const MAX_TEXT = 300

/** The names of arguments with a command line. */
export const COMMANDS = ['command', 'cmd', 'script', 'input', 'bash', 'commands']

function commandOf(args: unknown): string | undefined {
  if (typeof args === 'string') return args
  const fields = fieldsOf(args)
  for (const name of COMMANDS) {
    const value = fields[name]
    if (typeof value === 'string') return value
    if (Array.isArray(value)) return shellWords(value)
  }
}

/** Whether a call only prints what it is given: `echo`, or code that prints. */
export function isSpeaking(args: unknown): boolean {
  const { code } = fieldsOf(args)
  if (typeof code === 'string')
    return /\b(?:print|console\.log)\s*\(/.test(code.slice(-MAX_COMMAND))
  return /^\s*(?:echo|printf)\b[^|]*$/.test(commandOf(args) ?? '')
}

/** Whether a call brings a program of several lines, which is written anew for each try. */
export function isScript(args: unknown): boolean {
  const { code, script } = fieldsOf(args)
  const text = code ?? script
  return typeof text === 'string' && text.trim().includes('\n')
}

/** `['bash', '-lc', 'ls']` is `ls`; a list without any string is not a command. */
function shellWords(words: unknown[]): string | undefined {
  const text = words.filter((word) => typeof word === 'string')
  if (text.length === 0) return
  return /^(?:.*\/)?(?:ba|z|da)?sh$/.test(text[0] ?? '') && text[1]?.startsWith('-')
    ? text.slice(2).join(' ')
    : text.join(' ')
}

// a longer line contains a whole script; its beginning shows what it does
const MAX_COMMAND = 600

// a wait before something unknown is a wait
const RANKS: Effect[] = ['moves', 'reads', 'unknown', 'waits', 'changes']

/** The effect that better describes both together. */
export const strongest = (one: Effect, other: Effect): Effect =>
  RANKS.indexOf(other) > RANKS.indexOf(one) ? other : one

/** What a command line does: it only reads if every part does. */
function effectOfCommand(command: string): Effect {
  const line = bareLine(command)
  if (line.trim() === '') return 'waits'
  if (REDIRECT.test(line)) return isRunAtOnce(command) ? 'unknown' : 'changes'
  // one step back in the history, the next thousand rows: the same line does something else each time
  if (STEPS.test(command.slice(0, MAX_COMMAND))) return 'moves'
  let effect: Effect = 'moves'
  for (const part of line.split(SEPARATORS)) {
    const found = effectOfProgram(part)
    if (found === 'changes') return found
    effect = strongest(effect, found)
  }
  return effect
}

const STEPS =
  /\bgit (?:checkout|reset|switch)\b[^;|]{0,40}\b(?:HEAD|@)[~^]|\b(?:psql|mysql|mariadb|sqlite3|sqlcmd|duckdb|mongosh)\b.{0,200}\b(?:update|delete|insert|deleteMany|updateMany)\b.{0,300}\b(?:limit|top|rownum)\b/is

/** The start of a command line without quoted words, scratch files, and 2>&1, which joins two streams. */
const bareLine = (command: string) =>
  withoutScratch(command.slice(0, MAX_COMMAND)).replace(/'[^']*'|"[^"]*"|\d?>&\d/g, ' _ ')

const SEPARATORS = /\|\||&&|[;|\n&]/
/** A redirect into a file, not to another stream, to /dev/null or to a temporary place. */
const REDIRECT = /(?:^|[^0-9&<>=-])(?:1?>>?)\s*(?![&>]|\/dev\/null|\/tmp\/_)[\w."'~$/]/

/** Whether a script is written and run in one command: then only its output counts. */
function isRunAtOnce(command: string): boolean {
  const [, file] = WRITTEN.exec(command.slice(0, MAX_COMMAND)) ?? []
  if (file === undefined) return false
  const end = command.trimEnd().lastIndexOf('\n')
  return end > 0 && command.slice(end, end + 200).includes(file)
}

const WRITTEN = />\s{0,3}(?:[\w.~-]{0,30}\/){0,4}([\w.-]{1,60}) {0,3}<</

function effectOfProgram(part: string): Effect {
  const words = part.trim().split(' ', 8)
  while (words.length > 1 && PREFIX.test(words[0] as string)) words.shift()
  const [called = '', first = ''] = words
  const program = called.slice(called.lastIndexOf('/') + 1)
  if (program === '') return 'moves'
  if (program === 'git')
    return GIT_READS.has(first) && !/ -[dDmM]\b/.test(part) ? 'reads' : 'changes'
  if (PACKER.test(program)) return words.length === 1 ? 'reads' : 'changes'
  if (CHANGING.test(`${program} ${part}`) || INSTALL.test(`${program} ${first}`)) return 'changes'
  if (program === 'tail' && /\s-\w*f/.test(part)) return 'waits'
  const effect = PROGRAMS.get(program) ?? VERBS.get(program)
  if (effect !== undefined) return effect
  if (words.length === 2 && DIRECTION.test(first)) return 'moves'
  return first === '--version' ? 'reads' : 'unknown'
}

const PREFIX =
  /^(?:sudo|xargs|time|timeout|nohup|env|command|exec|then|do|else|if|while|!|\d+[smh]?|\w+=\S*|\(|\{)$/

// programs that are also verbs have the same effect as the verb
const PROGRAMS = toTable({
  reads:
    'sed perl egrep rg ag wc echo printf pwd which type file cmp sort uniq cut awk tr ' +
    'du df ps env printenv date whoami id uname test true false jq yq less more hexdump xxd od strings nl basename ' +
    'dirname realpath readlink seq top md5sum sha256sum fd search_dir search_file find_file submit exit',
  waits: 'watch',
  moves: 'cd pushd popd scroll_up scroll_down for done fi _',
  changes:
    'rm mv cp rmdir tee chmod chown ln dd truncate pkill ' + 'export source apply_patch rsync scp',
  // it builds, tests or cleans
  unknown: 'make',
})

const GIT_READS = toSet(
  'status log diff show branch blame ls-files grep rev-parse describe remote reflog shortlog ls-tree cat-file',
)
/** In the middle of a pipe they only pass data on. */
const PACKER = /^(?:tar|xz|bzip2|g?(?:un)?zip)$/
const CHANGING = /^(?:sed|perl) .*\s-\w*i|^find .*-(?:delete|exec)/
const INSTALL =
  /^(?:npm|yarn|pnpm|pip3?|apt(?:-get)?|brew|cargo|go|gem|conda|uv|poetry) (?:i|add|remove|(?:un)?install|ci|update|upgrade|get|init|publish)$/

function toSet(words: string): Set<string> {
  return new Set(words.split(' '))
}

function toTable(words: Partial<Record<Effect, string>>): Map<string, Effect> {
  const entries = Object.entries(words) as [Effect, string][]
  return new Map(entries.flatMap(([effect, list]) => list.split(' ').map((word) => [word, effect])))
}
