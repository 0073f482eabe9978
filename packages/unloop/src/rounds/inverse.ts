import { isRecord } from '../options.js'
import { addTo, hashOf } from '../reading/words.js'

/** A change as two numbers: what it does, and what it undoes; 0 if unknown. */
export interface Inverse {
  does: number
  undoes: number
}

/** For a call that changes nothing, or nothing known. */
export const UNKNOWN: Inverse = { does: 0, undoes: 0 }

/** What `undo` undoes: the last change. */
export const LAST = 1

/** Reads an edit's old and new text, or a verb that has an opposite. */
export function inverseOf(name: string, args: unknown, command: string | undefined): Inverse {
  if (command !== undefined) return ofCommand(command)
  if (!isRecord(args)) return UNKNOWN
  const told = args.action ?? args.command
  if (UNDO.test(name) || (typeof told === 'string' && UNDO.test(told.slice(0, 40)))) {
    return { does: 0, undoes: LAST }
  }
  const place = textIn(args, PLACES)
  const [before, after] = [textIn(args, BEFORE), textIn(args, AFTER)]
  if (before !== undefined && after !== undefined) {
    const [at, one, other] = [hashText(place), hashText(before), hashText(after)]
    // texts that differ only in the middle have the same hash
    if (one === other) return UNKNOWN
    return { does: addTo(addTo(at, one), other), undoes: addTo(addTo(at, other), one) }
  }
  return place === undefined ? UNKNOWN : ofVerb(name, place)
}

const UNDO = /(?:^|[^a-z])undo/i

const PLACES = ['path', 'file_path', 'filePath', 'file', 'filename', 'name', 'id']
const BEFORE = ['old_string', 'oldString', 'old_str', 'search', 'old_text', 'from', 'old']
const AFTER = ['new_string', 'newString', 'new_str', 'replace', 'new_text', 'to', 'new']

function textIn(args: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = args[name]
    if (typeof value === 'string') return value
  }
}

const hashText = (text = '') =>
  addTo(addTo(text.length, hashOf(text.slice(0, MOST))), hashOf(text.slice(-MOST)))

// enough to tell one edit from another
const MOST = 100

/** One program with one opposite: `touch a`, `rm a`. */
function ofCommand(command: string): Inverse {
  if (command.length > 400 || /[|;&><\n]/.test(command)) return UNKNOWN
  const [program = '', ...words] = command.trim().split(/\s+/)
  const verb = program === 'git' ? words.shift() : program
  const things = words.filter((word) => !word.startsWith('-') && !OPPOSITES.has(word))
  const inner = words.find((word) => OPPOSITES.has(word))
  return ofVerb(inner ?? verb ?? '', things.join(' '))
}

function ofVerb(name: string, thing: string): Inverse {
  const verb = name
    .toLowerCase()
    .match(/[a-z]+/g)
    ?.find((word) => OPPOSITES.has(word))
  const pair = verb && OPPOSITES.get(verb)
  if (!pair) return UNKNOWN
  return {
    does: addTo(hashText(pair[0]), hashText(thing)),
    undoes: addTo(hashText(pair[1]), hashText(thing)),
  }
}

/** Verbs that undo each other. */
const OPPOSITES = new Map<string, [string, string]>()
for (const [one, other] of [
  ['touch mkdir create write make', 'rm rmdir delete unlink remove'],
  ['add stage', 'unstage restore'],
  ['enable', 'disable'],
  ['start', 'stop'],
  ['lock', 'unlock'],
  ['stash', 'pop'],
  ['install', 'uninstall'],
  ['mount', 'unmount umount'],
  ['check', 'uncheck'],
  ['expand', 'collapse'],
] as const) {
  for (const verb of one.split(' ')) OPPOSITES.set(verb, [one, other])
  for (const verb of other.split(' ')) OPPOSITES.set(verb, [other, one])
}
