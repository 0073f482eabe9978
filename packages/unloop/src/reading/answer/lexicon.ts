import { hashOf } from '../words.js'
import { type Dialect, dialects } from './dialects.js'

/** What a word says, as bits: an error; an error if the answer is short; an unreachable service. */
export const ERROR = 1
export const HINT = 2
export const OUTAGE = 4
export const PENDING = 8
export const SUCCESS = 16
/** a verdict: it is fine */
export const GOOD = 32
export const NOTHING = 64
/** what is missing, and what is not wrong, if it is negated */
export const ABSENT = 128
export const TROUBLE = 256
/** "no" negates the rest of the clause, "not" the next word or two, "none" the label before it */
export const NO = 512
export const NOT = 1024
export const NONE = 2048
/** a number after it only says where or which; a number before it is a length of time or of text */
export const COUNTED = 4096
export const UNIT = 8192
/** a number after it is the status of a request, or an exit code */
export const STATUS = 1 << 14
export const EXITS = 1 << 15
/** the class of an error: `TypeError:` */
export const CLASS = 1 << 16
/** a phrase begins with it: at the start of a line; after a bracket; anywhere */
export const STARTS = 1 << 17
export const OPENS = 1 << 18
export const LEADS = 1 << 19
export const LEADING = STARTS | OPENS | LEADS

/** What a phrase is for, as bits: it is part of the frame; only if it is the whole line; it says that the call failed. */
export const CUT = 1
export const WHOLE = 2
export const FAILED = 4
/** it counts at the start of a line; only at the start of the answer */
const LINE = 8
export const FIRST = 16
/** it says that a change was made; how to call a tool; that a file is quoted from here on */
export const ACCEPTED = 32
export const USAGE = 64
export const QUOTES = 128
/** it is the name of an error in any context; a page begins with it */
export const NAME = 256
export const SCREEN = 512
/** nothing can work with this tool, or in this form */
export const UNUSABLE = 1024

/** For each kind of entry: what its words say, and what a phrase of them is for. */
const KINDS: Record<keyof Dialect, [tell: number, role: number]> = {
  frames: [0, CUT],
  silent: [0, CUT | WHOLE],
  running: [PENDING, CUT],
  failed: [0, CUT | FAILED],
  accepted: [SUCCESS, LINE | ACCEPTED],
  refused: [ERROR, LINE | FIRST],
  usage: [ERROR, LINE | FIRST | USAGE],
  quotes: [0, QUOTES],
  exits: [EXITS, 0],
  screens: [0, SCREEN],
  names: [ERROR, NAME],
  unusable: [ERROR, NAME | UNUSABLE],
  errors: [ERROR, 0],
  hints: [HINT, 0],
  outages: [OUTAGE, 0],
  pending: [PENDING, 0],
  success: [SUCCESS, 0],
  good: [GOOD | SUCCESS, 0],
  nothing: [NOTHING, 0],
  absent: [ABSENT, 0],
  trouble: [TROUBLE, 0],
  no: [NO, 0],
  not: [NOT, 0],
  none: [NONE, 0],
  counted: [COUNTED, 0],
  units: [UNIT, 0],
  status: [STATUS, 0],
}

/** A phrase: what it says, what it is for, and its steps. */
export interface Phrase {
  tell: number
  role: number
  /** hashes of words, or one of those below */
  steps: readonly number[]
  /** the sign directly before its first word and after each step; 0 if it does not matter */
  before: number
  signs: readonly number[]
  /** one of STARTS, OPENS and LEADS: where it may begin */
  place: number
}

/** any words up to the next one, or to the end of the line; up to the next one, over lines; an exit code */
export const HOLE = 1
export const BLOCK = 2
export const EXIT = 3

// several times as many as there are words, so that an unknown word hits an empty slot at once
const TABLE = 2048
const hashes = new Int32Array(TABLE)
const tells = new Int32Array(TABLE)
const phrases = new Map<number, Phrase[]>()

/** The phrases that begin with a word that STARTS, OPENS or LEADS one. */
export const phrasesFrom = (hash: number): readonly Phrase[] => phrases.get(hash) as Phrase[]

/** What a word says, by its hash; 0 for most. */
export function tellOf(hash: number): number {
  let slot = hash & (TABLE - 1)
  while (tells[slot] !== 0) {
    if (hashes[slot] === hash) return tells[slot] as number
    slot = (slot + 1) & (TABLE - 1)
  }
  return 0
}

/** What a word says together with the sign after it: `RuntimeError:` is an error, `throw new Error(` is code. */
export function tellAt(hash: number, text: string, end: number, sign: number): number {
  const tell = tellOf(hash)
  if (sign === 58 && tell === 0) {
    const isClass = text.endsWith('Error', end) || text.endsWith('Exception', end)
    return isClass ? ERROR | CLASS : 0
  }
  const isCode = tell !== 0 && (sign === 41 || (sign === 40 && !text.startsWith('(s)', end)))
  return isCode ? tell & ~ERROR : tell
}

function addTell(hash: number, tell: number): void {
  let slot = hash & (TABLE - 1)
  while (tells[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) & (TABLE - 1)
  hashes[slot] = hash
  tells[slot] = (tells[slot] as number) | tell
}

const PARTS = /\*\*?|\$|[\p{L}_\d]+/gu
const SLOTS: Record<string, number> = { '*': HOLE, '**': BLOCK, $: EXIT }

function addEntry(entry: string, tell: number, role: number): void {
  const parts = [...entry.matchAll(PARTS)]
  const steps = parts.map(([part]) => SLOTS[part] ?? hashOf(part.toLowerCase()))
  const signs = parts.map(({ 0: part, index }) => signAt(entry, index + part.length))
  const before = signAt(entry, (parts[0]?.index ?? 0) - 1)
  const start = steps[0] as number
  if (steps.length === 1 && before + (signs[0] ?? 0) + role === 0) return addTell(start, tell)
  const place =
    (role & (CUT | LINE)) === 0 ? LEADS : (role & CUT) !== 0 && before > 0 ? OPENS : STARTS
  addTell(start, place)
  const phrase = { tell, role, steps, before, signs, place }
  const others = phrases.get(start) ?? []
  // words of a frame say nothing else
  phrases.set(start, (role & CUT) !== 0 ? [phrase, ...others] : [...others, phrase])
}

/** The sign at a place of an entry; 0 for a space. */
function signAt(entry: string, at: number): number {
  const unit = entry.charCodeAt(at)
  return unit > 32 ? unit : 0
}

for (const dialect of Object.values(dialects)) {
  for (const [kind, entries] of Object.entries(dialect)) {
    const [tell, role] = KINDS[kind as keyof Dialect]
    for (const entry of entries.split('|')) addEntry(entry, tell, role)
  }
}
