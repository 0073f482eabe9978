import { isRecord } from '../options.js'
import { errorNameOf } from './answer/error-name.js'
import { fieldKind, hearField, PLAIN, VOLATILE } from './answer/fields.js'
import { cutFrames } from './answer/frames.js'
import { GOOD, HINT, NOTHING, OUTAGE, PENDING } from './answer/lexicon.js'
import { addFieldName, addPrints, endLine, type Prints, startPrints } from './answer/prints.js'
import { screenOf } from './answer/screen.js'
import { addTells, startTold, type Told } from './answer/tells.js'
import { tokenize } from './answer/tokenize.js'
import type { LineSet } from './line-set.js'
import { addTo, hashOf, type WordSet } from './words.js'

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
  /** its lines, and how many of them are new in this prompt */
  lines: number
  fresh: number
  /** its characters and words, without the frame */
  size: number
  words: number
  /** equal for the same numbers */
  amounts: number
  /** it says that something went wrong */
  error: boolean
  /** it says that the service is unreachable for now */
  outage: boolean
  /** it only repeats what the call said */
  echoed: boolean
  /** it says that nothing was found */
  nothing: boolean
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
  size: number
  sample: string
  errorName: number
  screen: number
}

/** Reads an answer of any shape, given the call's own words and the lines seen so far; also returns its first words. */
export function readAnswer(
  output: unknown,
  isError: boolean,
  echo: WordSet,
  seen: LineSet,
): { answer: Answer; sample: string } {
  const prints = startPrints()
  const told = startTold(echo)
  told.failed = isError
  const reading: Reading = {
    echo,
    seen,
    prints,
    told,
    nodes: 0,
    size: 0,
    sample: '',
    errorName: 0,
    screen: 0,
  }
  addValue(reading, output, 0)
  endLine(prints, seen)
  return { answer: toAnswer(reading), sample: reading.sample }
}

/** What was read, put together. */
function toAnswer({ prints, told, size: all, errorName, screen }: Reading): Answer {
  const { words, fresh, amounts } = prints
  const { flags } = told
  const size = all - told.framed
  const isShort = size < 700
  const isHinted = told.errors > 0 || (flags & (HINT | OUTAGE)) !== 0
  const says = told.announced || (size < 300 && isHinted && !told.succeeded)
  const error = told.failed || (says && !told.passed)
  const silent = words === 0 && prints.strict === 0
  const isMiss = isShort && (flags & NOTHING) !== 0 && (told.missed || prints.lines <= MISS_LINES)
  const verdict = !error && !silent && (flags & GOOD) !== 0 && words <= VERDICT_WORDS
  return {
    print: addTo(prints.strict, words) ^ told.exits,
    loose: addTo(prints.loose, prints.looseWords),
    unspoken: addTo(prints.unspoken, prints.unspokenWords),
    news: addTo(prints.news, prints.newsWords),
    newsWords: prints.newsWords,
    lines: prints.lines,
    fresh,
    size,
    words,
    amounts,
    error,
    outage: error && isShort && (flags & OUTAGE) !== 0,
    echoed: fresh === 0 && size < 2000 && prints.echoes > 0.2 * words,
    nothing: silent || prints.strict === NAUGHT || (isMiss && !verdict),
    // something that has ended is not in progress
    pending: !error && isShort && (flags & PENDING) !== 0 && !told.passed,
    errorName: error ? errorName || prints.unspoken || prints.loose || 1 : 0,
    accepted:
      !error &&
      told.accepted &&
      told.errors + told.troubles <= 0 &&
      told.plainLines <= ACCEPTED_LINES,
    verdict,
    silent,
    screen,
  }
}

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
      if (kind === VOLATILE) continue
      hearField(reading.told, name, inner)
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
  if (reading.sample === '') reading.sample = text.slice(0, SHOWN)
  reading.size += text.length
  const tokens = tokenize(text)
  cutFrames(tokens, told)
  addTells(told, tokens)
  addPrints(prints, tokens, echo, seen)
  const mayFail = told.failed || told.errors > 0 || (told.flags & (HINT | OUTAGE)) !== 0
  if (mayFail) reading.errorName ||= errorNameOf(tokens, told, echo)
  if (told.screenAt > 0 || tokens.hasElements) reading.screen ||= screenOf(text, told.screenAt)
  // a large one is not kept in memory
  tokens.text = ''
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
