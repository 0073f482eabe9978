/** The value that a JSON text begins with, even if the text breaks off; what is incomplete is left out. */
export function parsePartial(text: string): unknown {
  const { end, safeEnd, inText, closers } = scan(text)
  if (end >= 0) return parse(text.slice(0, end))
  // a text that breaks off is worth keeping, for it may be most of what there is
  const closed = inText ? parse(`${text.replace(CUT_ESCAPE, '')}"${closers}`) : undefined
  if (closed !== undefined) return closed
  const safe = text.slice(0, safeEnd)
  return parse(safe + scan(safe).closers)
}

/** The value of a JSON text, or undefined if it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const CUT_ESCAPE = /\\(?:u[0-9a-fA-F]{0,3})?$/

/** Where the first value ends, where it can be cut without leaving a half, and what closes it at the end of the text. */
function scan(text: string) {
  const open: string[] = []
  let safeEnd = 0
  let inText = false
  let end = -1
  for (let i = 0; i < text.length && end < 0; i++) {
    const char = text.charCodeAt(i)
    if (inText) {
      if (char === 92) i++
      else if (char === 34) inText = false
    } else if (char === 34) inText = true
    else if (char === 44) safeEnd = i
    else if (char === 123 || char === 91) {
      open.push(char === 123 ? '}' : ']')
      safeEnd = i + 1
    } else if (char === 125 || char === 93) {
      open.pop()
      safeEnd = i + 1
      if (open.length === 0) end = i + 1
    }
  }
  return { end, safeEnd, inText, closers: open.reverse().join('') }
}
