import { isRecord } from '../options.js'
import { COMMANDS } from './effect.js'
import { withoutScratch } from './scratch.js'
import { hashOf } from './words.js'

/**
 * The arguments without those that do not affect what the call does: explanations, time limits,
 * timestamps, names of scratch files. If nothing else would be left, all of them stay.
 */
export function identifying(args: unknown, ignore: readonly string[] = []): unknown {
  if (typeof args === 'string') return withoutScratch(args)
  if (!isRecord(args)) return args
  const isAside = (name: string) => (name.length < 14 && ASIDE.test(name)) || ignore.includes(name)
  let aside = 0
  let kept = 0
  for (const name in args) {
    if (isAside(name)) aside++
    else if (++kept > MANY) return args
  }
  const isScratch = COMMANDS.some((name) => withoutScratchIn(args[name]) !== args[name])
  if ((aside === 0 && !isScratch) || kept === 0) return args
  return Object.fromEntries(
    Object.entries(args)
      .filter(([name]) => !isAside(name))
      .map(([name, value]) => [name, COMMANDS.includes(name) ? withoutScratchIn(value) : value]),
  )
}

/** The same for a command line, which may be a list of words; returned as it is if it has no scratch files. */
function withoutScratchIn(value: unknown): unknown {
  if (typeof value === 'string') return withoutScratch(value)
  if (!Array.isArray(value)) return value
  const words = value.map((word) => (typeof word === 'string' ? withoutScratch(word) : word))
  return words.some((word, i) => word !== value[i]) ? words : value
}

// arguments with more fields than this are data, so all their fields count
const MANY = 24

const ASIDE =
  /^(?:description|reason|reasoning|explanation|thought|thoughts|rationale|justification|comment|note|purpose|intent|timeout|timeout_?ms|time_?limit|since|nonce|request_?id|timestamp|security_risk|is_?background|ref|uid|\w+_(?:ms|seconds))$/i

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

const COMMAND = /^(?:command|cmd|script)$/
/** the first word of a command line that is a path */
const PATH = / [\w.~-]*[/.][\w./~-]+/

const TARGET =
  /^(?:(?:file|absolute|target)?_?(?:path|name)|file|url|uri|address|document|resource|page|topic)$/i
