import type { Folded } from './folded.js'

/**
 * Finds text that repeats itself. The text is folded into a ring; a table of the last place of every
 * pair of words offers a period, and from then on each unit is compared with the one a period before:
 * one comparison a character for any period. What returns in no fixed order is found by its segments.
 */
export interface Chant extends Folded, Segments, Vocabulary {
  /** hashes of the word that is coming and of the one before it, and the length of the first */
  word: number
  wordBefore: number
  wordLength: number
  /** the period that is being followed, 0 for none; for how many units it has held */
  period: number
  run: number
  /** the run at which a number last differed */
  exactFrom: number
  /** characters before the run began */
  runStart: number
  /** the run at which it is worth a look */
  nextLook: number
  /** repeats found in this text: each next one has to be twice as long */
  found: number
}

/**
 * The last lines and sentences of a text. A text in which every segment was there before, or is like
 * its neighbours but for one slot, has nothing new to say, whatever the order.
 */
export interface Segments {
  /** hashes of the last segments without their numbers, and behind them with their numbers */
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
  /** stretches that go on, if any does: every segment known to the letter, known but for its numbers, alike */
  isRunning: boolean
  /** whether the last segment that did not belong to one was there never before */
  isNews: boolean
  runs: Record<'exact' | 'masked' | 'alike', { count: number; characters: number }>
}

/** How few words a text gets by with, block by block: a text of a dozen words says nothing, whatever their order. */
export interface Vocabulary {
  /** words of this block, and how many different ones */
  blockWords: number
  blockKinds: number
  /** blocks in a row that had few */
  poorBlocks: number
}

/** A stretch that repeats. */
export interface Repeat {
  /** `chant` to the letter, `counting` but for its numbers, `shuffled` or `template` by its segments, `few-words` by these */
  kind: 'chant' | 'counting' | 'shuffled' | 'template' | 'few-words' | 'blanks'
  /** length of a lap in folded units */
  period: number
  count: number
  /** characters it took */
  characters: number
  /** something that stood there `count` times, to the letter */
  sample: string
  /** names what is repeated, whatever the character it begins with */
  name: string
}
