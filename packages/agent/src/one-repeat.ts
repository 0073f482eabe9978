import type { Finding } from 'unloop'
import { isInsideCharacter, isSentenceStart, isWordStart } from './boundaries.js'

/** How much of a text that ends in a chant has to be kept: what stands before the chant, and one repeat of it. */
export function lengthWithOneRepeat(text: string, finding: Finding): number {
  if (finding.kind === 'blanks') return startOfBlanks(text, finding.wasted.characters)
  if (LAPS.includes(finding.kind)) {
    for (const fold of FOLDS) {
      const folded = fold(text)
      const start = startOfLaps(folded, finding)
      if (start !== undefined) return endOfOneLap(text, folded, start, finding.period)
    }
  }
  return endOfOneSentence(text, text.length - finding.wasted.characters)
}

/** the kinds of chants whose laps are equal, to the letter or but for their numbers */
const LAPS: readonly string[] = ['chant', 'counting']

/** A text as units, and where each of them begins in it. */
interface Folded {
  units: Uint32Array
  places: Uint32Array
}

// the guard counts laps in units in which a number and a run of white space is one each; the rules of the presets in characters
const FOLDS = [
  (text: string) => fold(text, hashOf),
  (text: string) => fold(text, () => NUMBER),
  toCharacters,
]

// no character has these codes
const NUMBER = 0x1_0000
const SPACES = 0x1_0001
// what goes on for longer than a number does is text made of digits, for the guard too
const MAX_DIGITS = 24

function fold(text: string, toUnit: (digits: string) => number): Folded {
  const units = new Uint32Array(text.length)
  const places = new Uint32Array(text.length)
  let count = 0
  for (let at = 0; at < text.length; count++) {
    places[count] = at
    const code = text.charCodeAt(at)
    let end = at + 1
    if (isDigit(code)) {
      while (end < at + MAX_DIGITS - 1 && isDigit(text.charCodeAt(end))) end++
      units[count] = toUnit(text.slice(at, end))
      at = end
      // each of the others is a unit of its own
      for (; isDigit(text.charCodeAt(at)); at++) {
        places[++count] = at
        units[count] = text.charCodeAt(at)
      }
      continue
    }
    if (code <= 32) while (text.charCodeAt(end) <= 32) end++
    units[count] = code > 32 ? code : code === 32 ? 32 : SPACES
    at = end
  }
  return { units: units.subarray(0, count), places: places.subarray(0, count) }
}

function toCharacters(text: string): Folded {
  const units = Uint32Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  return { units, places: units.map((_, at) => at) }
}

const isDigit = (code: number) => code > 47 && code < 58

function hashOf(digits: string): number {
  let hash = 0
  for (let at = 0; at < digits.length; at++) {
    hash = (Math.imul(hash, 31) + digits.charCodeAt(at)) >>> 0
  }
  return (hash | 0x8000_0000) >>> 0
}

/** The unit with which the laps begin that the text ends with; nothing if there are none. */
function startOfLaps({ units }: Folded, { period, count }: Finding): number | undefined {
  // of what came so many times the first is no repeat, and another may have been seen in part only
  const enough = Math.max(1, count - 2) * period
  let run = 0
  for (let at = units.length - 1; at >= period; at--) {
    if (units[at] === units[at - period]) run++
    else if (run >= enough) return at + 1 - period
    else run = 0
  }
  return run >= enough ? 0 : undefined
}

/**
 * Where one lap ends. What stands before the chant may end as its laps do, so that they seem to begin in the middle of a
 * sentence; they are taken to begin with the next one.
 */
function endOfOneLap(text: string, { places }: Folded, start: number, period: number): number {
  const placeOf = (unit: number) => places[unit] ?? text.length
  // a lap begins where the one before it ends; what stands before the first one tells nothing
  const begins = (lap: number, isStart: typeof isWordStart) => isStart(text, placeOf(lap + period))
  const laps = Array.from({ length: period }, (_, index) => start + index)
  const aligned = begins(start, isWordStart)
    ? start
    : (laps.find((lap) => begins(lap, isSentenceStart)) ??
      laps.find((lap) => begins(lap, isWordStart)) ??
      start)
  let end = placeOf(aligned + period)
  while (isInsideCharacter(text, end)) end++
  return end
}

function startOfBlanks(text: string, least: number): number {
  let run = 0
  for (let at = text.length - 1; at >= 0; at--) {
    if (text.charCodeAt(at) <= 32) run++
    else if (run >= least) return at + 1
    else run = 0
  }
  return run >= least ? 0 : text.length
}

/** Where a sentence ends that begins at this place or after it; a word, where there are no sentences. */
function endOfOneSentence(text: string, from: number): number {
  for (const isStart of [isSentenceStart, isWordStart]) {
    let at = Math.max(0, from)
    while (at < text.length && !isStart(text, at)) at++
    if (at === text.length) continue
    for (at++; at < text.length && !isStart(text, at); ) at++
    return at
  }
  return Math.max(0, from)
}
