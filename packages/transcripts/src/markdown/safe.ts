// What a transcript says, as Markdown that shows it and obeys none of it.

/** The text in a fence that nothing in it can close. */
export function fence(text: string, language: string): string[] {
  const ticks = '`'.repeat(Math.max(3, longestTicks(text) + 1))
  return [`${ticks}${language}`, ...visible(text).split('\n'), ticks]
}

// a name that is longer tells nothing more
const MAX_INLINE = 200

/** The text as code within a line. */
export function code(text: string): string {
  const row = visible(text.slice(0, MAX_INLINE)).replace(/\s+/g, ' ').trim()
  if (row === '') return '(nothing)'
  const shown = text.length > MAX_INLINE ? `${row}…` : row
  const ticks = '`'.repeat(longestTicks(shown) + 1)
  return ticks === '`' ? `\`${shown}\`` : `${ticks} ${shown} ${ticks}`
}

/** The text with every character in sight: those that control a screen or turn the direction are spelled out. */
const visible = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(
      /(?![\n\t])\p{Cc}|[\u200e\u200f\u2028-\u202e\u2066-\u2069]/gu,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )

const longestTicks = (text: string): number =>
  (text.match(/`+/g) ?? []).reduce((longest, { length }) => Math.max(longest, length), 0)
