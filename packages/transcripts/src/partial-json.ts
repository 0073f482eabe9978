/** The value that a JSON text begins with, even if the text breaks off; what is incomplete is left out. */
export function parsePartial(text: string): unknown {
  const closers: string[] = []
  let safe = ''
  let safeEnd = 0
  let inText = false
  for (let i = 0; i < text.length; i++) {
    const char = text.charCodeAt(i)
    if (inText) {
      if (char === 92) i++
      else if (char === 34) inText = false
      continue
    }
    if (char === 34) inText = true
    else if (char === 123 || char === 91) {
      closers.push(char === 123 ? '}' : ']')
      safeEnd = i + 1
      safe = closers.toReversed().join('')
    } else if (char === 125 || char === 93) {
      closers.pop()
      if (closers.length === 0) return parse(text.slice(0, i + 1))
      safeEnd = i + 1
      safe = closers.toReversed().join('')
    } else if (char === 44) {
      safeEnd = i
      safe = closers.toReversed().join('')
    }
  }
  const open = closers.toReversed().join('')
  // a text that breaks off is worth keeping, for it may be most of what there is
  const closed = inText ? parse(`${text.replace(CUT_ESCAPE, '')}"${open}`) : undefined
  return closed ?? parse(text.slice(0, safeEnd) + safe)
}

const CUT_ESCAPE = /\\(?:u[0-9a-fA-F]{0,3})?$/

/** The value of a JSON text, or undefined if it is none. */
export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
