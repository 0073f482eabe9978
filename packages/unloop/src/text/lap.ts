import type { Chant } from './chant.js'
import type { LapKind } from './chant-limits.js'
import { RING_MASK, VALUES } from './folded.js'
import { NUMBER, type TextKind } from './text-kind.js'

/** longer laps tell no more than their text does */
export const MAX_LAP = 512

/** What a lap is, which may tell more than the text around it. */
export const kindOfLap = (text: TextKind, lap: string): LapKind =>
  text !== 'prose' && lap !== '' && isHammered(lap)
    ? 'code'
    : text === 'marks' && lap.includes('\n')
      ? 'lines'
      : text

/** One word with its marks again and again; a column of `true` or `null` may well be data. */
function isHammered(lap: string): boolean {
  const letters = lap.replace(/[^a-z0-9]/gi, '')
  // a row of a table
  if (lap.length > 16 || /\x7f|[,|;\t].*[,|;\t]/s.test(lap)) return false
  return (
    5 * letters.length >= 2 * lap.length &&
    !/^(?:true|false|null|none|nan)+$/i.test(letters.repeat(2))
  )
}

/** The period itself, or a part of it if that repeats already: what was found may be several laps. */
export function shortestLap(chant: Chant): number {
  const { period, run, exactFrom } = chant
  if (period > MAX_LAP) return period
  const exact = run - exactFrom >= period
  for (let lap = 1; lap <= period / 2; lap++) {
    if (period % lap === 0 && sameFor(chant, lap, period - lap, exact) === period - lap) return lap
  }
  return period
}

/** How many of the last units are the same as those of a lap before, with the values of their numbers or without; up to `most`. */
export function sameFor({ units, end }: Chant, lap: number, most: number, exact: boolean): number {
  let same = 0
  for (; same < most; same++) {
    const place = (end - 1 - same) & RING_MASK
    const before = (end - 1 - same - lap) & RING_MASK
    if (units[place] !== units[before]) break
    // the value of the last one is not known before it ends
    const isNumber = exact && same > 0 && units[place] === NUMBER
    if (isNumber && units[VALUES + place] !== units[VALUES + before]) break
  }
  return same
}
