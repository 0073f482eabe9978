/** A column as its table declares it. */
export interface Column {
  name: string
  /** stands for the number of the row, and is empty in the row itself */
  isRowid: boolean
}

/** The columns of a table by its `CREATE TABLE`, or why it cannot be read row by row. */
export function columnsIn(sql: string): Column[] | string {
  const parts = partsOf(sql)
  if (!parts) return 'has an unknown declaration'
  const { inside, after } = parts
  if (after.some(({ text }) => isWord(text, 'without'))) return 'has no row numbers'
  const columns: Column[] = []
  for (const [name, ...rest] of inside) {
    if (!name || (!name.isQuoted && CONSTRAINTS.has(name.text.toLowerCase()))) continue
    const words = rest.filter(({ isQuoted }) => !isQuoted).map(({ text }) => text.toLowerCase())
    if (words.includes('as')) return 'has computed columns'
    columns.push({
      name: name.text.toLowerCase(),
      isRowid: words[0] === 'integer' && words.includes('primary'),
    })
  }
  return columns
}

const CONSTRAINTS = new Set(['constraint', 'primary', 'unique', 'check', 'foreign'])

interface Token {
  text: string
  isQuoted: boolean
}

const isWord = (text: string, word: string) => text.toLowerCase() === word

/** The declarations between the outer brackets, each as its tokens, and the tokens behind them. */
function partsOf(sql: string): { inside: Token[][]; after: Token[] } | undefined {
  let inside: Token[][] | undefined
  let tokens: Token[] = []
  let depth = 0
  for (const token of tokensOf(sql)) {
    const mark = token.isQuoted ? '' : token.text
    if (mark === '(' && ++depth === 1) {
      if (inside) return
      inside = []
      tokens = []
    } else if (mark === ')' && --depth === 0) {
      inside?.push(tokens)
      tokens = []
    } else if (mark === ',' && depth === 1) {
      inside?.push(tokens)
      tokens = []
    } else if (depth < 2 && mark !== ')') tokens.push(token)
    if (depth < 0) return
  }
  return inside && depth === 0 ? { inside, after: tokens } : undefined
}

const CLOSERS: Record<string, string> = { '"': '"', '`': '`', "'": "'", '[': ']' }
const WORD = /[^\s"`'[\](),]+/y

/** Names, words and marks, one after the other; it ends early where a quote has no end. */
function* tokensOf(sql: string): Generator<Token> {
  for (let at = 0; at < sql.length; ) {
    const char = sql.charAt(at)
    const closer = CLOSERS[char]
    const comment = sql.startsWith('--', at) ? '\n' : sql.startsWith('/*', at) ? '*/' : undefined
    if (comment) {
      const end = sql.indexOf(comment, at + 2)
      at = end < 0 ? sql.length : end + comment.length
    } else if (closer) {
      const end = endOfQuote(sql, at + 1, closer)
      if (end < 0) return
      yield { text: sql.slice(at + 1, end).replaceAll(closer + closer, closer), isQuoted: true }
      at = end + 1
    } else {
      WORD.lastIndex = at
      const text = WORD.exec(sql)?.[0] ?? char
      if (text.trim() !== '') yield { text, isQuoted: false }
      at += text.length
    }
  }
}

/** A quote that stands twice is part of the name. */
function endOfQuote(sql: string, from: number, closer: string): number {
  let end = sql.indexOf(closer, from)
  while (end >= 0 && sql[end + 1] === closer) end = sql.indexOf(closer, end + 2)
  return end
}
