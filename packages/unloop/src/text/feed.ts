import {
  FENCE,
  isInCode,
  isInText,
  type Lines,
  MAYBE_DIVIDER,
  readCharacter,
  STRUCTURE,
} from './lines.js'
import { addText, resetWindows, type Windows } from './windows.js'

/** Feeds a delta to the windows; stops if one came too often and returns the index after it, else -1. */
export type Feed = (
  lines: Lines,
  windows: Windows,
  text: string,
  from: number,
  limits: { count: number; distance: number },
) => number

/**
 * Follows Markdown: structure resets the windows, and code blocks are left out. The verdict does not
 * depend on how the text was cut.
 */
export const feedLines: Feed = (lines, windows, text, from, { count, distance }) => {
  let i = from
  while (i < text.length) {
    if (isInText(lines)) {
      const end = endOfLine(text, i)
      const found = isInCode(lines) ? -1 : addText(windows, text, i, end, count, distance)
      if (found >= 0) return found
      i = end
      if (i === text.length || text.charCodeAt(i) !== 10) continue
    }
    const told = readCharacter(lines, text.charCodeAt(i))
    if (told === STRUCTURE || told === FENCE) resetWindows(windows)
    else if (!isInCode(lines)) {
      const judged = told === MAYBE_DIVIDER ? 0 : count
      if (addText(windows, text, i, i + 1, judged, distance) >= 0) return i + 1
    }
    i++
  }
  return -1
}

/** The end of the line, of the delta, or of a stretch that is long enough for one step. */
function endOfLine(text: string, from: number): number {
  if (text.length - from > MAX_STRETCH) {
    const newline = text.slice(from, from + MAX_STRETCH).indexOf('\n')
    return from + (newline < 0 ? MAX_STRETCH : newline)
  }
  const newline = text.indexOf('\n', from)
  return newline < 0 ? text.length : newline
}

// after a hit the search starts over, so it must not run through megabytes each time
const MAX_STRETCH = 4096
