/** A line that is added, removed or there for orientation. */
export interface DiffLine {
  mark: '+' | '-' | ' ' | '…'
  text: string
}

// a file of more lines is not shown line by line: comparing takes the product of both lengths
const MAX_LINES = 3000

// enough to see where in the file it is
const CONTEXT = 2

/** What changes from one text to another, line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = toLines(before)
  const b = toLines(after)
  if (Math.max(a.length, b.length) > MAX_LINES) return b.map((text) => ({ mark: '+', text }))
  return condense(compare(a, b))
}

const toLines = (text: string) => (text === '' ? [] : text.replace(/\r?\n$/, '').split(/\r?\n/))

/** The longest common lines stay, the rest is removed or added. */
function compare(a: readonly string[], b: readonly string[]): DiffLine[] {
  const common = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1))
  const at = (i: number, j: number) => common[i]?.[j] ?? 0
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      const row = common[i] as Uint16Array
      row[j] = a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1))
    }
  }
  const lines: DiffLine[] = []
  for (let i = 0, j = 0; i < a.length || j < b.length; ) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ mark: ' ', text: a[i++] as string })
      j++
    } else if (j >= b.length || (i < a.length && at(i + 1, j) >= at(i, j + 1))) {
      lines.push({ mark: '-', text: a[i++] as string })
    } else lines.push({ mark: '+', text: b[j++] as string })
  }
  return lines
}

/** Without the lines that are far from any change. */
function condense(lines: readonly DiffLine[]): DiffLine[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ mark }) => mark !== ' '),
  )
  return lines.flatMap((line, index) => {
    if (isNear[index]) return [line]
    return index === 0 || isNear[index - 1] ? [{ mark: '…' as const, text: '' }] : []
  })
}
