import { readFileSync } from 'node:fs'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import type { AgentEvent } from 'unloop'
import { homeOf } from '../home-of.js'
import type { Host } from '../host.js'
import { stateFolder } from '../state-folder.js'
import { commandsOf, type ShellCommand } from './shell-line.js'

type Place = Pick<Host, 'env' | 'platform'>
type Call = Extract<AgentEvent, { type: 'tool-call' }>

/** What the model reads when a call that would change its own guard is refused. */
export const TAMPERING =
  'This call would change the guard that watches this session. Only the person can do that, in a terminal of their own. Continue with the task in another way, or tell the person what you need and why.'

/**
 * Whether a call would change the guard of its own session, although only the person may. Narrow on purpose: it knows the
 * commands for it and the files that take effect by themselves, and nothing else.
 */
export function isTampering(
  host: Place,
  folder: string | undefined,
  { name, args }: Call,
): boolean {
  if (typeof args !== 'object' || args === null) return false
  const guarded = { host, folder: folder ?? '/' }
  const fields = args as Record<string, unknown>
  const line = fields.command ?? fields.cmd ?? fields.script
  if (Array.isArray(line)) {
    // the words of one command, as Codex has given them
    if (tampers(guarded, { words: line.map(String), targets: [] }, 0)) return true
  } else if (typeof line === 'string' && runsTampering(guarded, line, 0)) return true
  return WRITES.test(name) && pathsIn(fields).some((path) => writesTampering(guarded, path, fields))
}

interface Guarded {
  host: Place
  folder: string
}

// the longest command lines that were seen have some thousand characters, and a hook must be fast
const MAX_CHARACTERS = 40_000
const MAX_DEPTH = 3

function runsTampering(guarded: Guarded, line: string, depth: number): boolean {
  if (!/unloop/i.test(line) || line.length > MAX_CHARACTERS) return false
  return commandsOf(line).some((command) => tampers(guarded, command, depth))
}

function tampers(guarded: Guarded, command: ShellCommand, depth: number): boolean {
  const { words, targets } = command
  if (targets.some((target) => isProtected(guarded, target))) return true
  if (changesGuard(words) || writesFile(guarded, command)) return true
  const isShell = words.slice(0, 4).some((word) => SHELLS.has(basename(word)))
  if (!isShell || depth >= MAX_DEPTH) return false
  return words.some((word) => /\s/.test(word) && runsTampering(guarded, word, depth + 1))
}

const SHELLS = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'ksh',
  'fish',
  'eval',
  'script',
  'su',
  'watch',
])

/** Whether a command is one of ours that only a person may give. */
function changesGuard(words: readonly string[]): boolean {
  const at = words.findIndex((word) => OURS.test(word))
  if (at < 0) return false
  const before = words.slice(0, at)
  if (!before.every((word, index) => isLauncher(word, before[index - 1]))) return false
  // another state than that of the guard
  if (before.some((word) => word.startsWith('UNLOOP_HOME='))) return false
  const [command, ...options] = words.slice(at + 1)
  const has = (...names: string[]) =>
    options.some((option) => names.includes(option.split('=', 1)[0] as string))
  switch (command) {
    case 'session':
      return has('--continue', '--allow', '--hint', '--off', '--on')
    case 'trust':
      return !has('--list', '--json', '--remove', '--help', '-h') || has('--yes')
    case 'init':
      return has('--remove')
    // it would take invented events for those of the session
    case 'hook':
      return !has('--help', '-h')
    default:
      return false
  }
}

const OURS = /^(?:[^\s=]*\/)?(?:unloop(?:\.js|\.cmd|\.cjs)?|hook\.cjs|@unloop\/cli(?:@[\w.-]+)?)$/
const LAUNCHERS = new Set(
  'env sudo doas nohup time exec command setsid nice xargs timeout npx bunx pnpx npm pnpm yarn bun dlx node stdbuf unbuffer then do else if while until !'.split(
    ' ',
  ),
)

/** Words that may stand before a command: programs that run others, with their options, and variables. */
const isLauncher = (word: string, before: string | undefined): boolean =>
  LAUNCHERS.has(basename(word)) ||
  word.startsWith('-') ||
  /^\w+=/.test(word) ||
  /^\d+[smh]?$/.test(word) ||
  before === '-u' ||
  (word === 'exec' && before !== undefined)

/** Whether a command of the shell that writes to files writes to one of the guard's. */
function writesFile(guarded: Guarded, { words }: ShellCommand): boolean {
  const at = words.findIndex((word, index) => !isLauncher(word, words[index - 1]))
  const [program = '', ...rest] = at < 0 ? [] : words.slice(at)
  const files = rest.filter((word) => !word.startsWith('-')).map((word) => word.replace(/^of=/, ''))
  const isInPlace = rest.some((word) => /^-[a-zA-Z]*i/.test(word) || word.startsWith('--in-place'))
  const written = TO_LAST.has(program)
    ? files.slice(-1)
    : TO_ALL.has(program) || ((program === 'sed' || program === 'perl') && isInPlace)
      ? files
      : []
  return written.some((path) => isProtected(guarded, path))
}

const TO_LAST = new Set(['cp', 'ln', 'install', 'rsync'])
const TO_ALL = new Set('tee rm mv dd truncate touch unlink rmdir shred chmod chown'.split(' '))

/** A file that takes effect without the person: what unloop keeps, and the configuration in the home folder. */
function isProtected({ host, folder }: Guarded, path: string): boolean {
  const home = homeOf(host)
  const expanded = path.replace(/^(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, () => home)
  const place = isAbsolute(expanded) ? resolve(expanded) : resolve(folder, expanded)
  const state = stateFolder(host)
  if (place === state || place.startsWith(join(state, '/'))) return true
  if (dirname(place) === home && /^unloop\.config\.(?:json|m?ts|m?js)$/.test(basename(place)))
    return true
  return /[/\\]\.?opencode[/\\]plugin[/\\]unloop\.js$/.test(place)
}

const WRITES = /write|edit|replace|create|patch|insert|delete|remove|move|rename/i
const PATHS = ['file_path', 'filePath', 'path', 'absolute_path', 'target_file', 'filename']

/** The files that a tool is given, or that a patch names. */
function pathsIn(fields: Record<string, unknown>): string[] {
  const given = PATHS.map((name) => fields[name])
  const patches = [fields.input, fields.patch, fields.patchText, fields.command]
    .filter((text) => typeof text === 'string')
    .flatMap((text) =>
      text
        .slice(0, MAX_CHARACTERS)
        .split('\n')
        .map((line) => /^\*\*\* (?:Update|Add|Delete) File: (.{1,1000})$/.exec(line)?.[1]?.trim()),
    )
  return [...given, ...patches].filter((path) => typeof path === 'string')
}

function writesTampering(guarded: Guarded, path: string, fields: Record<string, unknown>): boolean {
  if (isProtected(guarded, path)) return true
  const place = resolve(guarded.folder, path)
  if (!SETTINGS.test(place)) return false
  // other settings of the agent are free to change
  const after = fields.new_string ?? fields.newString ?? fields.content
  const before = fields.old_string ?? fields.oldString ?? textOf(place)
  return (
    typeof before === 'string' &&
    typeof after === 'string' &&
    HOOK.test(before) &&
    !HOOK.test(after)
  )
}

const SETTINGS =
  /[/\\]\.(?:claude|codex|gemini|qwen|cursor|copilot)[/\\](?:settings(?:\.local)?|hooks)\.json$/
const HOOK = /unloop(?:\.cmd)?(?:\\?["'])? hook \w/

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return
  }
}
