import {
  addTo,
  classOf,
  hashOf,
  hasWord,
  isPathPart,
  LETTER,
  type WordSet,
  wordsOf,
} from '../words.js'
import { CLASS, ERROR, HINT, OUTAGE, TROUBLE } from './lexicon.js'
import { TELLING_WORDS, type Told } from './tells.js'
import { AMOUNT, END, KIND, MASK, type Tokens, WORD } from './tokens.js'

/**
 * The name of the error in a text: its class and message without quotations, numbers and paths; without a class, the
 * line that mentions it, also without the words of the call; 0 if there is none.
 */
export function errorNameOf(tokens: Tokens, { named, quotedFrom }: Told, echo: WordSet): number {
  const at = classAt(tokens, quotedFrom)
  // with a class, the words of the call stay, because the message may share them by chance
  if (at >= 0) return nameFrom(tokens, at, NO_WORDS)
  if (named !== 0) return named
  const from = lineOf(tokens, quotedFrom)
  // if too few words are left, those of the call count too
  return from < 0 ? 0 : nameFrom(tokens, from, echo, 2) || nameFrom(tokens, from)
}

const NO_WORDS = wordsOf('', 0, 0)
const TRACEBACK = hashOf('traceback')

/** The token with the class of the error, such as `TypeError:`; -1 if there is none. A traceback ends with it, any other text begins with it. */
function classAt({ text, kinds, hashes, tells, ends }: Tokens, to: number): number {
  let found = -1
  let classes = CLASS
  for (let i = 0; i < to; i++) {
    // in a traceback, a plain `Exception:` counts as well
    if (hashes[i] === TRACEBACK) classes = CLASS | ERROR
    if (((tells[i] as number) & classes) === 0 || kinds[i] !== WORD) continue
    if (text.charCodeAt(ends[i] as number) === 58) found = i
    if (found >= 0 && classes === CLASS) return found
  }
  return found
}

/** The first token of the first line that mentions an error, or of the line after "Errors:"; -1 if there is none. */
function lineOf({ text, kinds, tells, ends }: Tokens, to: number): number {
  let found = -1
  let words = 0
  let start = 0
  let isError = false
  for (let i = 0; i < to; i++) {
    if (((kinds[i] as number) & KIND) === WORD) words++
    if ((kinds[i] as number) <= AMOUNT && ((tells[i] as number) & TELLING) !== 0) isError = true
    // "a.ts:12: unused"
    if (kinds[i] === MASK && text.startsWith(': ', ends[i])) isError = true
    if (kinds[i] !== END) continue
    if (isError && i - start <= LABEL && text.charCodeAt(ends[i - 1] as number) === 58) return i + 1
    if (isError && found < 0) found = start
    if (found >= 0 && words > TELLING_WORDS) return found
    start = i + 1
    isError = false
  }
  return found
}

const TELLING = ERROR | HINT | TROUBLE
// a line with this few words and a colon at the end announces the next
const LABEL = 3

/** A hash of the words that name an error, from here to the end of the line, without those of the call; 0 if there are too few. */
function nameFrom(tokens: Tokens, from: number, echo?: WordSet, least = 1): number {
  const { text, kinds, hashes, tells, starts, ends, count } = tokens
  let name = 0
  let words = 0
  let i = from
  while (kinds[i] === END && i < count - 1) i++
  for (; kinds[i] !== END; i++) {
    const hash = hashes[i] as number
    // the status of a request is its class
    const isCode = kinds[i] === AMOUNT && ((tells[i] as number) & (HINT | OUTAGE)) !== 0
    const isWord = echo
      ? kinds[i] === WORD &&
        !hasWord(echo, hash) &&
        isNaming(text, starts[i] as number, ends[i] as number)
      : ((kinds[i] as number) & KIND) === WORD
    if (!isCode && !isWord) continue
    name = addTo(name, hash)
    words++
  }
  return words < least ? 0 : name
}

/** Whether a word is not part of a path or a dotted name and, if it has digits, is a code like TS2345. */
function isNaming(text: string, start: number, end: number): boolean {
  const isClass = text.charCodeAt(end) === 58
  if (isPathPart(text, start, end) || (text.charCodeAt(start - 1) === 46 && !isClass)) return false
  const isCode = text.charCodeAt(start) < 91 && text.charCodeAt(start + 1) < 91
  return classOf(text.charCodeAt(end - 1)) === LETTER || isCode
}
