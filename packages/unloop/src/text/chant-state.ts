import type { Folded } from './folded.js'

/**
 * Finds text that repeats itself. The text is folded into a ring; a table of the last place of every
 * pair of words suggests a period, and from then on each unit is compared with the one a period earlier:
 * one comparison per character for any period. Repeats in no fixed order are found by their segments.
 */
export interface Chant extends Folded, Segments, Vocabulary {
  /** hashes of the current word and of the one before it, and the length of the current one */
  word: number
  wordBefore: number
  wordLength: number
  /** the period that is being followed, 0 for none, and for how many units it has held */
  period: number
  run: number
  /** the run at which a number last differed */
  exactFrom: number
  /** characters before the run began */
  runStart: number
  /** the run at which it is worth a look */
  nextLook: number
  /** repeats found in this text: each has to be twice as long as the one before */
  found: number
}

/**
 * The last lines and sentences of a text. A text in which every segment is known, or is like its
 * neighbors except for one slot, has nothing new to say, whatever the order.
 */
export interface Segments {
  /** hashes of the last segments without their numbers, followed by those with their numbers */
  readonly segments: Int32Array
  segmentCount: number
  /** place where the current segment begins, and the hash of its units and of its numbers so far */
  segmentStart: number
  segment: number
  segmentValues: number
  /** places of the two segments before, for templates: where each begins and ends */
  before: [from: number, to: number, olderFrom: number, olderTo: number]
  /** characters of a stretch at which it is worth a look */
  nextSegmentLook: number
  /** current stretches, if any: every segment known exactly, known apart from its numbers, or alike */
  isRunning: boolean
  /** whether the last segment outside of them was new */
  isNews: boolean
  runs: Record<'exact' | 'masked' | 'alike', { count: number; characters: number }>
}

/** How few different words a text uses, block by block: with only a dozen words it says nothing, whatever their order. */
export interface Vocabulary {
  /** words in this block, and how many different ones */
  blockWords: number
  blockKinds: number
  /** blocks in a row with few */
  poorBlocks: number
}

/** A stretch that repeats. */
export interface Repeat {
  /** `chant`: exact; `counting`: apart from the numbers; `shuffled` or `template`: by segments; `few-words`: by words */
  kind: 'chant' | 'counting' | 'shuffled' | 'template' | 'few-words' | 'blanks'
  /** length of a lap in folded units */
  period: number
  count: number
  /** characters it took */
  characters: number
  /** text that appeared `count` times, character for character */
  sample: string
  /** names what is repeated, wherever it begins */
  name: string
}
