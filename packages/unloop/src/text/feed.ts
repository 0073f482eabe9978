import {
  beginLine,
  FENCE,
  isDivider,
  isInCode,
  isInText,
  type Lines,
  MAYBE_DIVIDER,
  NOTHING,
  readCharacter,
  STRUCTURE,
} from './lines.js'
import { addText, resetWindows, type Windows } from './windows.js'

interface Limits {
  count: number
  distance: number
  lineStart: string
}

/**
 * Feeds a delta to the windows from this index on, minding Markdown: structure resets them, code
 * blocks are left out. Stops where a window came too often, and tells the index behind it, else -1.
 */
export function feedLines(
  lines: Lines,
  windows: Windows,
  text: string,
  from: number,
  limits: Limits,
): number {
  return limits.lineStart === 'delta'
    ? feedDelta(lines, windows, text, from, limits)
    : feedStream(lines, windows, text, from, limits)
}

/** The verdict does not depend on how the text was cut. */
function feedStream(
  lines: Lines,
  windows: Windows,
  text: string,
  from: number,
  { count, distance }: Limits,
): number {
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

/** Where the line ends, or the delta, or a stretch that is long enough for one go. */
function endOfLine(text: string, from: number): number {
  if (text.length - from > MAX_STRETCH) {
    const newline = text.slice(from, from + MAX_STRETCH).indexOf('\n')
    return from + (newline < 0 ? MAX_STRETCH : newline)
  }
  const newline = text.indexOf('\n', from)
  return newline < 0 ? text.length : newline
}

// after a find the search starts again, so it must not run through megabytes each time
const MAX_STRETCH = 4096

/**
 * The way of the original class: each delta begins a line, a mark anywhere in it resets before the
 * whole delta is taken, and every three backticks toggle the code state.
 */
function feedDelta(
  lines: Lines,
  windows: Windows,
  text: string,
  from: number,
  { count, distance }: Limits,
): number {
  if (from > 0) return -1
  const fences = countFences(text)
  const wasInCode = isInCode(lines)
  if (fences > 0 || hasStructure(text)) resetWindows(windows)
  if (fences % 2 === 1) lines.fence = wasInCode ? 0 : 3
  if (wasInCode || isInCode(lines) || isDividerText(text)) return -1
  // text that is longer than the history pushes its own beginning out before it is looked at
  const start = Math.max(0, text.length - windows.history)
  if (start > 0) resetWindows(windows)
  windows.floor = Math.max(windows.floor, windows.end + text.length - start - windows.history)
  return addText(windows, text, start, text.length, count, distance)
}

/** Whether any line of the delta is a list item, a heading, a quote, a table row or a divider. */
function hasStructure(text: string): boolean {
  const line: Lines = { at: 0, run: 0, mark: 0, fence: 0, fenceMark: 0 }
  beginLine(line)
  let told = NOTHING
  for (let i = 0; i < text.length; i++) {
    if (isInText(line)) {
      i = text.indexOf('\n', i)
      if (i < 0) return false
    }
    told = readCharacter(line, text.charCodeAt(i))
    if (told === STRUCTURE) return true
  }
  return told === MAYBE_DIVIDER
}

function isDividerText(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if (!isDivider(text.charCodeAt(i))) return false
  }
  return text.length > 0
}

function countFences(text: string): number {
  let fences = 0
  for (let i = text.indexOf('```'); i >= 0; i = text.indexOf('```', i + 3)) fences++
  return fences
}
