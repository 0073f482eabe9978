import { LEADING } from './lexicon.js'

/** What a token is. */
export const WORD = 1
/** a number that may be information */
export const AMOUNT = 2
/** something that is new each time: a time, an id, a line number */
export const MASK = 3
/** the end of a line */
export const END = 4
/** removed: part of the frame that a tool puts around its answer */
export const FRAME = 5
/** an extra bit: it is quoted, so it is only mentioned */
export const QUOTED = 8
export const KIND = 7

/** The tokens of one text, in columns, to avoid an object per token. */
export interface Tokens {
  text: string
  count: number
  kinds: Uint8Array
  /** hashes of words and amounts, case-insensitive */
  hashes: Int32Array
  /** what the lexicon knows about the word */
  tells: Int32Array
  /** where it begins and ends in the text; a line end ends where the next line begins */
  starts: Int32Array
  ends: Int32Array
  /** the tokens that may start a phrase, and how many there are */
  leads: Int16Array
  leadCount: number
  /** there is a number in brackets, as in elements of a page */
  hasElements: boolean
}

// the message of an answer is at its beginning and its end; the middle is bulk
export const HEAD = 2048
export const TAIL = 1024
// one token per character at most, plus the ends of both parts
const MOST = HEAD + TAIL + 8

const kinds = new Uint8Array(MOST)
const hashes = new Int32Array(MOST)
const tells = new Int32Array(MOST)
const starts = new Int32Array(MOST)
const ends = new Int32Array(MOST)
const leads = new Int16Array(MOST)

/** Shared by all answers, because they are read one at a time. */
export const tokens: Tokens = {
  ...{
    text: '',
    count: 0,
    kinds,
    hashes,
    tells,
    starts,
    ends,
    leads,
    leadCount: 0,
    hasElements: false,
  },
}

export function addToken(
  kind: number,
  hash: number,
  tell: number,
  start: number,
  end: number,
): void {
  const at = tokens.count++
  kinds[at] = kind
  hashes[at] = hash
  tells[at] = tell
  starts[at] = start
  ends[at] = end
  if ((tell & LEADING) !== 0) leads[tokens.leadCount++] = at
}
