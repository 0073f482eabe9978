import { lex } from './lexer.js'

/** Text that is complete and will not change, and what may still change with the next words. */
export interface Pieces {
  /** each can be drawn by itself; one that goes on with the code before it has what was between them as its `joint` */
  complete: { text: string; joint?: Joint }[]
  rest: string
}

/** Code is cut at the end of a line, or within one that is too long. */
export type Joint = '\n' | ''

// what is drawn again with each frame: some milliseconds of work
const MAX_REST = 12_000
// code is drawn without being read, and is better copied as a whole
const MAX_CODE = 60_000

/** Cuts a message that is being written, so that what was drawn need not be drawn again. */
export function createPieces() {
  let rest = ''
  let joint: Joint | undefined

  function cut(text: string): Pieces['complete'][number] {
    const piece = { text, ...(joint !== undefined && { joint }) }
    joint = undefined
    return piece
  }

  /** Takes off what is complete, as long as there is something. */
  function take(): Pieces['complete'] {
    const fence = openFence(rest)
    if (fence && rest.length > MAX_CODE) {
      const at = lastLineEnd(rest, MAX_CODE)
      const piece = cut(`${rest.slice(0, at)}\n${fence.mark}`)
      joint = rest[at] === '\n' ? '\n' : ''
      rest = `${fence.line}\n${rest.slice(at + joint.length)}`
      return [piece]
    }
    const code = fence ? 0 : codeLength(rest)
    // code is not cut, and ends as soon as something comes after it
    if (code > 0 && rest.slice(code).trim() === '') return []
    const length = fence?.at ?? (code || completeLength(rest))
    if (length > 0) {
      const piece = cut(rest.slice(0, length))
      rest = rest.slice(length)
      return [piece]
    }
    if (fence || rest.length <= MAX_REST) return []
    const at = lastLineEnd(rest, MAX_REST)
    const piece = cut(rest.slice(0, at))
    rest = rest.slice(at)
    return [piece]
  }

  return {
    /** More of the message; gives what has become complete. */
    write(text: string): Pieces {
      rest += text
      const complete: Pieces['complete'] = []
      for (;;) {
        const taken = take()
        complete.push(...taken)
        if (taken.length === 0) return { complete, rest }
      }
    },
    /** What was between the rest and the code before it, if it goes on with that. */
    get joint() {
      return joint
    },
  }
}

/** How long the blocks are that no later word can change: all but the last one. */
function completeLength(text: string): number {
  // a blank line ends most of them; without one it is all one block
  if (!text.includes('\n\n')) return 0
  try {
    // only a line that is complete says whether it goes on with the block before it
    const lines = text.slice(0, text.lastIndexOf('\n') + 1)
    const tokens = lex(lines)
    const last = tokens.findLastIndex(({ type }) => type !== 'space')
    return tokens.slice(0, Math.max(0, last)).reduce((sum, { raw }) => sum + raw.length, 0)
  } catch {
    return 0
  }
}

/** How long the code is that a text begins with, if its fence is closed. */
function codeLength(text: string): number {
  const [, mark] = text.match(FENCE) ?? []
  if (!mark) return 0
  let at = 0
  for (const [index, line] of text.split('\n').entries()) {
    at += line.length + 1
    if (index > 0 && closes(line, mark)) return Math.min(at, text.length)
  }
  return 0
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Whether a line ends the code that began with this mark. */
function closes(line: string, mark: string): boolean {
  const [, end] = line.match(FENCE) ?? []
  return end?.startsWith(mark) === true && line.trim() === end
}

/** The fence that is open at the end of a text, and where it begins. */
function openFence(text: string): { mark: string; line: string; at: number } | undefined {
  let open: { mark: string; line: string; at: number } | undefined
  let at = 0
  for (const line of text.split('\n')) {
    const [, mark] = line.match(FENCE) ?? []
    if (mark && !open) open = { mark, line, at }
    else if (open && closes(line, open.mark)) open = undefined
    at += line.length + 1
  }
  return open
}

/** Behind the last line, or at least word, that ends before this length. */
function lastLineEnd(text: string, length: number): number {
  const line = text.lastIndexOf('\n', length)
  if (line > length / 2) return line
  const word = text.lastIndexOf(' ', length)
  return word > length / 2 ? word : length
}
