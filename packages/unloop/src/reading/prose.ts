import { isRecord } from '../options.js'
import { classOf, LETTER, type WordSet, wordsOf } from './words.js'

/** The words of a request that a call makes in prose, as to a helper or a search; empty if it makes none. */
export function requestIn(args: unknown): WordSet {
  const text = longestText(args)
  return text !== undefined && isProse(text) ? wordsIn(text) : []
}

/** The words of a text, as far as they are compared. */
export const wordsIn = (text: string): WordSet => wordsOf('', text, MAX_TEXT)

const MAX_TEXT = 1200
const MAX_FIELDS = 12

/** The longest text among the arguments, which is what a helper is asked for. */
function longestText(args: unknown): string | undefined {
  if (typeof args === 'string') return args
  if (!isRecord(args)) return
  let longest: string | undefined
  let left = MAX_FIELDS
  for (const name in args) {
    if (--left < 0) return
    const value = args[name]
    // a command line may contain sentences
    if (COMMAND.test(name)) return
    if (typeof value === 'string' && value.length > (longest?.length ?? 0)) longest = value
  }
  return longest
}

const COMMAND =
  /^(?:command|cmd|script|code|bash|commands|sql|content|new_str|new_string|patch|diff)$/

/** At least six words, which are most of the text, and next to no marks of code. */
export function isProse(text: string): boolean {
  if (SQL.test(text.slice(0, MAX_READ))) return false
  const most = Math.min(text.length, MAX_READ)
  let letters = 0
  let words = 0
  let marks = 0
  let before = 32
  for (let i = 0; i < most; i++) {
    const unit = text.charCodeAt(i)
    if (classOf(unit) === LETTER && unit !== 95) {
      letters++
      // the parts of a path are no words; in scripts without spaces, a character is one
      if (before <= 32 || unit >= 0x2e80) words++
    } else if (CODE.has(unit)) marks++
    before = unit
  }
  return words >= LEAST_WORDS && letters >= most / 2 && marks < MARKS * most
}

/** A query has as many words as a sentence. */
const SQL =
  /^\s*(?:select|insert|update|delete|with|create|explain)\b.*\b(?:from|into|set|as|table)\b/is

// the beginning shows what it is
const MAX_READ = 400
const LEAST_WORDS = 4
// measured on the arguments of recorded runs: commands, code and data have several times as many
const MARKS = 0.015
const CODE = new Set([...'{}[]()<>=;$\\|&#^~`*'].map((mark) => mark.charCodeAt(0)))

/** The share of words that two requests have in common, from 0 to 1. */
export function overlap(one: WordSet, other: WordSet): number {
  let both = 0
  let any = 0
  for (let i = 0; i < one.length; i++) {
    both += bitsIn((one[i] as number) & (other[i] as number))
    any += bitsIn((one[i] as number) | (other[i] as number))
  }
  return any === 0 ? 0 : both / any
}

function bitsIn(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555)
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333)
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
