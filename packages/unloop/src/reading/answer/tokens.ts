import { LEADING } from './lexicon.js'

/** What a token is. */
export const WORD = 1
/** a number that may be information */
export const AMOUNT = 2
/** something that is new each time: a time, an id, the number of a line */
export const MASK = 3
/** the end of a line */
export const END = 4
/** cut out: it belongs to the frame that a tool puts around its answer */
export const FRAME = 5
/** a bit beside the kind: it is quoted, so it is only spoken of */
export const QUOTED = 8
export const KIND = 7

/** The tokens of one text, in columns, so that none of them is an object. */
export interface Tokens {
  text: string
  count: number
  kinds: Uint8Array
  /** of words and amounts, the same in capitals and small letters */
  hashes: Int32Array
  /** what the lexicon knows about the word */
  tells: Int32Array
  /** where it begins and ends in the text; an end of a line ends where the next line begins */
  starts: Int32Array
  ends: Int32Array
  /** those with which a phrase may begin, and how many there are */
  leads: Int16Array
  leadCount: number
  /** there is a number in brackets, as elements of a page have them */
  hasElements: boolean
}

// what an answer says stands at its beginning and at its end; between them only the bulk differs
export const HEAD = 2048
export const TAIL = 1024
// no token is shorter than a character; the rest are the ends of both parts
const MOST = HEAD + TAIL + 8

const kinds = new Uint8Array(MOST)
const hashes = new Int32Array(MOST)
const tells = new Int32Array(MOST)
const starts = new Int32Array(MOST)
const ends = new Int32Array(MOST)
const leads = new Int16Array(MOST)

/** Read into by every answer in turn: nothing else runs meanwhile. */
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
