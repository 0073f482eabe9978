/** Whether a word or a sentence begins at this place, as far as marks and white space tell. */
export const isWordStart = (text: string, at: number): boolean =>
  at === 0 || (isAfter(text, at, BREAKS) && !isBlank(text.charAt(at)))

/** Whether a sentence or a line begins at this place. */
export function isSentenceStart(text: string, at: number): boolean {
  if (at === 0) return true
  if (!isWordStart(text, at)) return false
  let before = at - 1
  while (before >= 0 && isBlank(text.charAt(before))) {
    if (text.charAt(before) === '\n') return true
    before--
  }
  const mark = text.charAt(before)
  return WIDE_STOPS.includes(mark) || (before < at - 1 && STOPS.includes(mark))
}

/** Whether a cut at this place would tear apart what is one character to a person. */
export const isInsideCharacter = (text: string, at: number): boolean =>
  at > 0 &&
  at < text.length &&
  (isHigh(text.charCodeAt(at - 1)) ||
    text.slice(at - 1, at + 1).includes(JOINER) ||
    JOINED.test(String.fromCodePoint(text.codePointAt(at) ?? 0)))

const STOPS = '.!?…:;'
/** those of scripts that have no spaces between sentences */
const WIDE_STOPS = '。！？；'
const BREAKS = `${WIDE_STOPS}，、：`

const isAfter = (text: string, at: number, marks: string) =>
  isBlank(text.charAt(at - 1)) || marks.includes(text.charAt(at - 1))

const isBlank = (character: string) => character !== '' && character.trim() === ''

const isHigh = (code: number) => code >= 0xd800 && code < 0xdc00

const JOINER = '\u200d'
/** what belongs to the character before it */
const JOINED = /[\p{M}\p{Emoji_Modifier}]/u
