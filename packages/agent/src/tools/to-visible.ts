/** A text in which nothing is hidden from the person who has to approve it: control and format characters are spelled out. */
export const toVisible = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}]/gu, (character) =>
    character === '\n' || character === '\t' ? character : spellOut(character),
  )

/** The same for one line. */
export const toVisibleLine = (text: string): string => toVisible(text).replace(/[\n\t]/g, spellOut)

const spellOut = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`
