import {
  ABSENT,
  CODE,
  COUNTED,
  DENIED,
  ERROR,
  ERROR_CODES,
  EXIT,
  flagOf,
  HINT,
  NONE,
  NOT,
  NOTHING,
  OUTAGE,
  OUTAGE_CODES,
  PENDING,
  SERVICE,
  SUCCESS,
  TROUBLE,
  UNAVAILABLE,
} from './answer-words.js'
import { isFreshLine, type LineSet } from './line-set.js'
import {
  addTo,
  BLANK,
  classOf,
  DIGIT,
  hashOf,
  hasWord,
  isLatin,
  LETTER,
  MARK,
  NEWLINE,
  type WordSet,
} from './words.js'

/** The answer that is being read. */
export interface Scan {
  echo: WordSet
  seen: LineSet
  strict: number
  loose: number
  looseWords: number
  unspoken: number
  unspokenWords: number
  news: number
  newsWords: number
  words: number
  lines: number
  fresh: number
  size: number
  amounts: number
  nodes: number
  /** words in lines that only repeat the call */
  echoes: number
  line: number
  lineWords: number
  lineEchoes: number
  lineShort: number
  /** numbers in front of the line; and whether it begins with the name of a field */
  lead: number
  named: boolean
  /** the line is a remark of the tool: in brackets, or with "(none)" */
  framed: boolean
  flags: number
  /** what the word before told, and that word, 0 behind a number */
  before: number
  word: number
  /** words that speak of an error, less those that deny it */
  errors: number
  /** a field or an exit code says that it failed; the first line does; or it says that it did not */
  failed: boolean
  announced: boolean
  succeeded: boolean
  /** where the quotation ends that the text is in */
  quotedUntil: number
  /** its first piece of text, and the beginning of that */
  text: string
  sample: string
}

export const startScan = (echo: WordSet, seen: LineSet): Scan => ({
  echo,
  seen,
  strict: 0,
  loose: 0,
  looseWords: 0,
  unspoken: 0,
  unspokenWords: 0,
  news: 0,
  newsWords: 0,
  words: 0,
  lines: 0,
  fresh: 0,
  size: 0,
  amounts: 0,
  nodes: 0,
  echoes: 0,
  line: 0,
  lineWords: 0,
  lineEchoes: 0,
  lineShort: 0,
  lead: 0,
  named: false,
  framed: false,
  flags: 0,
  before: 0,
  word: 0,
  errors: 0,
  failed: false,
  announced: false,
  succeeded: false,
  quotedUntil: 0,
  text: '',
  sample: '',
})

// an error is told by its first words
const TELLING_WORDS = 48

/** One pass over the characters: words, numbers, marks and ends of lines. */
export function scanText(scan: Scan, text: string, from: number, to: number): void {
  const { echo } = scan
  scan.quotedUntil = 0
  let { line, lineWords, lineEchoes, lineShort } = scan
  let i = from
  // plain words and the spaces between them are nearly all there is, so nothing else is looked for here, and what
  // they add up to is kept at hand
  while (i < to) {
    const start = i
    let unit = text.charCodeAt(i)
    let hash = 0
    while (isLatin(unit)) {
      hash = addTo(hash, unit)
      if (++i === to) break
      unit = text.charCodeAt(i)
    }
    if (i > start && (unit === 32 || i === to || classOf(unit) > DIGIT)) {
      const echoes = hasWord(echo, hash)
      line = addTo(line, hash)
      lineWords++
      if (echoes) lineEchoes++
      else if (i - start < 3) lineShort++
      scan.word = hash
      if (scan.words + lineWords <= TELLING_WORDS) {
        tell(scan, hash, flagAt(text, i, unit, hash), start < scan.quotedUntil, echoes)
      }
      if (unit === 32) i++
    } else if (i === start && classOf(unit) === BLANK) i++
    else {
      keepLine(scan, line, lineWords, lineEchoes, lineShort)
      i = scanOther(scan, text, start, i, to, hash)
      line = scan.line
      lineWords = scan.lineWords
      lineEchoes = scan.lineEchoes
      lineShort = scan.lineShort
    }
  }
  keepLine(scan, line, lineWords, lineEchoes, lineShort)
}

function keepLine(scan: Scan, line: number, words: number, echoes: number, short: number): void {
  scan.line = line
  scan.lineWords = words
  scan.lineEchoes = echoes
  scan.lineShort = short
}

/** A word with other signs in it, of which the hash so far is given, a number or a mark; tells where it ends. */
function scanOther(
  scan: Scan,
  text: string,
  start: number,
  at: number,
  to: number,
  begun: number,
): number {
  const unit = text.charCodeAt(at)
  const kind = classOf(unit)
  if (at > start || kind === LETTER) {
    let end = at
    let hash = begun
    let digits = 0
    for (; end < to; end++) {
      const letter = text.charCodeAt(end)
      const is = classOf(letter)
      if (is > DIGIT) break
      if (is === DIGIT) digits++
      hash = addTo(hash, letter)
    }
    const quoted = start < scan.quotedUntil
    if (digits > 0) return addName(scan, text, start, end, hash, quoted)
    addWord(scan, hash, end - start, quoted)
    return end
  }
  if (kind === DIGIT) return addNumber(scan, text, at, to)
  if (unit === 27) return skipEscape(text, at, to) + 1
  if (kind === NEWLINE) endLine(scan)
  else if (kind === MARK && at >= scan.quotedUntil) {
    scan.quotedUntil = addMark(scan, text, at, to, unit)
  }
  return at + 1
}

function addWord(scan: Scan, hash: number, length: number, quoted: boolean): void {
  const echoes = hasWord(scan.echo, hash)
  scan.line = addTo(scan.line, hash)
  scan.lineWords++
  scan.word = hash
  if (echoes) scan.lineEchoes++
  else if (length < 3) scan.lineShort++
  if (scan.words + scan.lineWords <= TELLING_WORDS) tell(scan, hash, flagOf(hash), quoted, echoes)
}

/** What a word tells, with the mark behind it: `RuntimeError:` is an error, `throw new Error(` is code. */
function flagAt(text: string, end: number, mark: number, hash: number): number {
  const flag = flagOf(hash)
  if (mark === 40 || mark === 41) return flag & ~ERROR
  const isName = mark === 58 && (text.endsWith('Error', end) || text.endsWith('Exception', end))
  return isName ? flag | ERROR : flag
}

const WITH = hashOf('with')
const TOLD = OUTAGE | NOTHING | PENDING | SUCCESS | UNAVAILABLE | SERVICE

/** What the first words of an answer say of it. */
function tell(scan: Scan, hash: number, told: number, quoted: boolean, echoes: boolean): void {
  // what is quoted is spoken of
  const flag = quoted ? told & ~(ERROR | HINT) : told
  if (!quoted) {
    scan.loose = addTo(scan.loose, hash)
    scan.looseWords++
    if (!echoes) {
      scan.unspoken = addTo(scan.unspoken, hash)
      scan.unspokenWords++
    }
  }
  const { before } = scan
  if ((flag | before) === 0) return
  // "exited with code 1"
  if (hash === WITH && (before & EXIT) !== 0) return
  scan.before = (flag & CODE) !== 0 && ((before | flag) & EXIT) === 0 ? 0 : flag
  // "no problems found" has found nothing wrong
  if ((before & NOT) !== 0 && (flag & TROUBLE) !== 0) {
    scan.flags |= SUCCESS
    scan.before = 0
    return
  }
  // "0 tests failed": what is denied may be a word away
  if (flag === 0 && (before & DENIED) === 0 && (before & NOT) !== 0) scan.before = NOT | DENIED
  if (flag === 0) return
  if ((before & NOT) !== 0 && (flag & ABSENT) !== 0) scan.flags |= NOTHING
  // "no errors", "Error: (none)"
  if ((flag & ERROR) !== 0 && (before & NOT) === 0) scan.errors++
  if ((flag & NONE) !== 0) {
    if ((before & ERROR) !== 0) scan.errors--
    scan.framed = true
  }
  scan.flags |= flag & ((before & NOT) === 0 ? TOLD | HINT : TOLD)
}

/** A word with digits in it: a name, or something made up for this once. */
function addName(
  scan: Scan,
  text: string,
  from: number,
  end: number,
  hash: number,
  quoted: boolean,
): number {
  const name = text.slice(from, Math.min(end, from + 64))
  if (name.length >= 7 && HEX.test(name)) {
    addMask(scan)
    return skipHex(text, end)
  }
  const before = from > 0 ? text.charCodeAt(from - 1) : 0
  const made =
    (name.length >= 10 && MIXED.test(name)) ||
    name.startsWith('tmp') ||
    (before === 47 && text.startsWith('/tmp/', from - 5)) ||
    // the numbered elements of a page
    (before === 61 && /^[a-z]\d+$/i.test(name))
  if (made) addMask(scan)
  else addWord(scan, hash, end - from, quoted)
  return end
}

const HEX = /^[0-9a-f]+$/
/** letters and digits in turn, at least twice */
const MIXED = /[a-z_]\d+[a-z_]+\d/i

/** A number with all that belongs to it: a date, a time, a version, an amount and its unit. */
function addNumber(scan: Scan, text: string, from: number, to: number): number {
  let i = from
  let hash = from > 0 && text.charCodeAt(from - 1) === 45 ? 45 : 0
  let colons = 0
  let dashes = 0
  let slashes = 0
  let run = 0
  for (; i < to; i++) {
    const unit = text.charCodeAt(i)
    if (unit >= 48 && unit <= 57) run++
    else {
      const joins = i + 1 < to && classOf(text.charCodeAt(i + 1)) === DIGIT
      if (unit === 58 && joins) colons++
      else if (unit === 45 && joins) dashes++
      else if (unit === 47 && joins) slashes++
      else if (!(joins && (unit === 46 || unit === 44 || (unit === 84 && dashes === 2)))) break
      run = 0
    }
    hash = addTo(hash, unit)
    if (run >= 9) slashes = 2
  }
  const after = i < to ? classOf(text.charCodeAt(i)) : BLANK
  if (after === LETTER) return addUnit(scan, text, from, i, to, hash)
  if (i - from === 3) {
    if (OUTAGE_CODES.has(hash)) scan.flags |= OUTAGE | HINT
    else if (ERROR_CODES.has(hash)) scan.flags |= HINT
  }
  const timed = colons > 0 || dashes === 2 || slashes === 2
  if (timed || isCounter(scan, text, from, i) || hasUnit(text, i)) addMask(scan)
  else addAmount(scan, hash)
  return i
}

/** 12ms, 3a7f, 0x7f, 2nd: a length of time, something made up, or a word that begins with a digit. */
function addUnit(
  scan: Scan,
  text: string,
  from: number,
  at: number,
  to: number,
  hash: number,
): number {
  let end = at
  while (end < to && classOf(text.charCodeAt(end)) <= DIGIT) end++
  const word = text.slice(at, Math.min(end, at + 64))
  const hex = end - from >= 7 && HEX.test(word)
  if (hex || TIME_UNITS.has(word) || /^(?:Z$|x[0-9a-f])/i.test(word)) addMask(scan)
  else addAmount(scan, addTo(hash, hashOf(word)))
  return hex ? skipHex(text, end) : end
}

const TIME_UNITS = new Set('ms s sec secs m min mins h us µs ns'.split(' '))
/** A length of time, or of the text itself. */
const hasUnit = (text: string, at: number) =>
  text.charCodeAt(at) === 32 && UNIT.test(text.slice(at + 1, at + 14))
const UNIT =
  /^(?:ms|s|h|milliseconds?|secs?|seconds?|minutes?|mins?|hours?|lines?|more|bytes|chars|characters)\b/

/** `pid 12`, `[12]`, `a.ts:12`: a number that only tells where or which. */
function isCounter(scan: Scan, text: string, from: number, to: number): boolean {
  const before = from > 0 ? text.charCodeAt(from - 1) : 0
  if (before === 91 && text.charCodeAt(to) === 93) return true
  if (before === 58 && /[./][\w:-]*:$/.test(text.slice(Math.max(0, from - 40), from))) return true
  return (flagOf(scan.word) & COUNTED) !== 0
}

const ZERO = hashOf('0')

/** A number that may be information: it makes another answer, but not another error. */
function addAmount(scan: Scan, hash: number): void {
  const { before } = scan
  if (hash === ZERO && (before & ERROR) !== 0) scan.errors--
  if (hash !== ZERO && (before & CODE) !== 0) scan.failed = true
  // "0 errors" denies them
  scan.before = hash === ZERO ? NOT : 0
  scan.word = 0
  // the number of a line in front of its text is not part of the line
  if (scan.lineWords === 0 && !scan.named) {
    scan.strict = addTo(scan.strict, hash)
    if (hash === ZERO) return
    scan.lead = addTo(scan.lead, hash)
    if (scan.lines === 0) scan.amounts = addTo(scan.amounts, hash)
    return
  }
  // a field and its number say something together
  if (scan.named && hash !== ZERO) scan.lineWords ||= 1
  scan.line = addTo(scan.line, hash)
  if (hash !== ZERO) scan.amounts = addTo(scan.amounts, hash)
}

/** Something that is new each time. */
function addMask(scan: Scan): void {
  scan.before = 0
  scan.word = 0
  scan.line = addTo(scan.line, 1)
}

/** A mark; tells where the quotation ends that it begins, if it does. */
function addMark(scan: Scan, text: string, at: number, to: number, unit: number): number {
  if (unit === 91 && scan.lineWords === 0) {
    // a remark, not a list
    scan.framed = at + 1 < to && classOf(text.charCodeAt(at + 1)) === LETTER
  }
  if (unit === 123 || unit === 34) scan.framed = false
  else if (unit === 93 && at + 1 < to && text.charCodeAt(at + 1) > 32) scan.framed = false
  if (unit !== 34 && unit !== 39 && unit !== 96 && unit !== 91) return 0
  // an apostrophe is no quotation mark
  if (unit === 39 && at > 0 && classOf(text.charCodeAt(at - 1)) === LETTER) return 0
  if (scan.words > TELLING_WORDS) return 0
  const most = Math.min(to, at + 240)
  const closing = unit === 91 ? 93 : unit
  for (let i = at + 1; i < most; i++) {
    const next = text.charCodeAt(i)
    if (next === closing) return i
    if (next === 10) return 0
  }
  return 0
}

/** The rest of a hash or of a UUID. */
function skipHex(text: string, from: number): number {
  let i = from
  // no more of it than is read of an answer
  const to = Math.min(text.length, from + 4096)
  while (i < to && /[0-9a-f-]/.test(text.charAt(i))) i++
  return i
}

/** The last character of a colour or a movement of the cursor. */
function skipEscape(text: string, from: number, to: number): number {
  let i = from + 1
  while (i < to && classOf(text.charCodeAt(i)) !== LETTER) i++
  return i
}

export function endLine(scan: Scan): void {
  // a line of nothing but numbers
  if (scan.line === 0 && scan.lead !== 0) {
    scan.line = scan.lead
    scan.lineWords = 1
  } else if (scan.line !== 0) scan.strict = addTo(scan.strict, scan.line)
  const { line, lineWords } = scan
  if (lineWords > 0) {
    // a file may speak of errors anywhere, an answer that is one begins with it
    if (scan.lines === 0) {
      scan.announced = scan.errors > 0
      scan.succeeded = scan.errors <= 0 && (scan.flags & SUCCESS) !== 0
    }
    scan.words += lineWords
    scan.lines++
    // a line of which most words are the call's own says nothing, nor does the tool's frame
    if (scan.lineEchoes > 0 && scan.lineEchoes >= 0.6 * (lineWords - scan.lineShort)) {
      scan.echoes += scan.lineEchoes + scan.lineShort
    } else if (!scan.framed) {
      scan.newsWords += lineWords
      scan.news = addTo(scan.news, line)
      if (isFreshLine(scan.seen, line)) scan.fresh++
    }
  }
  scan.line = 0
  scan.lineWords = 0
  scan.lineEchoes = 0
  scan.lineShort = 0
  scan.lead = 0
  scan.named = false
  scan.framed = false
  scan.before = 0
  scan.word = 0
}
