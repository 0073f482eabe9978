/**
 * The Markdown structure of a text, character by character: an incremental state machine, so that it
 * does not matter how the text is cut into deltas. All state is plain numbers.
 */
export interface Lines {
  /** the position in the line: one of the `AT_…` below */
  at: number
  /** how many times a mark has repeated so far */
  run: number
  /** that mark */
  mark: number
  /** length of the fence that opened the current code block; 0 outside */
  fence: number
  /** the character the fence is made of */
  fenceMark: number
}

/** What one character shows about the line. */
export const NOTHING = 0
/** the line is a list item, a heading, a quote, a table row or was a divider */
export const STRUCTURE = 1
/** so far the line may be a divider, which is never text */
export const MAYBE_DIVIDER = 2
/** a fence opened or closed a code block */
export const FENCE = 3

const AT_START = 0
const AT_TEXT = 1
const AT_NUMBER = 2
// from here to AT_NUMBER_DOT: a mark that needs a space or the end of the line after it
const AT_BULLET = 3
const AT_HEADING = 4
const AT_QUOTE = 5
const AT_NUMBER_DOT = 6
const AT_ROW = 7
const AT_DIVIDER = 8
const AT_FENCE = 9
const AT_FENCE_INFO = 10
const AT_FENCE_END = 11

export const startLines = (): Lines => ({ at: AT_START, run: 0, mark: 0, fence: 0, fenceMark: 0 })

/** Begins a line without a newline. */
export function beginLine(lines: Lines): void {
  lines.at = AT_START
  lines.run = 0
}

/** Whether the line is known to be ordinary text, so that only a newline can change anything. */
export const isInText = (lines: Lines): boolean => lines.at === AT_TEXT

/** Whether the text is inside a fenced code block. */
export const isInCode = (lines: Lines): boolean => lines.fence > 0

/** Takes the next character and returns what it shows. */
export function readCharacter(lines: Lines, code: number): number {
  if (code === NEWLINE) return endLine(lines)
  switch (lines.at) {
    case AT_START:
      return readFirst(lines, code)
    case AT_NUMBER:
      if (isDigit(code)) return NOTHING
      return goTo(lines, code === DOT ? AT_NUMBER_DOT : AT_TEXT)
    case AT_NUMBER_DOT:
    case AT_HEADING:
    case AT_QUOTE:
      if (lines.at === AT_HEADING && code === HASH) return NOTHING
      goTo(lines, AT_TEXT)
      return isBlank(code) ? STRUCTURE : NOTHING
    case AT_BULLET:
      return readBullet(lines, code)
    case AT_ROW:
      if (code === PIPE) {
        goTo(lines, AT_TEXT)
        return STRUCTURE
      }
      return NOTHING
    case AT_DIVIDER:
      if (isDivider(code) || isBlank(code) || code === PIPE) return MAYBE_DIVIDER
      return goTo(lines, AT_TEXT)
    case AT_FENCE:
      return readFence(lines, code)
    case AT_FENCE_END:
      if (isBlank(code)) return NOTHING
      return goTo(lines, AT_TEXT)
    default:
      return NOTHING
  }
}

function readFirst(lines: Lines, code: number): number {
  if (isBlank(code)) return NOTHING
  lines.mark = code
  lines.run = 1
  if (code === BACKTICK || code === TILDE) return goTo(lines, AT_FENCE)
  if (lines.fence > 0) return goTo(lines, AT_TEXT)
  if (code === DASH || code === STAR || code === PLUS) {
    lines.at = AT_BULLET
    return MAYBE_DIVIDER
  }
  if (isDigit(code)) return goTo(lines, AT_NUMBER)
  if (code === HASH) return goTo(lines, AT_HEADING)
  if (code === GREATER) return goTo(lines, AT_QUOTE)
  if (code === PIPE) return goTo(lines, AT_ROW)
  if (isDivider(code)) {
    lines.at = AT_DIVIDER
    return MAYBE_DIVIDER
  }
  return goTo(lines, AT_TEXT)
}

/** After a dash, a star or a plus: a list item, a divider, the edge of a table, or just text. */
function readBullet(lines: Lines, code: number): number {
  if (isBlank(code)) {
    goTo(lines, AT_TEXT)
    return STRUCTURE
  }
  if (!isDivider(code)) return goTo(lines, AT_TEXT)
  lines.at = AT_DIVIDER
  return MAYBE_DIVIDER
}

/** A run of backticks or tildes: three or more open a code block, and as many close it. */
function readFence(lines: Lines, code: number): number {
  if (code === lines.mark) {
    lines.run++
    return NOTHING
  }
  if (lines.run < 3) return goTo(lines, AT_TEXT)
  if (lines.fence === 0) return goTo(lines, AT_FENCE_INFO)
  return goTo(lines, closesFence(lines) && isBlank(code) ? AT_FENCE_END : AT_TEXT)
}

function endLine(lines: Lines): number {
  const { at } = lines
  lines.at = AT_START
  if (at === AT_DIVIDER || (at >= AT_BULLET && at <= AT_NUMBER_DOT)) return STRUCTURE
  const opens = at === AT_FENCE_INFO || (at === AT_FENCE && lines.fence === 0)
  if (opens && lines.run >= 3) {
    lines.fence = lines.run
    lines.fenceMark = lines.mark
    return FENCE
  }
  if (at === AT_FENCE_END || (at === AT_FENCE && closesFence(lines))) {
    lines.fence = 0
    return FENCE
  }
  return NOTHING
}

const closesFence = (lines: Lines) =>
  lines.fence > 0 && lines.mark === lines.fenceMark && lines.run >= lines.fence

function goTo(lines: Lines, at: number): number {
  lines.at = at
  return NOTHING
}

const NEWLINE = 10
const HASH = 35
const STAR = 42
const PLUS = 43
const DASH = 45
const DOT = 46
const GREATER = 62
const BACKTICK = 96
const PIPE = 124
const TILDE = 126

const isBlank = (code: number) => code === 32 || code === 9 || code === 13 || code === 0xa0

const isDigit = (code: number) => code >= 48 && code <= 57

/** `-`, `=`, `_`, `*`, `+` and everything that draws boxes and blocks (U+2500 to U+259F). */
export const isDivider = (code: number): boolean =>
  code === DASH ||
  code === 61 ||
  code === 95 ||
  code === STAR ||
  code === PLUS ||
  (code >= 0x2500 && code <= 0x259f)
