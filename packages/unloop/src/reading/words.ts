/** What a character is: part of a word, a digit, the end of a line, a mark with a meaning, or none of these. */
export const LETTER = 1
export const DIGIT = 2
export const NEWLINE = 3
export const BLANK = 4
const MARK = 5

// one table for all of Latin, so that a typical character is one lookup
const CLASSES = new Uint8Array(128).fill(BLANK)
for (let unit = 48; unit <= 57; unit++) CLASSES[unit] = DIGIT
for (let unit = 65; unit <= 90; unit++) {
  CLASSES[unit] = LETTER
  CLASSES[unit + 32] = LETTER
}
CLASSES[95] = LETTER
CLASSES[10] = NEWLINE
// quotation marks, the bracket of a list, a backslash, the start of a color code
for (const unit of [27, 34, 39, 91, 92, 96]) CLASSES[unit] = MARK

export function classOf(unit: number): number {
  if (unit < 128) return CLASSES[unit] as number
  // letters of other scripts, without the punctuation and symbols between them
  const drawn = (unit >= 0x2000 && unit <= 0x2bff) || (unit >= 0x3000 && unit <= 0x303f)
  return unit <= 0xaa || drawn ? BLANK : LETTER
}

/** A Latin letter, the most common case, without a table lookup. */
export const isLatin = (unit: number): boolean => ((unit | 32) - 97) >>> 0 < 26

/** Whether a word is part of a path or of a dotted name. */
export function isPathPart(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1)
  const after = text.charCodeAt(end)
  const isSlashed = before === 47 || before === 92 || after === 47 || after === 92
  return isSlashed || (after === 46 && isLatin(text.charCodeAt(end + 1)))
}

const PRIME = 0x01000193

/** Adds a character to the hash of a word, or a word to the hash of a line. */
export const addTo = (hash: number, part: number): number => Math.imul(hash ^ part, PRIME)

/** The same character for upper and lower case. */
export const fold = (unit: number): number => (isLatin(unit) ? unit | 32 : unit)

/** A hash of a word, case-sensitive. */
export function hashOf(word: string): number {
  let hash = 0
  for (let i = 0; i < word.length; i++) hash = addTo(hash, word.charCodeAt(i))
  return hash
}

/** A case-insensitive set of words, as one bit per hash: a few other words may seem to be in it. */
export type WordSet = number[]

const BITS = 512

const slotOf = (hash: number) => Math.imul(hash, 0x9e3779b1) >>> 23

export const hasWord = (set: WordSet, hash: number): boolean => {
  const slot = slotOf(hash)
  return (((set[slot >> 5] as number) >>> (slot & 31)) & 1) === 1
}

/** The words in a call's name and arguments: an answer that only repeats them says nothing new. */
export function wordsOf(name: string, args: unknown, most: number): WordSet {
  const set: WordSet = new Array(BITS / 32).fill(0)
  addWords(set, name, 0, most)
  collect(set, args, 0, most)
  return set
}

function collect(set: WordSet, value: unknown, depth: number, most: number): void {
  if (typeof value === 'string') addWords(set, value, 2, most)
  else if (typeof value === 'object' && value !== null && depth < 4) {
    let left = 40
    for (const key in value) {
      if (--left < 0) return
      collect(set, (value as Record<string, unknown>)[key], depth + 1, most)
    }
  }
}

/** The hashes of the words of a text that pass the test, as they are in a `WordSet`. */
export function hashesOf(text: string, isWanted: (word: string) => boolean): number[] {
  const hashes: number[] = []
  for (const [word] of text.matchAll(/[\p{L}_]+/gu)) {
    if (!isWanted(word)) continue
    let hash = 0
    for (let i = 0; i < word.length; i++) hash = addTo(hash, fold(word.charCodeAt(i)))
    hashes.push(hash)
  }
  return hashes
}

function addWords(set: WordSet, text: string, longerThan: number, longest: number): void {
  const most = Math.min(text.length, longest)
  for (let i = 0; i < most; i++) {
    const start = i
    let unit = text.charCodeAt(i)
    let hash = 0
    for (;;) {
      if (isLatin(unit)) hash = addTo(hash, unit | 32)
      else if (classOf(unit) === LETTER) hash = addTo(hash, unit)
      else break
      if (++i === most) break
      unit = text.charCodeAt(i)
    }
    if (i - start <= longerThan) continue
    const slot = slotOf(hash)
    set[slot >> 5] = (set[slot >> 5] as number) | (1 << (slot & 31))
  }
}
