import { addTo, hashOf, hasWord, isLatin, type WordSet } from '../words.js'
import { CLASS, ERROR, HINT, OUTAGE, TROUBLE } from './lexicon.js'
import { TELLING_WORDS, type Told } from './tells.js'
import { AMOUNT, END, KIND, type Tokens, WORD } from './tokens.js'

/**
 * The name of the error that a text tells: its class and what it says, without quotations, numbers, paths and the words of
 * the call; 0 if the text tells of none.
 */
export function errorNameOf(tokens: Tokens, { named, quotedFrom }: Told, echo: WordSet): number {
  const at = classAt(tokens, quotedFrom)
  if (at < 0 && named !== 0) return named
  const from = at < 0 ? lineOf(tokens, quotedFrom) : at
  // an error that only speaks the words of the call is known by those
  return from < 0 ? 0 : nameFrom(tokens, from, echo) || nameFrom(tokens, from)
}

const TRACEBACK = hashOf('traceback')

/** The token with the class of the error: `TypeError:`. A traceback ends with it, any other text begins with it; -1 if there is none. */
function classAt({ kinds, hashes, tells }: Tokens, to: number): number {
  let found = -1
  let isTraced = false
  for (let i = 0; i < to; i++) {
    if (hashes[i] === TRACEBACK) isTraced = true
    if (((tells[i] as number) & CLASS) === 0 || kinds[i] !== WORD) continue
    found = i
    if (!isTraced) return found
  }
  return found
}

/** The first token of the first line that speaks of an error, or of the one behind "Errors:"; -1 if no line does. */
function lineOf({ text, kinds, tells, ends }: Tokens, to: number): number {
  let found = -1
  let words = 0
  let start = 0
  let isError = false
  for (let i = 0; i < to; i++) {
    if (((kinds[i] as number) & KIND) === WORD) words++
    if (kinds[i] === WORD && ((tells[i] as number) & TELLING) !== 0) isError = true
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
// a line of so few words that ends with a colon announces the next
const LABEL = 3

/** A hash of the words from here to the end of the line that name an error. */
function nameFrom(
  { text, kinds, hashes, tells, starts, ends, count }: Tokens,
  from: number,
  echo?: WordSet,
) {
  let name = 0
  let i = from
  while (kinds[i] === END && i < count - 1) i++
  for (; kinds[i] !== END; i++) {
    const hash = hashes[i] as number
    // the status of a request is its class
    const isCode = kinds[i] === AMOUNT && ((tells[i] as number) & (HINT | OUTAGE)) !== 0
    const isWord = kinds[i] === WORD && isNaming(text, starts[i] as number, ends[i] as number)
    if (isCode || (isWord && !(echo && hasWord(echo, hash)))) name = addTo(name, hash)
  }
  return name
}

/** Whether a word is not part of a path or of a dotted name, and if there are digits in it, a code like TS2345. */
function isNaming(text: string, start: number, end: number): boolean {
  const before = start > 0 ? text.charCodeAt(start - 1) : 32
  const after = text.charCodeAt(end)
  if (before === 47 || before === 92 || after === 47 || after === 92) return false
  const isDotted = after === 46 && isLatin(text.charCodeAt(end + 1))
  if (isDotted || (before === 46 && after !== 58)) return false
  return isLatin(text.charCodeAt(end - 1)) || isCapital(text.charCodeAt(start + 1)) || after > 127
}

/** A capital letter or a digit. */
const isCapital = (unit: number) => unit >= 48 && unit <= 90
