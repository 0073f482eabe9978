import { printable } from '../../../printable.js'
import { widthOf } from '../../../width.js'

/** The text in lines of at most so many columns, broken between words; `indent` is before the first, `hang` before the others. */
export function wrap(text: string, columns: number, indent = '', hang = indent): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of printable(text).split(/\s+/).filter(Boolean)) {
    const longer = line === '' ? indent + word : `${line} ${word}`
    if (line !== '' && widthOf(longer) > columns) {
      lines.push(line)
      line = hang + word
    } else line = longer
  }
  return line === '' ? lines : [...lines, line]
}
