import { isRecord } from '../options.js'
import { COMMANDS, type Effect } from './effect.js'
import { withoutScratch } from './scratch.js'
import { hashOf } from './words.js'

/** What decides which arguments of a call count. */
export interface Identity {
  effect: Effect
  /** it runs a command line, which says all */
  shell: boolean
  /** names of arguments that do not count, and of the only ones that do, as the host says */
  ignore?: readonly string[] | undefined
  identify?: readonly string[] | undefined
}

/**
 * The arguments that say which call this is. Explanations and time limits are left out where they cannot matter: beside a
 * command line, which says all, and in a tool that only reads, beside an argument that says what. Names of scratch files in a
 * command line never count. If nothing else would be left, all arguments stay.
 */
export function identifying(
  args: unknown,
  { effect, shell, ignore = [], identify }: Identity = { effect: 'unknown', shell: false },
): unknown {
  if (typeof args === 'string') return withoutScratch(args)
  if (!isRecord(args)) return args
  const names = Object.keys(args)
  // arguments with more fields than this are data
  if (names.length > MANY && !identify && ignore.length === 0) return args
  const isLine = shell || names.some((name) => COMMAND.test(name) && isCommandLine(args[name]))
  const isSure = isLine || (effect === 'reads' && names.some((name) => SAYS_WHAT.test(name)))
  const counts = (name: string) =>
    identify ? identify.includes(name) : !ignore.includes(name) && !(isSure && ASIDE.test(name))
  const kept = names.filter(counts)
  // the same object again, so that one key is enough for the call
  const isScratch = COMMANDS.some((name) => withoutScratchIn(args[name]) !== args[name])
  if ((kept.length === names.length && !isScratch) || kept.length === 0) return args
  return Object.fromEntries(
    kept.map((name) => [name, COMMANDS.includes(name) ? withoutScratchIn(args[name]) : args[name]]),
  )
}

/** Several words: one word may be the operation of an editor. */
const isCommandLine = (value: unknown) =>
  typeof value === 'string' && /\S\s+\S/.test(value.slice(0, 200))

/** The same for a command line, which may be a list of words; returned as it is if it has no scratch files. */
function withoutScratchIn(value: unknown): unknown {
  if (typeof value === 'string') return withoutScratch(value)
  if (!Array.isArray(value)) return value
  const words = value.map((word) => (typeof word === 'string' ? withoutScratch(word) : word))
  return words.some((word, i) => word !== value[i]) ? words : value
}

// arguments with more fields than this are data
const MANY = 24

/** Names of arguments that explain a call or limit its time. */
const ASIDE =
  /^(?:description|reason|reasoning|explanation|thoughts?|rationale|justification|purpose|intent|(?:max_?)?time_?(?:out|limit)(?:_?(?:ms|s|secs|seconds))?|(?:yield|wait)_?time(?:_?(?:ms|seconds))?|security_?risk|(?:is|run_in)_?background|nonce|request_?id)$/i

/** Names of arguments that say what a look is at or for. */
const SAYS_WHAT =
  /^(?:\w{0,12}_?(?:path|file|filename|url|uri|query|pattern|regex)|q|code|sql|selector|question|topic|title|page|keywords?|address|document|resource)$|(?:Path|Url|Uri|Query|Pattern)$/

/** A hash of the path or address that a call is about; 0 if it names none. */
export function targetOf(args: unknown): number {
  if (!isRecord(args)) return 0
  let left = MANY
  for (const name in args) {
    if (--left < 0) return 0
    const value = args[name]
    if (typeof value !== 'string') continue
    if (TARGET.test(name)) return hashOf(value.slice(0, 300))
    const path = COMMAND.test(name) ? PATH.exec(value.slice(0, 300)) : null
    if (path) return hashOf(path[0])
  }
  return 0
}

/** The only whole number among the arguments, as of an item that is counted; 0 if there is none, or several. */
export function ordinalIn(args: unknown): number {
  if (!isRecord(args)) return 0
  let ordinal = 0
  let left = MANY
  for (const name in args) {
    if (--left < 0) return 0
    const value = args[name]
    const text = typeof value === 'number' ? String(value) : value
    if (typeof text !== 'string' || text.length > MAX_COUNTED) continue
    for (const [number] of text.matchAll(/\d+/g)) {
      if (ordinal !== 0) return 0
      // one more, so that zero counts too
      ordinal = Number(number) + 1
    }
  }
  return ordinal
}

const MAX_COUNTED = 80

const COMMAND = /^(?:command|cmd|script)$/
/** the first word of a command line that is a path */
const PATH = / [\w.~-]*[/.][\w./~-]+/

const TARGET =
  /^(?:(?:file|absolute|target)?_?(?:path|name)|file|url|uri|address|document|resource|page|topic)$/i
