/** A text being written, and where the cursor stands in it. */
export interface Editor {
  text: string
  cursor: number
}

export const EMPTY: Editor = { text: '', cursor: 0 }

/** What was sent before, and where the arrow keys stand in it. */
export interface Past {
  sent: readonly string[]
  /** index into `sent`; its length is the draft */
  index: number
  draft: string
}

export const NO_PAST: Past = { sent: [], index: 0, draft: '' }

export const insert = ({ text, cursor }: Editor, added: string): Editor => ({
  text: text.slice(0, cursor) + added + text.slice(cursor),
  cursor: cursor + added.length,
})

/** Removes what stands between the cursor and the place a motion leads to. */
export function erase(editor: Editor, motion: Motion): Editor {
  const place = motion(editor)
  const [from, to] = [Math.min(place, editor.cursor), Math.max(place, editor.cursor)]
  return { text: editor.text.slice(0, from) + editor.text.slice(to), cursor: from }
}

export const move = (editor: Editor, motion: Motion): Editor => ({
  ...editor,
  cursor: motion(editor),
})

/** Where the cursor goes. */
export type Motion = (editor: Editor) => number

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
// a longer one is not read as a single character; a multiple of a flag's 4, so that a row of flags is cut between two
const MAX_GRAPHEME = 1024

/** What a reader takes for one character may be several code units: an emoji, a letter with accents. */
export const left: Motion = ({ text, cursor }) => {
  if (cursor === 0) return 0
  const from = outsidePair(text, Math.max(0, cursor - MAX_GRAPHEME))
  const before = segmenter.segment(text.slice(from, cursor))
  return from + (before.containing(cursor - from - 1)?.index ?? 0)
}

export const right: Motion = ({ text, cursor }) => {
  const after = segmenter.segment(text.slice(cursor, cursor + MAX_GRAPHEME))
  return outsidePair(text, cursor + (after.containing(0)?.segment.length ?? 0))
}

/** This place, or the one before it where a character of two code units is there. */
const outsidePair = (text: string, place: number) =>
  /^[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(Math.max(0, place - 1), place + 1))
    ? place - 1
    : place

export const lineStart: Motion = ({ text, cursor }) =>
  // a search from before the beginning would look at the first character
  cursor === 0 ? 0 : text.lastIndexOf('\n', cursor - 1) + 1

export const lineEnd: Motion = ({ text, cursor }) => {
  const end = text.indexOf('\n', cursor)
  return end < 0 ? text.length : end
}

export const wordStart: Motion = ({ text, cursor }) => {
  let place = cursor
  while (place > 0 && isSpace(text, place - 1)) place--
  while (place > 0 && !isSpace(text, place - 1)) place--
  return place
}

/** Where the word at the cursor begins, or the one before it: a word is letters and digits, as in a shell. */
export const wordLeft: Motion = ({ text, cursor }) => {
  let place = cursor
  while (place > 0 && !isWord(text, place - 1)) place--
  while (place > 0 && isWord(text, place - 1)) place--
  return outsideGrapheme(text, place)
}

/** Where the word at the cursor ends, or the one after it. */
export const wordRight: Motion = ({ text, cursor }) => {
  let place = cursor
  while (place < text.length && !isWord(text, place)) place++
  while (place < text.length && isWord(text, place)) place++
  const whole = outsideGrapheme(text, place)
  return whole < place ? right({ text, cursor: whole }) : place
}

// looked up a million times in a long text
const ASCII_WORD = Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(code)),
)

/** Whether the character there is part of a word, at either of its code units. */
function isWord(text: string, place: number): boolean {
  const code = text.charCodeAt(place)
  if (code < ASCII_WORD.length) return ASCII_WORD[code] === true
  const character = String.fromCodePoint(text.codePointAt(outsidePair(text, place)) ?? 0)
  return /[\p{L}\p{N}\p{M}]/u.test(character)
}

/** This place, or the beginning of what a reader takes for one character there. */
function outsideGrapheme(text: string, place: number): number {
  if (place <= 0 || place >= text.length) return place
  const from = outsidePair(text, Math.max(0, place - MAX_GRAPHEME))
  const around = segmenter.segment(text.slice(from, place + 1))
  return from + (around.containing(place - from)?.index ?? place - from)
}

/** The two characters around the cursor in the other order; at the end of a line the last two. */
export function transpose(editor: Editor): Editor {
  const { text, cursor } = editor
  const start = lineStart(editor)
  const middle = cursor === lineEnd(editor) ? left(editor) : cursor
  if (middle <= start) return editor
  const from = left({ text, cursor: middle })
  const to = right({ text, cursor: middle })
  return {
    text: text.slice(0, from) + text.slice(middle, to) + text.slice(from, middle) + text.slice(to),
    cursor: to,
  }
}

/** What stands between the cursor and the place a motion leads to. */
export const span = (editor: Editor, motion: Motion): string => {
  const place = motion(editor)
  return editor.text.slice(Math.min(place, editor.cursor), Math.max(place, editor.cursor))
}

const isSpace = (text: string, place: number) => SPACES.has(text.charCodeAt(place))

const SPACES = new Set(Array.from(' \t\n\r\u00a0\u2028\u2029\u3000', (each) => each.charCodeAt(0)))

/** The same column one line up or down, if there is such a line. */
export const lineAway =
  (lines: -1 | 1): ((editor: Editor) => number | undefined) =>
  (editor) => {
    const { text, cursor } = editor
    const start = lineStart(editor)
    const target = lines < 0 ? start - 1 : lineEnd(editor) + 1
    if (target < 0 || target > text.length) return
    const line = { text, cursor: target }
    return Math.min(lineStart(line) + cursor - start, lineEnd(line))
  }

/** What was sent one before or after; nothing at either end. */
export function recall(past: Past, editor: Editor, step: -1 | 1) {
  const index = past.index + step
  if (index < 0 || index > past.sent.length) return
  const draft = past.index === past.sent.length ? editor.text : past.draft
  const text = past.sent[index] ?? draft
  return { past: { ...past, index, draft }, editor: { text, cursor: text.length } }
}

/** With this text sent too, unless it is the same as the last. */
export function remember({ sent }: Past, text: string): Past {
  const all = sent.at(-1) === text ? sent : [...sent, text]
  return { sent: all, index: all.length, draft: '' }
}
