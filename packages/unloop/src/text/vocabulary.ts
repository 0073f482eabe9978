import type { ChantOptions } from './chant-limits.js'
import type { Chant, Repeat, Vocabulary } from './chant-state.js'
import { PLACES } from './folded.js'
import { describe } from './look.js'
import { ringText } from './ring.js'
import { areRows } from './rows.js'
import { COUNTED, isAboutNumbers, kindOfText, SHOWN } from './text-kind.js'

export const startVocabulary = (): Vocabulary => ({ blockWords: 0, blockKinds: 0, poorBlocks: 0 })

/** where in the units the bits for the words of a block are, by hash, and how many cells they take */
const BITS = PLACES + 1024
const CELLS = 32
/** the total size of the units */
export const UNITS = BITS + CELLS

const BLOCK = 128
// in two blocks of 128 words, ordinary prose has at least 23 different ones, including marks and spaces; an endless "I'll do it.
// I'll execute." has 10; in blocks of 64 the two cannot be told apart
const FEW = 14
const BLOCKS = 2

/** Takes a word and reports a text that has had too few different ones for too long. */
export function addToVocabulary(
  chant: Chant,
  word: number,
  { laps }: ChantOptions,
): Repeat | undefined {
  const { units } = chant
  const slot = Math.imul(word, 0x9e3779b1) >>> 23
  const cell = BITS + (slot >> 4)
  const bits = units[cell] as number
  const bit = 1 << (slot & 15)
  if ((bits & bit) === 0) {
    units[cell] = bits | bit
    chant.blockKinds++
  }
  if (++chant.blockWords < BLOCK) return
  chant.poorBlocks = chant.blockKinds <= FEW ? chant.poorBlocks + 1 : 0
  beginBlock(chant)
  // each repeat that was asked for may be a whole sentence
  const most = Math.max(BLOCKS, (16 * laps) / BLOCK) * 2 ** chant.found
  if (chant.poorBlocks >= most) return toPoor(chant, most)
}

function beginBlock(chant: Chant): void {
  chant.units.fill(0, BITS, UNITS)
  chant.blockWords = 0
  chant.blockKinds = 0
}

/** Starts over for the next text. */
export function resetVocabulary(chant: Chant): void {
  if (chant.blockWords > 0) beginBlock(chant)
  chant.poorBlocks = 0
}

function toPoor(chant: Chant, most: number): Repeat | undefined {
  const { end, base, poorBlocks } = chant
  const text = ringText(chant, Math.max(base, end - SHOWN), end)
  if (kindOfText(text) !== 'prose' || areRows(text, false)) return
  // numbers may be what it is about: they are called out, or counted
  if (isAboutNumbers(text) && poorBlocks < COUNTED * most) return
  chant.poorBlocks = 0
  chant.found++
  return {
    kind: 'few-words',
    period: 1,
    count: 1,
    // a word and the space after it have about six characters
    characters: Math.min(end - base, 3 * BLOCK * poorBlocks),
    ...describe(chant, end - 40, end, 0),
  }
}
