// what VS Code shows of a message; the rest of a long one is not worth sending
const MAX_CHARACTERS = 1000

/**
 * One line that the editor shows as it is. VS Code makes links of `[x](command:…)` in messages, and icons of `$(x)` in
 * lists; an invisible word joiner keeps the two characters apart that begin either.
 */
export function toPlain(text: string): string {
  const cut = text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS)}…` : text
  return cut
    .replace(/[\t\n\v\f\r\x85\u2028\u2029]/g, ' ')
    .replace(UNSEEN, '\ufffd')
    .replace(/([\]$])\(/g, '$1\u2060(')
}

/** Several lines, as in a tooltip. */
export const toPlainLines = (lines: readonly string[]): string => lines.map(toPlain).join('\n')

// control characters, and those that turn the direction in which the text around them is read
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
