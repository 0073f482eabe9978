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
 * Feeds a delta to the windows, minding Markdown: structure resets them, code blocks are left out.
 * Tells whether a window came too often; the rest of that delta is not looked at.
 */
export function feedLines(lines: Lines, windows: Windows, text: string, limits: Limits): boolean {
  return limits.lineStart === 'delta'
    ? feedDelta(lines, windows, text, limits)
    : feedStream(lines, windows, text, limits)
}

/** The verdict does not depend on how the text was cut. */
function feedStream(lines: Lines, windows: Windows, text: string, limits: Limits): boolean {
  const { count, distance } = limits
  let i = 0
  while (i < text.length) {
    if (isInText(lines)) {
      const newline = text.indexOf('\n', i)
      const end = newline < 0 ? text.length : newline
      if (!isInCode(lines) && addText(windows, text, i, end, count, distance) >= 0) return true
      i = end
      if (i === text.length) break
    }
    const told = readCharacter(lines, text.charCodeAt(i))
    if (told === STRUCTURE || told === FENCE) resetWindows(windows)
    else if (!isInCode(lines)) {
      const judged = told === MAYBE_DIVIDER ? 0 : count
      if (addText(windows, text, i, i + 1, judged, distance) >= 0) return true
    }
    i++
  }
  return false
}

/**
 * The way of the original class: each delta begins a line, a mark anywhere in it resets before the
 * whole delta is taken, and every three backticks toggle the code state.
 */
function feedDelta(lines: Lines, windows: Windows, text: string, limits: Limits): boolean {
  const fences = countFences(text)
  const wasInCode = isInCode(lines)
  if (fences > 0 || hasStructure(text)) resetWindows(windows)
  if (fences % 2 === 1) lines.fence = wasInCode ? 0 : 3
  if (wasInCode || isInCode(lines) || isDividerText(text)) return false
  // text that is longer than the history pushes its own beginning out before it is looked at
  const from = Math.max(0, text.length - windows.history)
  if (from > 0) resetWindows(windows)
  windows.floor = Math.max(windows.floor, windows.end + text.length - windows.history)
  return addText(windows, text, from, text.length, limits.count, limits.distance) >= 0
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
