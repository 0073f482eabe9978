import { addTo, classOf, DIGIT, fold, isLatin } from '../words.js'

// no page is read further than this
const MOST = 32_768

/** A fingerprint of the page that a text shows from here on, however its elements are numbered. */
export function screenOf(text: string, from: number): number {
  const to = Math.min(text.length, from + MOST)
  let print = 0
  for (let i = from; i < to; ) {
    const start = i
    let word = 0
    let digits = 0
    for (; i < to; i++) {
      const unit = text.charCodeAt(i)
      if (!isLatin(unit)) {
        const kind = classOf(unit)
        if (kind > DIGIT) break
        if (kind === DIGIT) digits++
      }
      word = addTo(word, fold(unit))
    }
    if (i === start) i++
    else if (digits === 0 || !isReference(text, start)) print = addTo(print, word)
  }
  return print || 1
}

/** `[12]`, `[ref=e12]`, `uid=1_7`, `@e3`: which element it is, for this once. */
function isReference(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1)
  if (before === 91 || before === 64) return true
  return before === 61 && (text.startsWith('ref', start - 4) || text.startsWith('id', start - 3))
}
