import { addTo, classOf, DIGIT, fold, LETTER } from '../words.js'
import { COUNTED, ERROR, tellOf, UNIT } from './lexicon.js'
import { AMOUNT, addToken, MASK, type Tokens, WORD } from './tokens.js'

const isDigit = (unit: number) => unit >= 48 && unit <= 57
const isHex = (unit: number) => isDigit(unit) || (unit >= 97 && unit <= 102)

/** Reads a number with all its parts: a date, a time, a version, an amount and its unit. Returns where it ends. */
export function addNumber(tokens: Tokens, text: string, from: number, to: number): number {
  let i = from
  let hash = from > 0 && text.charCodeAt(from - 1) === 45 ? 45 : 0
  let colons = 0
  let dashes = 0
  let slashes = 0
  let run = 0
  // digits after a point say how much, not which
  let isFraction = false
  for (; i < to; i++) {
    const unit = text.charCodeAt(i)
    if (isDigit(unit)) run += isFraction ? 0 : 1
    else {
      const joins = i + 1 < to && isDigit(text.charCodeAt(i + 1))
      if (unit === 58 && joins) colons++
      else if (unit === 45 && joins) dashes++
      else if (unit === 47 && joins) slashes++
      // 20260522T134013Z
      else if (joins && unit === 84 && run === 8) colons++
      else if (!(joins && (unit === 46 || unit === 44 || (unit === 84 && dashes === 2)))) break
      isFraction ||= unit === 46
      run = 0
    }
    hash = addTo(hash, unit)
    // this many digits are a handle or a time in milliseconds
    if (run >= 9) slashes = 2
  }
  const isTime = colons > 0 || dashes === 2 || slashes === 2
  if (i < to && classOf(text.charCodeAt(i)) === LETTER) {
    return addWithLetters(text, from, i, to, hash, isTime, isFraction)
  }
  const isMask = isTime || isPlace(tokens, text, from, i) || hasUnit(text, i)
  addToken(isMask ? MASK : AMOUNT, hash, isTime ? 0 : tellOf(hash), from, i)
  return i
}

/** 12ms, 3a7f, 0x7f, 2nd: a duration, something temporary, or a word that begins with a digit. */
function addWithLetters(
  text: string,
  from: number,
  at: number,
  to: number,
  number: number,
  isTime: boolean,
  isFraction: boolean,
): number {
  let end = at
  let hash = number
  let suffix = 0
  for (; end < to; end++) {
    const unit = text.charCodeAt(end)
    if (classOf(unit) > DIGIT) break
    hash = addTo(hash, unit)
    suffix = addTo(suffix, fold(unit))
  }
  const isAddress = text.charCodeAt(at) === 120 && end > at + 1
  const isMask =
    isTime ||
    isAddress ||
    (tellOf(suffix) & UNIT) !== 0 ||
    isSpan(text, from, end) ||
    (!isFraction && isMadeUp(text, from, end))
  addToken(isMask ? MASK : AMOUNT, hash, 0, from, end)
  return isMask ? skipHex(text, end, to) : end
}

/** Days, hours, minutes in one word: 1h20m, 2m5s. */
const isSpan = (text: string, from: number, end: number) =>
  end - from <= MAX_SPAN && SPAN.test(text.slice(from, end))
const SPAN = /^\d{1,4}[dhm]\d{1,4}(?:[hms](?:\d{1,4}s)?)?$/
const MAX_SPAN = 12

/** Whether a name with digits is temporary: a hash, an id, a temporary file. */
export function isMadeUp(text: string, from: number, end: number): boolean {
  const before = from > 0 ? text.charCodeAt(from - 1) : 0
  if (before === 47 && text.startsWith('/tmp/', from - 5)) return true
  // the numbered elements of a page: [ref=e12]
  if (before === 61 && isDigit(text.charCodeAt(from + 1))) return true
  if (end - from < 6) return text.startsWith('tmp', from)
  let hex = 0
  // how often digits follow letters, and the longest run of them
  let turns = 0
  let run = 0
  let longest = 0
  for (let i = from; i < end; i++) {
    const unit = text.charCodeAt(i)
    if (isHex(unit)) hex++
    if (!isDigit(unit)) run = 0
    else if (++run === 1 && i > from) turns++
    if (run > longest) longest = run
  }
  // the short name of a commit or a deployment; #f0a1b2 is a color
  if (end - from === 6 && hex === 6 && turns >= 2) return before !== 35
  if (end - from === 6) return text.startsWith('tmp', from)
  if (hex === end - from || longest >= 9) return true
  return (end - from >= 10 && turns >= 2) || text.startsWith('tmp', from)
}

/** The place after the rest of a hash or a UUID. */
export function skipHex(text: string, from: number, to: number): number {
  let i = from
  for (; i < to; i++) {
    const unit = text.charCodeAt(i)
    if (!isHex(unit) && unit !== 45) return isPod(text, i) ? i + POD : i
  }
  return i
}

/** The end of a name that Kubernetes makes: web-5f8e486f55-q7xkz. */
const isPod = (text: string, from: number) =>
  text.charCodeAt(from - 1) === 45 && POD_END.test(text.slice(from, from + POD + 1))
const POD_END = /^[bcdfghj-np-tvwxz2456789]{5}(?![a-z0-9])/
const POD = 5

/** `12 ms`, `7 lines`: a duration, or the length of the text itself. */
function hasUnit(text: string, at: number): boolean {
  if (text.charCodeAt(at) !== 32) return false
  let hash = 0
  const most = Math.min(text.length, at + 14)
  for (let i = at + 1; i < most; i++) {
    const unit = text.charCodeAt(i)
    if (classOf(unit) !== LETTER) break
    hash = addTo(hash, fold(unit))
  }
  return (tellOf(hash) & UNIT) !== 0
}

/** `pid 12`, `[12]`, `a.ts:12`: a number that only says where or which. */
function isPlace(tokens: Tokens, text: string, from: number, to: number): boolean {
  const before = from > 0 ? text.charCodeAt(from - 1) : 0
  if (before === 91 && text.charCodeAt(to) === 93) {
    tokens.hasElements = true
    return true
  }
  const last = tokens.count - 1
  if (last < 0 || ((tokens.kinds[last] as number) & 7) !== WORD) return false
  const tell = tokens.tells[last] as number
  // "error 12" is a code, "Error: 12 tests failed" is a count
  const isCount = (tell & ERROR) !== 0 && text.charCodeAt(tokens.ends[last] as number) === 58
  if ((tell & COUNTED) !== 0) return !isCount
  if (before !== 58 || tokens.ends[last] !== from - 1) return false
  const start = tokens.starts[last] as number
  const sign = start > 0 ? text.charCodeAt(start - 1) : 0
  return sign === 46 || sign === 47 || text.charCodeAt(to) === 58
}
