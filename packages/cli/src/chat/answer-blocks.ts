/** An answer that is being written: what will look the same whatever comes, and what may still change. */
export interface Blocks {
  done: string
  rest: string
  /** the rest goes on within a block of what is done */
  isJoined: boolean
}

// what is drawn with each frame stays short
const MAX_OPEN = 4000

/**
 * Splits Markdown where blocks end: at an empty line, unless it is within code or a list. A block that is too
 * long is cut at the end of a line; code that is cut is closed, and opened again.
 */
export function splitBlocks(text: string): Blocks {
  const { end, fence, openAt } = scan(text)
  const rest = text.slice(end)
  if (rest.length <= MAX_OPEN) return { done: text.slice(0, end), rest, isJoined: false }
  const cut = cutPlace(rest)
  const head = text.slice(0, end) + rest.slice(0, cut)
  const tail = rest.slice(cut)
  if (!fence || end + cut <= openAt) return { done: head, rest: tail, isJoined: true }
  return { done: `${head}${fence.marks}`, rest: `${fence.line}\n${tail}`, isJoined: true }
}

interface Fence {
  marks: string
  /** the line that opened it, with the name of the language */
  line: string
}

/** Where the last complete block ends, and the code that is open at the end of the text. */
function scan(text: string): { end: number; fence: Fence | undefined; openAt: number } {
  let fence: Fence | undefined
  let openAt = 0
  let end = 0
  let isAfterBlank = false
  for (let at = 0; at < text.length; ) {
    const lineEnd = text.indexOf('\n', at)
    const line = text.slice(at, lineEnd < 0 ? text.length : lineEnd)
    const isBlank = line.trim() === ''
    if (!fence && isAfterBlank && !isBlank && !continues(text, end, line)) end = at
    const [, marks = ''] = FENCE.exec(line) ?? []
    if (fence) {
      if (closes(line, fence)) fence = undefined
    } else if (marks !== '') {
      fence = { marks, line }
      openAt = at
    }
    isAfterBlank = isBlank && lineEnd >= 0
    if (lineEnd < 0) break
    at = lineEnd + 1
  }
  return { end, fence, openAt }
}

/** Whether a line after an empty one belongs to the block before it: it is indented, or the next point of a list. */
const continues = (text: string, block: number, line: string) =>
  /^\s/.test(line) || (POINT.test(line) && POINT.test(text.slice(block, block + MAX_POINT)))

// a line that is not complete yet may become one
const POINT = /^(?:[-*+]|\d{1,9}[.)])(?:\s|$)|^\d{1,9}$/
const MAX_POINT = 12

const FENCE = /^ {0,3}(`{3,}|~{3,})(?!.*`)/

function closes(line: string, { marks }: Fence): boolean {
  const trimmed = line.trim()
  return trimmed.startsWith(marks) && trimmed.replaceAll(marks.charAt(0), '') === ''
}

/** The end of the last line; where there is none, that of the last word. */
function cutPlace(text: string): number {
  const line = text.lastIndexOf('\n')
  if (line > 0) return line + 1
  const word = text.lastIndexOf(' ')
  return word > 0 ? word + 1 : text.length
}
