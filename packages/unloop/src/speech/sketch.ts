import { addTo, classOf, isLatin, LETTER } from '../reading/words.js'

/**
 * What a message is about, in sixteen numbers: the smallest hash of its word pairs in each of
 * sixteen bins. Two messages that share most of their wording share most of the numbers.
 */
export type Sketch = number[]

const BINS = 16
const EMPTY = 0xffff_ffff

/** The sketch of a text, and a hash of it that is equal for the same wording. */
export function sketchOf(text: string): { sketch: Sketch; hash: number; words: number } {
  const sketch: Sketch = new Array(BINS).fill(EMPTY)
  let hash = 0
  let word = 0
  let before = 0
  let words = 0
  for (let i = 0; i <= text.length; i++) {
    const unit = i < text.length ? text.charCodeAt(i) : 32
    if (isLatin(unit)) {
      word = addTo(word, unit | 32)
      continue
    }
    // letters of any script; numbers are ignored, so that a message that counts stays the same
    if (unit !== 95 && classOf(unit) === LETTER) {
      word = addTo(word, unit)
      // in scripts without spaces every character is a word
      if (unit < 0x2e80) continue
    }
    if (word === 0) continue
    words++
    hash = addTo(hash, word)
    addPair(sketch, Math.imul(before, 31) ^ word)
    before = word
    word = 0
  }
  return { sketch, hash, words }
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
