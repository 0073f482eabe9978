import { isFreshLine, type LineSet } from '../line-set.js'
import { addTo, classOf, hashOf, hasWord, LETTER, type WordSet } from '../words.js'
import { TELLING_WORDS } from './tells.js'
import { AMOUNT, END, KIND, MASK, type Tokens, WORD } from './tokens.js'

/** The fingerprints of an answer, as far as it was read. */
export interface Prints {
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
  /** a hash of the first line */
  first: number
  /** lines that are only new in what the fingerprints leave out */
  novel: number
  amounts: number
  /** a number that rises and falls with those in the answer, and how many they are */
  figure: number
  figures: number
  /** a hash of what the fingerprints leave out */
  masks: number
  /** number of words in lines that only repeat the call */
  echoes: number
  /** the current line: its hash, its words, those of the call, and other short ones */
  line: number
  lineWords: number
  lineEchoes: number
  lineShort: number
  /** a hash of what is left out of the current line: times, ids */
  lineMasks: number
  /** numbers at the start of the line, and whether it begins with a field name */
  lead: number
  named: boolean
}

export const startPrints = (): Prints => ({
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
  first: 0,
  novel: 0,
  amounts: 0,
  figure: 0,
  figures: 0,
  masks: 0,
  echoes: 0,
  line: 0,
  lineWords: 0,
  lineEchoes: 0,
  lineShort: 0,
  lineMasks: 0,
  lead: 0,
  named: false,
})

/** Adds the tokens of a text to the fingerprints. */
export function addPrints(prints: Prints, tokens: Tokens, echo: WordSet, seen: LineSet): void {
  const { kinds, hashes, starts, ends, count } = tokens
  let lineStart = 0
  // in local variables for words, which are the most common tokens
  let { line, lineWords, lineEchoes, lineShort } = prints
  for (let i = 0; i < count; i++) {
    const kind = kinds[i] as number
    const hash = hashes[i] as number
    if ((kind & KIND) === WORD) {
      const isEcho = hasWord(echo, hash)
      line = addTo(line, hash)
      lineWords++
      if (isEcho) lineEchoes++
      else if ((ends[i] as number) - (starts[i] as number) < 3) lineShort++
      if (kind === WORD && prints.words + lineWords <= TELLING_WORDS) addLoose(prints, hash, isEcho)
    } else if (kind === MASK) {
      line = addTo(line, 1)
      const mask = maskOf(tokens, i)
      prints.lineMasks = addTo(prints.lineMasks, mask)
      addMask(prints, mask)
    } else if (kind === AMOUNT || kind === END) {
      prints.line = line
      prints.lineWords = lineWords
      prints.lineEchoes = lineEchoes
      prints.lineShort = lineShort
      if (kind === AMOUNT) {
        addAmount(prints, hash, isLineNumber(tokens, i, prints.lines))
        addFigure(prints, tokens, i)
      } else {
        endLine(prints, seen, line !== 0 && isRemark(tokens.text, lineStart, starts[i] as number))
        lineStart = ends[i] as number
        lineEchoes = lineShort = 0
      }
      line = prints.line
      lineWords = prints.lineWords
    }
  }
}

/** A hash of something that is left out: its own, or that of its characters. */
function maskOf({ text, hashes, starts, ends }: Tokens, at: number): number {
  const hash = hashes[at] as number
  return hash !== 0
    ? hash
    : hashOf(text.slice(starts[at], Math.min(ends[at] as number, (starts[at] as number) + 40)))
}

function addLoose(prints: Prints, hash: number, isEcho: boolean): void {
  prints.loose = addTo(prints.loose, hash)
  prints.looseWords++
  if (isEcho) return
  prints.unspoken = addTo(prints.unspoken, hash)
  prints.unspokenWords++
}

const ZERO = hashOf('0')

/** A number that may be information: it makes a different answer, but not a different error. */
function addAmount(prints: Prints, hash: number, isNumbering: boolean): void {
  // a line number before the text is not part of the line
  if (isNumbering && prints.lineWords === 0 && !prints.named) {
    prints.strict = addTo(prints.strict, hash)
    if (hash === ZERO) return
    prints.lead = addTo(prints.lead, hash)
    if (prints.lines === 0) prints.amounts = addTo(prints.amounts, hash)
    return
  }
  prints.line = addTo(prints.line, hash)
  if (hash === ZERO) return
  // a field and its number belong together
  if (prints.named) prints.lineWords ||= 1
  prints.amounts = addTo(prints.amounts, hash)
}

/** Adds something that the fingerprints leave out. */
export function addMask(prints: Prints, hash: number): void {
  prints.masks = addTo(prints.masks, hash)
}

/** Whether a number at the start of a line only counts lines: not a fraction, and not the first word of the answer. */
function isLineNumber({ text, starts, ends }: Tokens, at: number, lines: number): boolean {
  const number = text.slice(starts[at], ends[at])
  return !number.includes('.') && (lines > 0 || text.charCodeAt(ends[at] as number) !== 32)
}

/** Later numbers count for more, so that a sum that stays the same still moves: 3 failed, 9 passed. */
function addFigure(prints: Prints, { text, starts, ends }: Tokens, at: number): void {
  if (prints.figures >= MOST_FIGURES) return
  const value = Number.parseFloat(
    text.slice(starts[at], Math.min(ends[at] as number, (starts[at] as number) + 20)),
  )
  if (Number.isFinite(value)) prints.figure += ++prints.figures * value
}

// the first numbers show whether something moves
const MOST_FIGURES = 12

/** Begins a line with a field name, which belongs to it but says nothing about the outcome. */
export function addFieldName(prints: Prints, name: string): void {
  prints.line = addTo(prints.line, hashOf(name))
  prints.named = true
}

/** Ends a line; a remark of the tool is not news. */
export function endLine(prints: Prints, seen: LineSet, isAside = false): void {
  // a line of numbers only
  if (prints.line === 0 && prints.lead !== 0) {
    prints.line = prints.lead
    prints.lineWords = 1
  } else if (prints.line !== 0) prints.strict = addTo(prints.strict, prints.line)
  const { line, lineWords } = prints
  if (lineWords > 0) {
    prints.words += lineWords
    if (prints.lines++ === 0) prints.first = line
    // a line that mostly repeats the call's own words says nothing
    if (prints.lineEchoes > 0 && prints.lineEchoes >= 0.6 * (lineWords - prints.lineShort)) {
      prints.echoes += prints.lineEchoes + prints.lineShort
    } else if (!isAside) {
      prints.newsWords += lineWords
      prints.news = addTo(prints.news, line)
      const isFresh = isFreshLine(seen, line)
      const masks = addTo(prints.lineMasks, prints.lead)
      const isNovel = masks !== 0 && isFreshLine(seen, addTo(line, masks))
      if (isFresh) prints.fresh++
      else if (isNovel) prints.novel++
    }
  }
  prints.lineMasks = 0
  prints.line = prints.lineWords = prints.lineEchoes = prints.lineShort = prints.lead = 0
  prints.named = false
}

/** `[File: a.ts (12 lines)]`: a line in brackets that does not list values. */
function isRemark(text: string, from: number, to: number): boolean {
  let start = from
  while (start < to && text.charCodeAt(start) <= 32) start++
  if (text.charCodeAt(start) !== 91 || classOf(text.charCodeAt(start + 1)) !== LETTER) return false
  let end = to - 1
  while (end > start && text.charCodeAt(end) <= 32) end--
  return text.charCodeAt(end) === 93
}
