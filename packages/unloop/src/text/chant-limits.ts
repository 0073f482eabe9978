import type { Limits } from './chant.js'
import type { TextKind } from './text-kind.js'

/** The numbers a person can set; all else follows from them. */
export interface ChantOptions {
  laps: number
  characters: number
  codeCharacters: number
  dataCharacters: number
  marksCharacters: number
}

/** How much of a repeat is too much, for each kind of text. */
export const toLimits = (options: ChantOptions): Limits => ({
  blanks: options.marksCharacters,
  laps: (text, period, exact) =>
    exact ? exactLaps(text, period, options) : countingLaps(text, period, options),
  segments(text, known) {
    // in ordinary prose no more than 320 characters in a row were known, in code 220
    if (text === 'prose') {
      return known === 'alike'
        ? { count: 2 * options.laps, characters: 4 * options.characters }
        : { count: 8, characters: 3 * options.characters }
    }
    if (known !== 'exact') return NEVER
    if (text === 'code') return { count: 12, characters: options.codeCharacters }
    return { count: 20, characters: options.dataCharacters }
  },
})

const NEVER = { laps: Infinity, count: Infinity, characters: Infinity }

/** The longer a lap, the fewer of them are a coincidence. */
function exactLaps(text: TextKind, period: number, options: ChantOptions) {
  const { laps, characters, codeCharacters, dataCharacters, marksCharacters } = options
  switch (text) {
    case 'prose':
      return { laps: fewer(laps, period), characters }
    case 'code':
      return { laps: fewer(laps, period), characters: codeCharacters }
    case 'data':
      // rows of a table may well be equal, but not whole records of several lines
      return period < 200
        ? { laps: 20, characters: dataCharacters }
        : { laps: laps + 1, characters: 1400 }
    case 'marks':
      return { laps: 20, characters: marksCharacters }
  }
}

/** Six short laps, five of a line, four of a few lines, three of a paragraph. */
function fewer(laps: number, period: number): number {
  if (period >= 400) return Math.max(2, laps - 3)
  if (period >= 200) return Math.max(2, laps - 2)
  return period >= 100 ? Math.max(2, laps - 1) : laps
}

/** Only prose may not count: rows that differ in their numbers are what code and data are made of. */
function countingLaps(text: TextKind, period: number, { laps, characters }: ChantOptions) {
  if (text !== 'prose') return NEVER
  const more = Math.ceil(1.5 * laps)
  return {
    laps: period < 150 ? Math.max(laps, Math.min(more, Math.floor(900 / period))) : laps,
    characters: 1.5 * characters,
  }
}
