import { codingHonestEdits } from './coding-honest-edits.js'
import { codingHonestReads } from './coding-honest-reads.js'
import { codingLoops } from './coding-loops.js'
import { moreCodingLoops } from './coding-loops-more.js'
import type { Invented } from './script.js'

export type { Invented } from './script.js'

/** Runs made up without a look at the detectors, to see whether these generalize. */
export const invented: Invented[] = [
  ...codingHonestEdits,
  ...codingHonestReads,
  ...codingLoops,
  ...moreCodingLoops,
]
