import { addTo, classOf, isLatin, LETTER } from '../reading/words.js'

/**
 * What a message is about, in sixteen numbers: the smallest hash of its word pairs in each of
 * sixteen bins. Two messages that share most of their wording share most of the numbers.
 */
export type Sketch = number[]

const BINS = 16
const EMPTY = 0xffff_ffff
const FEW = 4

/** Long words that were heard, as one bit per hash. */
export type Vocabulary = Int32Array

// after a thousand words, one in five new ones seems to be known
const VOCABULARY = 128
const LONG = 4

export const startVocabulary = (): Vocabulary => new Int32Array(VOCABULARY)

/** The sketch of a text, a hash of it that is equal for the same wording, and how many of its words were not heard before. */
export function sketchOf(
  text: string,
  heard?: Vocabulary,
): {
  sketch: Sketch
  hash: number
  words: number
  figures: number
  novel: number
} {
  const sketch: Sketch = new Array(BINS).fill(EMPTY)
  let hash = 0
  let word = 0
  let before = 0
  let words = 0
  let figures = 0
  let length = 0
  let novel = 0
  for (let i = 0; i <= text.length; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : 32
    if (isLatin(unit)) {
      word = addTo(word, unit | 32)
      length++
      continue
    }
    // letters of any script; numbers are ignored, so that a message that counts stays the same
    if (unit !== 95 && classOf(unit) === LETTER) {
      word = addTo(word, unit)
      length += unit < 0x2e80 ? 1 : LONG
      // in scripts without spaces every character is a word
      if (unit < 0x2e80) continue
    }
    if (unit >= 48 && unit <= 57) figures = addTo(figures, unit)
    if (word === 0) continue
    words++
    if (heard && length >= LONG && isNew(heard, word)) novel++
    length = 0
    hash = addTo(hash, word)
    addPair(sketch, Math.imul(before, 31) ^ word)
    before = word
    word = 0
  }
  // "Step 2" and "Step 3" are not the same
  return { sketch, hash: words < FEW ? addTo(hash, figures) : hash, words, figures, novel }
}

/** Whether a word was not heard before; now it was. */
function isNew(heard: Vocabulary, word: number): boolean {
  const slot = Math.imul(word, 0x9e3779b1) >>> 20
  const bits = heard[slot >> 5] as number
  const bit = 1 << (slot & 31)
  heard[slot >> 5] = bits | bit
  return (bits & bit) === 0
}

/** How alike two messages are, from 0 to 1. */
export function likeness(one: Sketch, other: Sketch): number {
  let used = 0
  let same = 0
  for (let bin = 0; bin < BINS; bin++) {
    if (one[bin] === EMPTY && other[bin] === EMPTY) continue
    used++
    if (one[bin] === other[bin]) same++
  }
  return used === 0 ? 0 : same / used
}

function addPair(sketch: Sketch, pair: number): void {
  const mixed = Math.imul(pair ^ (pair >>> 15), 0x9e3779b1) >>> 0
  const bin = mixed & (BINS - 1)
  const value = mixed >>> 4
  if (value < (sketch[bin] as number)) sketch[bin] = value
}
