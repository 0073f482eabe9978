import type { Segments } from './chant-state.js'
import type { TextKind } from './text-kind.js'

/** The numbers a person can set; everything else follows from them. */
export interface ChantOptions {
  laps: number
  characters: number
}

// curves in packages/bench/CURVES.md of version 0.2: code, data and marks repeat more than prose before they are a chant
const CODE_CHARACTERS = 800
const DATA_CHARACTERS = 5000
export const MARKS_CHARACTERS = 2000

/** How many laps or segments, and how many characters, are too many. */
interface Limit {
  count: number
  characters: number
}

/** The kind of a lap: that of its text, or a more specific one. */
export type LapKind = TextKind | 'lines' | 'list' | 'values' | 'rows'

const NEVER: Limit = { count: Infinity, characters: Infinity }

/** An empty line, or one with only marks, counts as at least this many characters. */
export const EMPTY_LINE = 12

export const MOST_EMPTY_LINES = Math.ceil(MARKS_CHARACTERS / EMPTY_LINE)

/** How many laps and characters are too many, exactly or apart from the numbers. The longer a lap, the fewer are needed. */
export function lapLimit(
  options: ChantOptions,
  text: LapKind,
  period: number,
  exact: boolean,
): Limit {
  const { laps, characters } = options
  if (!exact) {
    // rows that differ in their numbers are a chant only in prose: they are normal in code and data
    if (text !== 'prose') return NEVER
    const more = Math.min(Math.ceil(1.5 * laps), Math.floor(900 / period))
    return { count: period < 150 ? Math.max(laps, more) : laps, characters: 1.5 * characters }
  }
  switch (text) {
    case 'prose':
    case 'code':
      return {
        count: fewer(laps, period),
        characters: text === 'code' ? CODE_CHARACTERS : characters,
      }
    case 'data':
      // rows of a table may be equal, but not whole records of several lines
      return period < 200
        ? { count: 20, characters: DATA_CHARACTERS }
        : { count: laps + 1, characters: 1400 }
    // in a log of 60 KB, 13 lines of one second came eight times in a row
    case 'rows':
      return { count: 40, characters: 2 * DATA_CHARACTERS }
    // within one line: in 28,000 ordinary texts, nothing with ten laps had more than 580 characters
    case 'list':
      return { count: 15, characters: 0.12 * DATA_CHARACTERS }
    case 'values':
      return { count: 15, characters: 0.3 * DATA_CHARACTERS }
    case 'marks':
    case 'lines':
      return { count: 20, characters: MARKS_CHARACTERS }
  }
}

/** Six short laps, five of a line, four of a few lines, three of a paragraph. */
const fewer = (laps: number, period: number) =>
  Math.max(2, laps - [100, 200, 400].filter((long) => period >= long).length)

/** How many segments and characters are too many for a stretch in which every segment is known. */
export function segmentLimit(options: ChantOptions, text: TextKind, known: keyof Segments['runs']) {
  const { laps } = options
  // in ordinary prose at most 375 characters in a row were known, in code 451; from five times that on, chants are reported late
  if (text === 'prose') {
    return known === 'alike'
      ? { count: 2 * laps, characters: 4 * options.characters }
      : { count: Math.max(8, laps), characters: 4 * options.characters }
  }
  if (known !== 'exact') return NEVER
  return text === 'code'
    ? { count: Math.max(12, laps), characters: CODE_CHARACTERS }
    : { count: Math.max(20, laps), characters: DATA_CHARACTERS }
}
