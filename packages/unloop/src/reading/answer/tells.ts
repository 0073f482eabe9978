import { addTo, hashOf, hasWord, isPathPart, type WordSet } from '../words.js'
import {
  ABSENT,
  CLASS,
  ERROR,
  EXITS,
  GOOD,
  HINT,
  NO,
  NONE,
  NOT,
  NOTHING,
  OUTAGE,
  STATUS,
  SUCCESS,
  TROUBLE,
} from './lexicon.js'
import { AMOUNT, END, FRAME, KIND, QUOTED, type Tokens, WORD } from './tokens.js'

/** What an answer says about itself, as far as it was read. */
export interface Told {
  /** the bits for what its words say */
  flags: number
  /** the words about errors and about trouble, minus those that are negated */
  errors: number
  troubles: number
  /** a field or an exit code says that it failed, or that it succeeded; a hash of those exit codes */
  failed: boolean
  passed: boolean
  exits: number
  /** a field such as `status` or `error` says that something failed, which may be what was looked at */
  claimed: boolean
  /** a field says that what was asked for was not accepted */
  declined: boolean
  /** the answer begins with an error, as a tool does that speaks; or like a refusal that is known */
  begins: boolean
  refused: boolean
  /** the tool does not exist, or not with such arguments */
  unusable: boolean
  /** the first line mentions an error, success, or something that is missing */
  announced: boolean
  succeeded: boolean
  missed: boolean
  /** it begins like an editor's answer to a change */
  accepted: boolean
  /** the name of the first error that is in the lexicon */
  named: number
  /** characters of the frame; whether there was more than the frame; its lines that do not begin with a number */
  framed: number
  hasBegun: boolean
  plainLines: number
  /** the token where a quoted file begins */
  quotedFrom: number
  /** one more than the place where a page begins; 0 if there is none */
  screenAt: number
  /** words and lines read so far */
  words: number
  lines: number
  /** the current line: its words, what the last one said, how many more are negated, its errors */
  lineWords: number
  before: number
  denied: number
  lineErrors: number
  /** the call asked for help, so the usage is not an error */
  askedForHelp: boolean
}

export const startTold = (echo: WordSet): Told => ({
  flags: 0,
  errors: 0,
  troubles: 0,
  failed: false,
  passed: false,
  exits: 0,
  claimed: false,
  declined: false,
  begins: false,
  refused: false,
  unusable: false,
  announced: false,
  succeeded: false,
  missed: false,
  accepted: false,
  named: 0,
  framed: 0,
  hasBegun: false,
  plainLines: 0,
  quotedFrom: 0,
  screenAt: 0,
  words: 0,
  lines: 0,
  lineWords: 0,
  before: 0,
  denied: 0,
  lineErrors: 0,
  askedForHelp: hasWord(echo, HELP),
})

const HELP = hashOf('help')
const ZERO = hashOf('0')

/** The next number is an exit code. */
export function addExit(told: Told, { kinds, hashes }: Tokens, from: number): void {
  let at = from
  while (kinds[at] !== AMOUNT) if (kinds[at++] === END) return
  const hash = hashes[at] as number
  if (hash === ZERO) told.passed = true
  else {
    told.failed = true
    told.exits = addTo(told.exits, hash)
  }
}

// the first words show an error
export const TELLING_WORDS = 48
// how many words "no" and "not" negate, within a clause
const NO_REACH = 5
const NOT_REACH = 2

/** What the first words of an answer say about it. */
export function addTells(told: Told, tokens: Tokens): void {
  const { text, kinds, tells, ends } = tokens
  if (isData(text)) return
  for (let i = 0; i < told.quotedFrom && told.words + told.lineWords < TELLING_WORDS; i++) {
    const kind = (kinds[i] as number) & KIND
    if (kind === END) endLine(told)
    else if (kind === WORD) {
      if (tells[i] !== 0 || told.denied > 0 || told.before !== 0) hearWord(told, tokens, i)
      else told.lineWords++
    } else if (kind === FRAME) continue
    else if (isFileLine(told, text, ends[i] as number, tells[i] as number)) {
      told.lines++
      while (kinds[i + 1] !== END) i++
    } else hearNumber(told, tokens, i)
  }
  endLine(told)
}

function hearWord(told: Told, tokens: Tokens, at: number): void {
  const { text, kinds, tells, starts, ends } = tokens
  const start = starts[at] as number
  const end = ends[at] as number
  let tell = toldBy(tells[at] as number, text, start, end)
  told.lineWords++
  if (tell !== 0) {
    // `timeout: 30` is a setting
    if ((tell & OUTAGE) !== 0 && isSetting(text, end)) tell = 0
    // "mean 31.2, missing 12" counts something
    if ((tell & HINT) !== 0 && isCount(text, end)) tell &= ~HINT
    // a quotation is only mentioned
    if (((kinds[at] as number) & QUOTED) !== 0) tell &= ~(ERROR | HINT)
    if ((tell & GOOD) !== 0 && !isVerdict(told, tokens, at)) tell &= ~GOOD
    if (told.denied > 0) hearDenied(told, tell)
    else {
      hear(told, tell)
      if ((tell & ERROR) !== 0 && told.lines === 0 && told.lineWords <= FIRST_WORDS)
        told.begins ||= text.charCodeAt(end) === 58 || (tell & CLASS) !== 0 || isVerb(text, start)
    }
    if ((tell & NONE) !== 0 && isLabelled(told, text, start)) denyLabel(told)
    // what the frame says counts
    if ((tell & EXITS) !== 0 && !told.passed && !told.failed) addExit(told, tokens, at)
    if ((tell & (NO | NOT)) !== 0) told.denied = ((tell & NO) !== 0 ? NO_REACH : NOT_REACH) + 1
  }
  if (told.denied > 0) told.denied = isClauseEnd(text, end) ? 0 : told.denied - 1
  told.before = tell
}

// "Error:", "error TS2345:", "Read failed:", "cannot open"
const FIRST_WORDS = 3
// "overloaded_error: the server is overloaded"
const OPENING_WORDS = 6

/** Words that say in one go that something did not work, unlike "error", which may be what a text is about. */
const isVerb = (text: string, start: number) => VERB.test(text.slice(start, start + MAX_VERB))
const VERB = /^(?:cannot|unable|failed to|could not|denied|refused|rejected|aborted|fatal)\b/i
const MAX_VERB = 12

/** A word with a number as its value: `timeout: 30`, `"retries": 5`, `limit=3`. */
const isSetting = (text: string, end: number) => SETTING.test(text.slice(end, end + MAX_SETTING))
const SETTING = /^["']?\s?[:=]\s?["']?\d/
const MAX_SETTING = 6

/** A word with nothing but a number after it. */
const isCount = (text: string, end: number) => COUNT.test(text.slice(end, end + MAX_COUNT))
const COUNT = /^["']?\s?[:=]?\s?["']?\d{1,9}\s?(?:[,;\n]|$)/
const MAX_COUNT = 16

/** "ok" is a verdict on its own, before its subject or at the end; not in the middle of a sentence. */
const isVerdict = ({ lineWords }: Told, { text, kinds, ends }: Tokens, at: number) =>
  lineWords === 1 ||
  kinds[at - 1] === AMOUNT ||
  kinds[at + 1] === END ||
  isClauseEnd(text, ends[at] as number)

function hear(told: Told, tell: number): void {
  told.flags |= tell
  // "503 Service Unavailable", "connect ETIMEDOUT"
  if ((tell & OUTAGE) !== 0 && told.lines === 0 && told.lineWords <= OPENING_WORDS)
    told.begins = true
  if ((tell & ERROR) !== 0) {
    told.errors++
    told.lineErrors++
  }
  if ((tell & TROUBLE) !== 0) told.troubles++
}

function hearDenied(told: Told, tell: number): void {
  told.flags |= tell & (OUTAGE | NOTHING)
  // "no problems found" has found nothing wrong
  if ((tell & (ERROR | TROUBLE)) !== 0) told.flags |= GOOD | SUCCESS
  else if ((tell & ABSENT) !== 0 && (told.flags & GOOD) === 0) told.flags |= NOTHING
}

function hearNumber(told: Told, tokens: Tokens, at: number): void {
  const { text, hashes, tells, starts, ends } = tokens
  const hash = hashes[at] as number
  const isZero = hash === ZERO
  // "HTTP 404", "404 Not Found"
  const end = ends[at] as number
  const isTitled = text.charCodeAt(end) === 32 && isCapital(text.charCodeAt(end + 1))
  if (isTitled || (told.before & STATUS) !== 0)
    hear(told, (tells[at] as number) & ~(ERROR | TROUBLE))
  if (isZero && isLabelled(told, text, starts[at] as number)) denyLabel(told)
  // "Found 0 threads", but not "found 0 lint errors"
  if (isZero && (told.before & ABSENT) !== 0 && !isAboutTrouble(tokens, at)) told.flags |= NOTHING
  // "0 errors"
  told.denied = isZero ? NO_REACH : 0
  told.before = 0
}

/** Whether what is counted here is wrong, or is not named. */
function isAboutTrouble({ kinds, tells }: Tokens, at: number): boolean {
  const next = tells.subarray(at + 1, at + 1 + NO_REACH)
  return (
    ((kinds[at + 1] as number) & KIND) !== WORD ||
    next.some((tell) => (tell & (ERROR | TROUBLE)) !== 0)
  )
}

function endLine(told: Told): void {
  // a file may mention errors anywhere; an answer that is an error begins with it
  if (told.lineWords > 0 && told.lines++ === 0) {
    told.announced = told.errors > 0
    told.begins ||= told.announced && told.named !== 0
    told.succeeded = !told.announced && (told.flags & SUCCESS) !== 0
    told.missed = (told.flags & NOTHING) !== 0
  }
  told.words += told.lineWords
  told.lineWords = told.before = told.denied = told.lineErrors = 0
}

/** "Errors: none" has none, and neither does "Found forbidden words: 0". */
function denyLabel(told: Told): void {
  if (told.lineErrors > 0) told.flags |= GOOD | SUCCESS
  told.errors -= told.lineErrors
  told.lineErrors = 0
}

/** Whether a word follows a label: `errors: none`, `errors = 0`, `errors 0`. */
function isLabelled(told: Told, text: string, start: number): boolean {
  if ((told.before & ERROR) !== 0) return true
  let at = start - 1
  while (at > 0 && OPENING.has(text.charCodeAt(at))) at--
  const sign = text.charCodeAt(at)
  return sign === 58 || sign === 61
}

/** what may come between a label and its value: spaces, brackets, quotation marks */
const OPENING = new Set([32, 34, 39, 40, 91])

/** Part of a path or a name says nothing about the answer; "in-progress" does. */
const toldBy = (tell: number, text: string, start: number, end: number) =>
  (tell & ANSWERING) !== 0 && (text.charCodeAt(start - 1) === 45 || isPathPart(text, start, end))
    ? tell & ~ANSWERING
    : tell

const ANSWERING = ERROR | HINT | OUTAGE | SUCCESS | GOOD | NOTHING | TROUBLE

/** Whether a clause ends here, or the text. */
const isClauseEnd = (text: string, at: number) => ',.:;!?'.includes(text.charAt(at))

/** Whether this is a line number followed by the text of a file, which says nothing about the outcome. */
function isFileLine(told: Told, text: string, end: number, tell: number): boolean {
  const unit = text.charCodeAt(end)
  const next = text.charCodeAt(end + 1)
  // "a.ts:12:const a", but not "a.ts:12: error"
  if (told.lineWords > 0) return unit === 58 && next > 57
  return tell === 0 && (unit === 9 || unit === 0x2192 || unit === 58 || unit === 124)
}

/** A record or a list that is too long to parse may mention anything. */
const isData = (text: string) => /^[{[][\s"{[]/.test(text)

const isCapital = (unit: number) => unit >= 65 && unit <= 90
