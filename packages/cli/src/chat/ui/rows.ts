/** About how many rows a text takes; rather one too many than one too few. */
export const rowsOf = (text: string, columns: number): number =>
  text.split('\n').reduce((rows, line) => rows + Math.max(1, Math.ceil(widthOf(line) / columns)), 0)

// drawn as two spaces
const TAB = 9

/** Everything from Hangul on counts as wide, which is what terminals do with most of it. */
export function widthOf(line: string): number {
  let width = line.length
  for (let i = 0; i < line.length; i++) {
    const code = line.charCodeAt(i)
    if (code >= 0x1100 || code === TAB) width++
  }
  return width
}
