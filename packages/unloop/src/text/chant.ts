import { type ChantOptions, MARKS_CHARACTERS, MOST_EMPTY_LINES } from './chant-limits.js'
import type { Chant, Repeat } from './chant-state.js'
import { MAX_LOOK_BACK, MAX_PERIOD, PLACES, RING, RING_MASK, SPACES, VALUES } from './folded.js'
import { sameFor } from './lap.js'
import { look } from './look.js'
import { addSegment, resetSegments, startSegments } from './segments.js'
import { isStop, NUMBER } from './text-kind.js'
import { addToVocabulary, resetVocabulary, startVocabulary, UNITS } from './vocabulary.js'

// the table maps the hash of each pair of words to the low bits of the place after its last occurrence
const TABLE_BITS = 10
// more digits than a number has are text made of digits
const MAX_DIGITS = 24
// endless words are cut at certain letters, so that a repeat is cut at the same ones
const LONG_WORD = 12
const MAX_WORD = 24
// from here on, scripts without spaces between words
const FOREIGN = 0x2e80

/** the state at the start of a text */
const nothing = {
  blanks: 0,
  value: 0,
  characters: 0,
  word: 0,
  wordLength: 0,
  period: 0,
  wordBefore: 0,
  found: 0,
}

export const createChant = (): Chant => ({
  // fields that every delta reads come first, to be close together in memory
  units: new Uint16Array(UNITS),
  mask: RING_MASK,
  end: 0,
  ...nothing,
  base: 0,
  digits: 0,
  emptyLines: 0,
  ...startVocabulary(),
  ...startSegments(),
  run: 0,
  exactFrom: 0,
  runStart: 0,
  nextLook: 0,
})

/** Starts over for the next text. */
export function resetChant(chant: Chant): void {
  Object.assign(chant, nothing)
  chant.base = chant.end
  resetSegments(chant)
  resetVocabulary(chant)
}

const PRIME = 0x01000193

/** Takes a delta and returns the first repeat that is too much. */
export function addToChant(chant: Chant, text: string, options: ChantOptions): Repeat | undefined {
  const { units } = chant
  if (chant.end > MAX_PLACE) rebase(chant)
  let { end, blanks, value, word, wordLength, period } = chant
  let found: Repeat | undefined
  for (let i = 0; i < text.length; i++) {
    const raw = text.charCodeAt(i)
    // the usual case: a letter within a word, and nothing to compare it with
    if (raw > 57 && raw < FOREIGN && wordLength < LONG_WORD && period === 0 && value === 0) {
      units[end & RING_MASK] = raw
      word = Math.imul(word ^ raw, PRIME)
      wordLength++
      end++
      blanks = 0
      continue
    }
    let unit = raw
    if (raw > 57) blanks = 0
    else if (raw > 47) {
      const goesOn = value !== 0
      value = (Math.imul(value, 31) + raw) & 0xffff || 1
      blanks = 0
      if (!goesOn) {
        chant.digits = 1
        unit = NUMBER
      } else if (++chant.digits < MAX_DIGITS) continue
    } else if (raw > 32) blanks = 0
    else if (++blanks === 1) {
      unit = raw === 32 ? 32 : SPACES
      units[VALUES + (end & RING_MASK)] = 0
    } else {
      const repeat = addBlank(chant, end, raw, blanks, options)
      found ??= repeat
      continue
    }
    if (value !== 0 && (raw < 48 || raw > 57)) {
      endNumber(chant, end, value)
      value = 0
    }

    units[end & RING_MASK] = unit
    word = Math.imul(word ^ unit, PRIME)
    wordLength++
    if (period > 0) {
      if (units[(end - period) & RING_MASK] !== unit) {
        period = 0
        chant.period = 0
      } else if (++chant.run >= chant.nextLook) {
        chant.end = end + 1
        const repeat = look(chant, i + 1, options)
        found ??= repeat
        period = chant.period
      }
    }
    end++
    if (isWordEnd(unit, wordLength)) {
      chant.end = end
      chant.word = word
      const repeat = endWord(chant, unit, i + 1, options)
      found ??= repeat
      word = 0
      wordLength = 0
      period = chant.period
    }
  }
  chant.end = end
  chant.blanks = blanks
  chant.value = value
  chant.characters += text.length
  chant.word = word
  chant.wordLength = wordLength
  return found
}

/** Spaces and marks end words, and so do certain letters of scripts without spaces and of endless words. */
function isWordEnd(unit: number, length: number): boolean {
  if (unit < 48) return true
  if (unit === NUMBER) return false
  if (unit < FOREIGN) return length > LONG_WORD && ((unit & 7) === 0 || length > MAX_WORD)
  return (unit & 3) === 0 || isStop(unit) || length > MAX_WORD
}

/** Continues white space: checks whether a line ends in it, and whether it is endless. */
function addBlank(
  chant: Chant,
  end: number,
  raw: number,
  blanks: number,
  options: ChantOptions,
): Repeat | undefined {
  const place = VALUES + ((end - 1) & RING_MASK)
  if (blanks === 2) {
    chant.units[place] = 1
    chant.emptyLines = 0
  }
  if (raw === 10) {
    chant.units[place] = 2
    chant.emptyLines++
    if (blanks < 3) {
      chant.end = end
      return addSegment(chant, SPACES, options)
    }
    if (chant.emptyLines === MOST_EMPTY_LINES) return toBlanks(chant.emptyLines, blanks)
  }
  if (blanks === MARKS_CHARACTERS) return toBlanks(blanks, blanks)
}

function endWord(
  chant: Chant,
  unit: number,
  taken: number,
  options: ChantOptions,
): Repeat | undefined {
  const { units, word, end, base } = chant
  const pair = Math.imul(Math.imul(chant.wordBefore, 31) ^ word, 0x9e3779b1)
  chant.wordBefore = word
  chant.segment = Math.imul(chant.segment ^ word, PRIME)
  const slot = PLACES + (pair >>> (32 - TABLE_BITS))
  if (chant.period === 0) {
    const distance = (end - (units[slot] as number)) & 0xffff
    // two words are often the same, but what comes before them rarely is
    const eighth = end - MIN_MATCH
    if (
      distance > 0 &&
      distance <= MAX_PERIOD &&
      units[eighth & RING_MASK] === units[(eighth - distance) & RING_MASK]
    ) {
      follow(chant, distance, taken)
    }
  }
  units[slot] = end
  const poor = addToVocabulary(chant, word, options)
  if (poor) return poor
  if (unit === SPACES || unit > FOREIGN) return addSegment(chant, unit, options)
  const before = end - 2 >= base ? (units[(end - 2) & RING_MASK] as number) : 0
  if (unit === 32 && isStop(before)) return addSegment(chant, unit, options)
}

/** Ends a number and checks whether the laps differ in it. */
function endNumber(chant: Chant, end: number, value: number): void {
  const { units, period } = chant
  chant.segmentValues = Math.imul(chant.segmentValues ^ value, PRIME)
  if (units[(end - 1) & RING_MASK] !== NUMBER) return
  units[VALUES + ((end - 1) & RING_MASK)] = value
  const before = units[VALUES + ((end - 1 - period) & RING_MASK)]
  if (period > 0 && before !== value) chant.exactFrom = chant.run
}

const toBlanks = (count: number, characters: number): Repeat => ({
  kind: 'blanks',
  period: 1,
  count,
  characters,
  sample: '',
  name: 'blanks',
})

/** Starts to follow a period if the text before really repeats with it. */
function follow(chant: Chant, period: number, taken: number): void {
  const { end, base, characters } = chant
  const most = Math.min(end - base - period, MAX_LOOK_BACK)
  if (most < MIN_MATCH) return
  const same = sameFor(chant, period, most, false)
  if (same < MIN_MATCH) return
  chant.period = period
  chant.run = same
  chant.exactFrom = same - sameFor(chant, period, same, true)
  chant.runStart = characters + taken - same
  chant.nextLook = Math.max(2 * period, 160 - period)
}

const MIN_MATCH = 8

// places are 32-bit numbers; long before they run out, they start over
const MAX_PLACE = 0x3fff_0000

/** Moves the ring to the front; the low bits of places stay as they are. */
function rebase(chant: Chant): void {
  const shift = chant.end - 0x10000 - (chant.end & 0xffff)
  chant.end -= shift
  chant.base = Math.max(chant.end - RING, chant.base - shift)
  chant.segmentStart = Math.max(chant.base, chant.segmentStart - shift)
  chant.before = [0, 0, 0, 0]
}
