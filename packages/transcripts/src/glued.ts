import { parse } from './partial-json.js'

/** A whole record within a line, or a part of one that is lost. */
export type Piece = { value: unknown } | { lost: true }

// a line with more is not a line of records
const MAX_LOST = 20
// enough of a record to know where the next one of its kind begins, such as `{"timestamp"`
const HEAD = 8

/** The records of a line that is not JSON, because a program died while it wrote, or two wrote at once; none if there is nothing whole in it. */
export function splitGlued(text: string): Piece[] {
  const pieces: Piece[] = []
  let isAnyWhole = false
  let lost = 0
  let from = skipBlanks(text, 0)
  while (from < text.length && lost < MAX_LOST) {
    const end = text.charCodeAt(from) === 123 ? endOfObject(text, from) : -1
    const value = end < 0 ? undefined : parse(text.slice(from, end))
    if (value !== undefined) {
      isAnyWhole = true
      pieces.push({ value })
      from = skipBlanks(text, end)
      continue
    }
    lost++
    pieces.push({ lost: true })
    const next = text.indexOf(text.slice(from, from + HEAD), from + 1)
    from = next < 0 ? text.length : next
  }
  return isAnyWhole ? pieces : []
}

/** Zeros are what some file systems leave of a write that did not happen. */
function skipBlanks(text: string, from: number): number {
  let i = from
  while (i < text.length && text.charCodeAt(i) <= 32) i++
  return i
}

function endOfObject(text: string, from: number): number {
  let depth = 0
  let inText = false
  for (let i = from; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (inText) {
      if (char === 92) i++
      else if (char === 34) inText = false
    } else if (char === 34) inText = true
    else if (char === 123) depth++
    else if (char === 125 && --depth === 0) return i + 1
  }
  return -1
}
