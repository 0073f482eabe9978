import type { LapKind } from './chant-limits.js'
import type { Chant } from './chant-state.js'
import { REACH, RING_MASK, VALUES } from './folded.js'
import { isOneUnit, NUMBER, type TextKind } from './text-kind.js'

/** longer laps say no more than their text */
export const MAX_LAP = 512
const MAX_LIST = 200

/** The kind of a lap, which may be more specific than that of the text around it. */
export function kindOfLap(text: TextKind, lap: string): LapKind {
  if (text === 'prose' || lap === '') return text
  if (isHammered(lap)) return 'code'
  if (text === 'marks') return lap.includes('\n') ? 'lines' : text
  // text without spaces was written by a machine
  if (text === 'code' || lap.length > MAX_LIST || lap.includes('\n') || !lap.includes(' ')) {
    return text
  }
  return isPlain(lap) || /[{}()[\]]/.test(lap) ? 'values' : 'list'
}

/** One repeated word with its marks, or an encoding; a column of `true` or `null` may be data. */
function isHammered(lap: string): boolean {
  // zeros in base64
  if (/[A-Z]/.test(lap) && isOneUnit(lap)) return false
  if (/^(?:[\w+/=\x7f]+|[\w+/=\x7f\n]{64,})$/.test(lap)) return !isPlain(lap)
  // a row of a table
  if (lap.length > 16 || /\x7f|[,|;\t].*[,|;\t]/s.test(lap)) return false
  return 5 * lettersOf(lap).length >= 2 * lap.length && !isPlain(lap)
}

const lettersOf = (lap: string) => lap.replace(/[^a-z0-9]/gi, '')

/** A single number or a word that stands for a value, wherever the lap begins. */
function isPlain(lap: string): boolean {
  const letters = lettersOf(lap)
  if (letters === '') return (lap + lap).split(/\x7f(?:\.\x7f)?/).length < 5
  const rest = letters.repeat(2).replace(/true|false|null|none|nan/gi, '')
  return letters.length > 2 && rest.length < 6
}

/** The period itself, or a shorter one that already repeats: the match may be several laps. */
export function shortestLap(chant: Chant): number {
  const { period, run, exactFrom } = chant
  if (period > MAX_LAP) return period
  const exact = run - exactFrom >= period
  for (let lap = 1; lap <= period / 2; lap++) {
    if (period % lap === 0 && sameFor(chant, lap, period - lap, exact) === period - lap) return lap
  }
  return period
}

/** Follows several laps as one if the numbers of a list repeat with it: without their values, all numbers look alike. */
export function followList(chant: Chant, period: number): boolean {
  const { run } = chant
  for (let lap = 2 * period; lap <= MAX_LIST && 4 * lap <= run; lap += period) {
    if (sameFor(chant, lap, 3 * lap, true) < 3 * lap) continue
    chant.run -= lap - period
    chant.runStart += lap - period
    chant.period = lap
    chant.exactFrom = chant.run - sameFor(chant, lap, Math.min(chant.run, REACH - lap), true)
    return true
  }
  return false
}

/** How many of the last units equal those one lap earlier, with or without the values of their numbers; up to `most`. */
export function sameFor({ units, end }: Chant, lap: number, most: number, exact: boolean): number {
  let same = 0
  for (; same < most; same++) {
    const place = (end - 1 - same) & RING_MASK
    const before = (end - 1 - same - lap) & RING_MASK
    if (units[place] !== units[before]) break
    // the value of the last number is not known until it ends
    const isNumber = exact && same > 0 && units[place] === NUMBER
    if (isNumber && units[VALUES + place] !== units[VALUES + before]) break
  }
  return same
}
