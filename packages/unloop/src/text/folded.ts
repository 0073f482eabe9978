import { ringText } from './ring.js'
import { NUMBER } from './text-kind.js'

/**
 * Text folded into a ring of units: a run of white space is one unit, a number is one unit. So a text
 * that counts up or changes its indentation still repeats here.
 */
export interface Folded {
  /**
   * The ring; after it, from `VALUES` on, a hash of the number at a place, 1 for white space that is more than one
   * space, 2 if a line ends in it; and from `PLACES` on the table of pairs and the words of a block. One array, because every word reads all of them.
   */
  readonly units: Uint16Array
  readonly mask: number
  /** place of the next unit */
  end: number
  /** place where this text began */
  base: number
  /** characters of this text before folding */
  characters: number
  /** length of the white space at the end of the text */
  blanks: number
  /** hash of the digits at the end of the text, 0 for none, and how many there are */
  value: number
  digits: number
  /** empty lines at the end of the text; only meaningful within white space */
  emptyLines: number
}

/** White space that begins with anything but a plain space. */
export const SPACES = 10

export const RING = 8192
export const RING_MASK = RING - 1

/** the longest period that is followed, and how far back a new one is checked */
export const MAX_PERIOD = 4100
export const MAX_LOOK_BACK = 256
/** how far back anything looks: the part of the ring that a snapshot needs */
export const REACH = MAX_PERIOD + MAX_LOOK_BACK

/** where in the units the values of numbers begin, and the table of pairs */
export const VALUES = RING_MASK + 1
export const PLACES = 2 * RING

/**
 * The longest piece between two places that is exactly as in the original text, here and in the laps
 * before: no number, no folded white space. Without laps, no white space at all is trusted.
 */
export function literalPiece(folded: Folded, from: number, to: number, laps: number): string {
  const { units } = folded
  let best = ''
  let start = from
  for (let place = from; place <= to; place++) {
    const unit = units[place & RING_MASK] as number
    const isLost =
      place === to ||
      unit === NUMBER ||
      unit === SPACES ||
      (unit === 32 && !isPlain(folded, place, to - from, laps))
    if (!isLost) continue
    const piece = withoutHalves(folded, start, place)
    if (piece.length > best.length) best = piece
    start = place + 1
  }
  return best
}

/** A piece without partial words at its edges: a number that was left out may have been the middle of a key. */
function withoutHalves(folded: Folded, from: number, to: number): string {
  const isNumber = (place: number) => folded.units[place & RING_MASK] === NUMBER
  const piece = ringText(folded, from, to)
  const begun = isNumber(from - 1) ? piece.replace(/^[\w-]{6,}/, '') : piece
  return isNumber(to) ? begun.replace(/(?<![\w-])[\w-]{6,}$/, '') : begun
}

/** Whether a space was a single one in every lap within reach. */
function isPlain({ units }: Folded, place: number, period: number, laps: number): boolean {
  const held = Math.min(laps, Math.floor(REACH / period))
  for (let lap = 0; lap < held; lap++) {
    if (units[VALUES + ((place - lap * period) & RING_MASK)] !== 0) return false
  }
  return laps > 0
}
