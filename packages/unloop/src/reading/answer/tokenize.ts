import { addTo, BLANK, classOf, DIGIT, fold, isLatin, LETTER, NEWLINE } from '../words.js'
import { LEADING, tellAt } from './lexicon.js'
import { addNumber, isMadeUp, skipHex } from './numbers.js'
import { addToken, END, HEAD, MASK, QUOTED, TAIL, type Tokens, tokens, WORD } from './tokens.js'

/** One pass over the characters: words, numbers and ends of lines. */
export function tokenize(text: string): Tokens {
  tokens.text = text
  tokens.count = 0
  tokens.leadCount = 0
  tokens.hasElements = false
  if (text.length <= HEAD + TAIL) addTokens(text, 0, text.length)
  else {
    addTokens(text, 0, HEAD)
    tokens.ends[tokens.count - 1] = text.length - TAIL
    addTokens(text, text.length - TAIL, text.length)
  }
  return tokens
}

const { kinds, hashes, tells, starts, ends, leads } = tokens

function addTokens(text: string, from: number, to: number): void {
  let quotedUntil = 0
  let i = from
  let { count } = tokens
  while (i < to) {
    const start = i
    let unit = text.charCodeAt(i)
    let hash = 0
    while (isLatin(unit)) {
      hash = addTo(hash, unit | 32)
      unit = ++i === to ? 32 : text.charCodeAt(i)
    }
    if (i > start && (unit === 32 || classOf(unit) > DIGIT)) {
      // plain words are the most common tokens, so `addToken` is inlined here
      const tell = tellAt(hash, text, i, unit)
      if ((tell & LEADING) !== 0) leads[tokens.leadCount++] = count
      kinds[count] = start < quotedUntil ? WORD | QUOTED : WORD
      hashes[count] = hash
      tells[count] = tell
      starts[count] = start
      ends[count++] = i
      if (unit === 32) i++
      continue
    }
    const kind = classOf(unit)
    if (i === start && kind === BLANK) i++
    else {
      tokens.count = count
      if (kind <= DIGIT) {
        const isQuoted = start < quotedUntil
        i =
          i > start || kind === LETTER
            ? addName(text, start, i, to, hash, isQuoted)
            : addNumber(tokens, text, i, to)
      } else if (kind === NEWLINE) addToken(END, 0, 0, i, ++i)
      else if (unit === ESCAPE) i = skipEscape(text, i, to)
      else if (unit === BACKSLASH) {
        // an escaped line break in JSON text, whose lines are not a quotation
        if (text.charCodeAt(++i) === 110) {
          addToken(END, 0, 0, i, ++i)
          quotedUntil = 0
        }
      } else {
        const isLineStart = count === 0 || kinds[count - 1] === END
        if (i >= quotedUntil) quotedUntil = endOfQuotation(text, i, to, unit, isLineStart)
        i++
      }
      count = tokens.count
    }
  }
  tokens.count = count
  addToken(END, 0, 0, to, to)
}

const ESCAPE = 27
const BACKSLASH = 92

/** A word with characters other than Latin letters, given its hash so far: a name, or something temporary. */
function addName(
  text: string,
  start: number,
  at: number,
  to: number,
  begun: number,
  isQuoted: boolean,
): number {
  let end = at
  let hash = begun
  let digits = 0
  for (; end < to; end++) {
    const unit = text.charCodeAt(end)
    const kind = classOf(unit)
    if (kind > DIGIT) break
    if (kind === DIGIT) digits++
    hash = addTo(hash, fold(unit))
  }
  if (digits > 0 && isMadeUp(text, start, end)) {
    addToken(MASK, 0, 0, start, end)
    return skipHex(text, end, to)
  }
  const tell = digits > 0 ? 0 : tellAt(hash, text, end, text.charCodeAt(end))
  addToken(isQuoted ? WORD | QUOTED : WORD, hash, tell, start, end)
  return end
}

/** The place after a color code or a cursor movement. */
function skipEscape(text: string, from: number, to: number): number {
  let i = from + 1
  while (i < to && classOf(text.charCodeAt(i)) !== LETTER) i++
  return i + 1
}

// longer than any name, shorter than text that happens to be between two apostrophes
const QUOTATION = 240

/** Where the quotation that begins here ends; 0 if none begins. A line that is quoted as a whole does not count as one. */
function endOfQuotation(
  text: string,
  at: number,
  to: number,
  mark: number,
  isLineStart: boolean,
): number {
  // an apostrophe is not a quotation mark
  if (mark === 39 && at > 0 && classOf(text.charCodeAt(at - 1)) === LETTER) return 0
  const closing = mark === 91 ? 93 : mark
  const most = Math.min(to, at + QUOTATION)
  for (let i = at + 1; i < most; i++) {
    const unit = text.charCodeAt(i)
    if (unit === 10) return 0
    if (unit !== closing) continue
    const isLine = isLineStart && mark !== 91 && (i + 1 === to || text.charCodeAt(i + 1) === 10)
    return isLine ? 0 : i
  }
  return 0
}
