import type { Feed } from './feed.js'
import {
  beginLine,
  isDivider,
  isInCode,
  isInText,
  type Lines,
  MAYBE_DIVIDER,
  NOTHING,
  readCharacter,
  STRUCTURE,
} from './lines.js'
import { addText, resetWindows } from './windows.js'

/**
 * Reads like the original class: each delta begins a line, Markdown anywhere in it resets before the
 * whole delta is taken, and every three backticks toggle the code state.
 */
export const feedDelta: Feed = (lines, windows, text, from, { count, distance }) => {
  if (from > 0) return -1
  const fences = countFences(text)
  const wasInCode = isInCode(lines)
  if (fences > 0 || hasStructure(text)) resetWindows(windows)
  if (fences % 2 === 1) lines.fence = wasInCode ? 0 : 3
  if (wasInCode || isInCode(lines) || isDividerText(text)) return -1
  // text longer than the history pushes out its own beginning before it is compared
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
