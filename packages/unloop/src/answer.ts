import { endLine, type Scan, scanText, startScan } from './answer-scan.js'
import { errorNameOf, isAcceptance, isSilence, isVerdict, screenOf } from './answer-tells.js'
import { HINT, NOTHING, OUTAGE, PENDING, SERVICE, UNAVAILABLE } from './answer-words.js'
import type { LineSet } from './line-set.js'
import { addTo, hashOf, type WordSet } from './words.js'

/** What came back from a call, read once. */
export interface Answer {
  /** equal for the same answer: times, ids, durations, counters, temporary paths and marks aside */
  print: number
  /** equal for the same error: numbers and quoted words aside */
  loose: number
  /** the same, the words of the call itself aside as well */
  unspoken: number
  /** equal for the same answer but for the lines that only repeat the call, and how many words that is */
  news: number
  newsWords: number
  /** lines in it, and how many of them nobody saw before in this prompt */
  lines: number
  fresh: number
  /** characters and words of it */
  size: number
  words: number
  /** equal for the same numbers in it */
  amounts: number
  /** it says that something went wrong */
  error: boolean
  /** it says that the service is out of reach for now */
  outage: boolean
  /** it only repeats what the call said */
  echoed: boolean
  /** it says that there is nothing to be found */
  nothing: boolean
  /** it says that something is still going on */
  pending: boolean
  /** equal for errors of one name: the class and the line that tells it; 0 if it is not an error */
  errorName: number
  /** an editor says that it did what it was told, and nothing else */
  accepted: boolean
  /** a few words that say that all is well with one thing */
  verdict: boolean
  /** words that only say that there was no output, or no words at all */
  silent: boolean
  /** equal for the same page or screen, however its elements are numbered; 0 if it shows none */
  screen: number
}

/** Reads an answer, whatever its shape, knowing the call's own words and the lines seen so far; and its first words. */
export function readAnswer(
  output: unknown,
  isError: boolean,
  echo: WordSet,
  seen: LineSet,
): { answer: Answer; sample: string } {
  const scan = startScan(echo, seen)
  addValue(scan, output, 0)
  endLine(scan)
  const { size, words, fresh, flags } = scan
  const short = size < 700
  const hinted = scan.errors > 0 || (flags & (HINT | OUTAGE)) !== 0
  const told = size < 300 && hinted && !scan.succeeded
  const error = isError || scan.failed || scan.announced || told
  const silent = words === 0 ? scan.strict === 0 : isSilence(scan.text)
  const answer = {
    print: addTo(scan.strict, words),
    loose: addTo(scan.loose, scan.looseWords),
    unspoken: addTo(scan.unspoken, scan.unspokenWords),
    news: addTo(scan.news, scan.newsWords),
    newsWords: scan.newsWords,
    lines: scan.lines,
    fresh,
    size,
    words,
    amounts: scan.amounts,
    error,
    outage: error && short && isOutage(flags),
    // the frame that a tool puts around its output is known after the first time
    echoed: fresh === 0 && size < 2000 && scan.echoes > 0.2 * words,
    nothing: silent || (words === 0 && scan.amounts === 0) || (short && (flags & NOTHING) !== 0),
    pending: !error && short && (flags & PENDING) !== 0,
    errorName: error ? errorNameOf(scan.text, echo) : 0,
    accepted: !error && isAcceptance(scan.text),
    verdict: !error && !silent && isVerdict(scan.text),
    silent,
    screen: screenOf(scan.text),
  }
  return { answer, sample: scan.sample }
}

const isOutage = (flags: number) =>
  (flags & OUTAGE) !== 0 || ((flags & UNAVAILABLE) !== 0 && (flags & SERVICE) !== 0)

// some of it is shown: long enough for a secret in it to be known for one
const SHOWN = 400
// what an answer says stands at its beginning and at its end; between them only the bulk differs
const HEAD = 3072
const TAIL = 1024
const MAX_NODES = 400
const MAX_RECORD = 8192

function addValue(scan: Scan, value: unknown, depth: number): void {
  if (++scan.nodes > MAX_NODES || depth > 8) return
  if (typeof value !== 'object' || value === null) {
    if (value !== undefined && value !== null) addText(scan, String(value), depth)
    return
  }
  for (const key in value) {
    const inner = (value as Record<string, unknown>)[key]
    if (!Array.isArray(value)) {
      if (VOLATILE.test(key)) continue
      if (tellsFailure(key, inner)) scan.failed = true
      if (key === 'type') continue
      // the name of a field belongs to the line, but says nothing of how it went
      if (!WRAPPERS.has(key)) {
        scan.line = addTo(scan.line, hashOf(key))
        scan.named = true
      }
    }
    addValue(scan, inner, depth + 1)
    endLine(scan)
    if (scan.nodes > MAX_NODES) return
  }
}

/** Names of fields whose value is new each time and says nothing. */
const VOLATILE =
  /(?:^|[_-])(?:ids?|uuid|guid|timestamp|ts|time|date|duration|elapsed|ms|seconds|nonce|token|etag|pid|cursor|seq|at)$|(?:Ids?|Uuid|At|Ms|Time|Date|Timestamp|Duration|Token)$/

/** Fields that only wrap what matters. */
const WRAPPERS = new Set(
  'text content output stdout stderr result data value metadata exit_code exitCode returncode'.split(
    ' ',
  ),
)

function tellsFailure(key: string, value: unknown): boolean {
  if (/^is_?error$/i.test(key)) return value === true
  if (/^(?:success|ok)$/.test(key)) return value === false
  if (/^(?:exit_?code|returncode)$/i.test(key)) return typeof value === 'number' && value !== 0
  if (key === 'status') return value === 'error' || value === 'failed'
  return key === 'error' && Boolean(value)
}

function addText(scan: Scan, text: string, depth: number): void {
  const record = depth === 0 ? recordIn(text) : undefined
  if (record) return addValue(scan, record, depth + 1)
  if (scan.sample === '') {
    scan.sample = text.slice(0, SHOWN)
    scan.text = text
  }
  scan.size += text.length
  if (text.length <= HEAD + TAIL) return scanText(scan, text, 0, text.length)
  scanText(scan, text, 0, HEAD)
  endLine(scan)
  scanText(scan, text, text.length - TAIL, text.length)
}

/** Some tools answer with a record written as JSON, or with a list of them. */
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
