/** Says whether a text matches. */
export interface Pattern {
  test(text: string): boolean
}

/** A pattern in which * stands for anything. Each piece is looked for once, so no text takes long. */
export function toPattern(pattern: string): Pattern {
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  return {
    test(text) {
      if (last === undefined) return text === first
      if (!text.startsWith(first)) return false
      const end = text.length - last.length
      let at = first.length
      for (const piece of rest) {
        const found = text.indexOf(piece, at)
        if (found < 0) return false
        at = found + piece.length
      }
      return at <= end && text.endsWith(last)
    },
  }
}
