const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}]/u
const NONE = /[\p{M}\p{Cf}]/u

/** How many columns of a terminal a text takes. */
export function widthOf(text: string): number {
  let width = 0
  for (const character of text) width += NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1
  return width
}

/** The text in so many columns, shortened or filled up. */
export function inColumns(text: string, columns: number, side: 'left' | 'right'): string {
  let kept = text
  while (widthOf(kept) > columns)
    kept = `${[...kept].slice(0, kept.endsWith('…') ? -2 : -1).join('')}…`
  const space = ' '.repeat(columns - widthOf(kept))
  return side === 'left' ? kept + space : space + kept
}
