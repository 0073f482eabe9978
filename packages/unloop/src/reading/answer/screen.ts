import { addTo, classOf, DIGIT, fold, isLatin } from '../words.js'

/** `[12]<button>`, `[12] link 'Home'` */
const ELEMENT = /\[\d{1,5}\](?:<[a-z]| [a-z]{3,20} ['"])/i
const HEAD = 2000
// a page is read up to here
const MOST = 32_768

/**
 * A fingerprint of the page that a text shows, however its elements are numbered; 0 if it shows none. `screenAt` is one
 * more than the place of the words that start a page, if there are any.
 */
export function screenOf(text: string, screenAt: number): number {
  const from = screenAt > 0 ? screenAt - 1 : text.slice(0, HEAD).search(ELEMENT)
  if (from < 0) return 0
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

/** `[12]`, `[ref=e12]`, `uid=1_7`, `@e3`: the temporary number of an element. */
function isReference(text: string, start: number): boolean {
  const before = text.charCodeAt(start - 1)
  if (before === 91 || before === 64) return true
  return before === 61 && (text.startsWith('ref', start - 4) || text.startsWith('id', start - 3))
}
