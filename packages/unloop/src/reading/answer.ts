import { isRecord } from '../options.js'
import { errorNameOf } from './answer/error-name.js'
import { fieldKind, hearField, isTrouble, MOVING, PLAIN, VOLATILE } from './answer/fields.js'
import { cutFrames } from './answer/frames.js'
import { GOOD, HINT, NOTHING, OUTAGE, PENDING } from './answer/lexicon.js'
import {
  addFieldName,
  addMask,
  addPrints,
  endLine,
  type Prints,
  startPrints,
} from './answer/prints.js'
import { screenOf } from './answer/screen.js'
import { addTells, startTold, type Told } from './answer/tells.js'
import { tokenize } from './answer/tokenize.js'
import { END, KIND, type Tokens, WORD } from './answer/tokens.js'
import type { LineSet } from './line-set.js'
import { wordsIn } from './prose.js'
import { addTo, hashOf, hasWord, type WordSet } from './words.js'

/** The answer to a call, read once. */
export interface Answer {
  /** equal for the same answer, ignoring times, ids, durations, counters, temporary paths, frames and punctuation */
  print: number
  /** equal for the same error, ignoring numbers and quoted words */
  loose: number
  /** the same, also ignoring the words of the call itself */
  unspoken: number
  /** equal for the same answer without lines that only repeat the call, and the number of words in it */
  news: number
  newsWords: number
  /** equal for the same first line, which often says what was done */
  first: number
  /** its lines, how many of them are new in this prompt, and how many more only differ in times, ids and the like */
  lines: number
  fresh: number
  novel: number
  /** its characters and words, without the frame */
  size: number
  words: number
  /** equal for the same numbers */
  amounts: number
  /** a number that rises and falls with those in the answer */
  figure: number
  /** equal for the same times, ids and other things that the fingerprints leave out */
  masks: number
  /** the host or an exit code says that it failed */
  failed: boolean
  /** its words say that something went wrong: the call, or what was looked at */
  claims: boolean
  /** it is short and begins with an error that names what was asked for, or with a refusal that is known: the tool speaks */
  speaks: boolean
  /** it is short and begins with an error */
  begins: boolean
  /** it says that the tool does not exist, or not with such arguments */
  unusable: boolean
  /** it says that the service is unreachable for now */
  outage: boolean
  /** it only repeats what the call said */
  echoed: boolean
  /** nothing came back: no words, a zero, or a record of empty lists */
  nothing: boolean
  /** its words say that something was not found, and it is short enough to be about the call */
  misses: boolean
  /** it says that something is still in progress */
  pending: boolean
  /** equal for errors with the same name: class and message; 0 if it is not an error */
  errorName: number
  /** an editor confirms a change and says nothing else */
  accepted: boolean
  /** a few words that say that one thing is fine */
  verdict: boolean
  /** no words at all, or only words that say there was no output */
  silent: boolean
  /** equal for the same page or screen, however its elements are numbered; 0 if there is none */
  screen: number
}

/** The answer while it is being read. */
interface Reading {
  echo: WordSet
  seen: LineSet
  prints: Prints
  told: Told
  nodes: number
  /** lists and records without members, and values that say something */
  empties: number
  values: number
  /** words of the call in the first line */
  echoes: number
  size: number
  sample: string
  /** the words of the answer, if they are wanted */
  reply: WordSet
  errorName: number
  screen: number
}

/** Reads an answer of any shape, given the call's own words and the lines seen so far; also returns its first words, and all of them if they are wanted. */
export function readAnswer(
  output: unknown,
  isError: boolean,
  echo: WordSet,
  seen: LineSet,
  wantsWords = false,
): { answer: Answer; sample: string; reply: WordSet } {
  const prints = startPrints()
  const told = startTold(echo)
  told.failed = isError
  const reading: Reading = {
    echo,
    seen,
    prints,
    told,
    nodes: 0,
    empties: 0,
    values: 0,
    echoes: 0,
    size: 0,
    sample: '',
    reply: wantsWords ? wordsIn('') : [],
    errorName: 0,
    screen: 0,
  }
  addValue(reading, output, 0)
  endLine(prints, seen)
  return { answer: toAnswer(reading), sample: reading.sample, reply: reading.reply }
}

/** What was read, put together. */
function toAnswer(reading: Reading): Answer {
  const { prints, told, errorName, screen } = reading
  const { words, fresh, novel, amounts, figure, masks } = prints
  const { flags } = told
  const size = reading.size - told.framed
  const isShort = size < SHORT
  const fails = failureIn(reading, size)
  const isWell = (flags & GOOD) !== 0 && words <= VERDICT_WORDS
  const silent = words === 0 && prints.strict === 0
  const isVoid = reading.empties > 0 && reading.values === 0 && (flags & GOOD) === 0
  const isUnhappy = fails.failed || fails.claims
  return {
    print: addTo(prints.strict, words) ^ told.exits,
    loose: addTo(prints.loose, prints.looseWords),
    unspoken: addTo(prints.unspoken, prints.unspokenWords),
    news: addTo(prints.news, prints.newsWords),
    newsWords: prints.newsWords,
    first: prints.first,
    lines: prints.lines,
    fresh,
    novel,
    size,
    words,
    amounts,
    figure,
    masks,
    ...fails,
    outage: isShort && (flags & OUTAGE) !== 0,
    echoed: fresh === 0 && size < 2000 && prints.echoes > 0.2 * words,
    nothing: silent || prints.strict === NAUGHT || isVoid,
    misses:
      isShort &&
      (flags & NOTHING) !== 0 &&
      (told.missed || prints.lines <= MISS_LINES) &&
      (isUnhappy || !isWell),
    pending: isShort && (flags & PENDING) !== 0 && isGoingOn(told, fails),
    errorName: isUnhappy ? errorName || prints.unspoken || prints.loose || 1 : 0,
    accepted:
      told.accepted && told.errors + told.troubles <= 0 && told.plainLines <= ACCEPTED_LINES,
    verdict: isWell && !silent,
    silent,
    screen,
  }
}

type Failure = Pick<Answer, 'failed' | 'claims' | 'speaks' | 'begins' | 'unusable'>

/** Who says that it failed, and how. */
function failureIn({ told, echoes }: Reading, size: number): Failure {
  const isHinted = told.errors > 0 || (told.flags & (HINT | OUTAGE)) !== 0
  const says = told.announced || (size < BRIEF && isHinted && !told.succeeded)
  const claims = ((says || told.claimed) && !told.passed) || told.declined
  const begins = claims && size < SHORT && (told.begins || told.claimed || told.refused)
  const unusable = told.unusable && size < SHORT
  const speaks = begins && (told.refused || unusable || echoes > 0)
  return { failed: told.failed, claims, begins, speaks, unusable }
}

/** What has ended is not in progress, unless an exit code is all that says so. */
const isGoingOn = (told: Told, { failed, claims }: Failure) =>
  failed ? told.errors + told.troubles <= 0 : !claims && !told.passed

// what a tool says about a call, in characters; and if it only hints at an error
const SHORT = 700
const BRIEF = 300
// "ok, nothing to do", "Success: no issues found in 3 source files"
const VERDICT_WORDS = 12
// "No matches", and a hint or two
const MISS_LINES = 4
// only a zero
const NAUGHT = addTo(0, hashOf('0'))
// what was changed, one per line
const ACCEPTED_LINES = 8

// part of it is shown; long enough for a secret to be recognized
const SHOWN = 400
const MAX_NODES = 400
const MAX_DEPTH = 8
const MAX_RECORD = 8192

function addValue(reading: Reading, value: unknown, depth: number): void {
  if (++reading.nodes > MAX_NODES || depth > MAX_DEPTH) return
  if (typeof value !== 'object' || value === null) {
    if (value !== undefined && value !== null) addText(reading, String(value), depth)
    return
  }
  const isList = Array.isArray(value)
  if (isEmpty(value)) reading.empties++
  const picture = isList ? undefined : pictureIn(value as Record<string, unknown>)
  if (picture !== undefined) {
    reading.screen = addTo(reading.screen, picture)
    reading.prints.strict = addTo(reading.prints.strict, picture)
    return
  }
  for (const name in value) {
    const inner = (value as Record<string, unknown>)[name]
    if (!isList) {
      const kind = fieldKind(name)
      if (kind === MOVING) continue
      if (kind === VOLATILE) {
        if (typeof inner === 'string' || typeof inner === 'number')
          addMask(reading.prints, hashOf(String(inner).slice(0, 80)))
        continue
      }
      hearField(reading.told, name, inner)
      if (isTrouble(name) && isEmpty(inner)) reading.told.flags |= GOOD
      if (kind === PLAIN) addFieldName(reading.prints, name)
    }
    addValue(reading, inner, depth + 1)
    endLine(reading.prints, reading.seen)
    if (reading.nodes > MAX_NODES) return
  }
}

/** A hash of a picture in an answer; for a long one, of its beginning, end and length. */
function pictureIn(part: Record<string, unknown>): number | undefined {
  const { type, source, image_url: url } = part
  if (type !== 'image' && type !== 'image_url' && type !== 'input_image') return
  const holder = isRecord(source) ? source : isRecord(url) ? url : part
  const data = holder.data ?? holder.url ?? holder.image ?? holder.sha256 ?? url
  if (typeof data !== 'string') return
  const ends =
    data.slice(0, PICTURE) +
    data.slice(-PICTURE) +
    data.slice(data.length >> 1, (data.length >> 1) + PICTURE)
  return addTo(hashOf(ends), data.length)
}

const PICTURE = 300

function addText(reading: Reading, text: string, depth: number): void {
  const record = depth < MAX_DEPTH ? recordIn(text) : undefined
  if (record) return addValue(reading, record, depth + 1)
  const { told, prints, echo, seen } = reading
  if (depth === 0 || !isFormal(text)) reading.values++
  // "false" says less than the message beside it
  // "false" says less than the message beside it
  if (reading.sample === '' || (isFormal(reading.sample) && !isFormal(text)))
    reading.sample = text.slice(0, SHOWN)
  reading.size += text.length
  if (reading.reply.length > 0) addAll(reading.reply, wordsIn(text))
  const tokens = tokenize(text)
  cutFrames(tokens, told)
  addTells(told, tokens)
  addPrints(prints, tokens, echo, seen)
  const mayFail = told.failed || told.errors > 0 || (told.flags & (HINT | OUTAGE)) !== 0
  if (mayFail) {
    reading.errorName ||= errorNameOf(tokens, told, echo)
    if (told.lines <= 1 || reading.echoes === 0) reading.echoes = echoesIn(tokens, echo)
  }
  if (told.screenAt > 0 || tokens.hasElements) reading.screen ||= screenOf(text, told.screenAt)
  // a large one is not kept in memory
  tokens.text = ''
}

function addAll(set: WordSet, words: WordSet): void {
  for (let i = 0; i < set.length; i++) set[i] = (set[i] as number) | (words[i] as number)
}

const isEmpty = (value: unknown) =>
  Array.isArray(value)
    ? value.length === 0
    : typeof value === 'object' && value !== null && Object.keys(value).length === 0

/** A value beside an empty list that says nothing: a number, a switch, "ok". */
const isFormal = (text: string) => /^(?:-?[\d.]{1,12}|true|false|ok|success|null|)$/i.test(text)

/** How many words of the call the first line has. */
function echoesIn({ kinds, hashes, tells, count }: Tokens, echo: WordSet): number {
  let echoes = 0
  for (let i = 0; i < count && (echoes === 0 || kinds[i] !== END); i++) {
    if (
      ((kinds[i] as number) & KIND) === WORD &&
      tells[i] === 0 &&
      hasWord(echo, hashes[i] as number)
    )
      echoes++
    if (kinds[i] === END && i > 0) break
  }
  return echoes
}

/** Some tools answer with a record or a list of records as JSON text, even inside another. */
function recordIn(text: string): object | undefined {
  const first = text.charCodeAt(0)
  if ((first !== 123 && first !== 91) || text.length > MAX_RECORD) return
  if (!text.endsWith(first === 123 ? '}' : ']')) return
  try {
    return JSON.parse(text)
  } catch {
    return
  }
}
