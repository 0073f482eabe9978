import { createContext, Script } from 'node:vm'

export interface Match {
  /** its number, the first being 1 */
  line: number
  text: string
}

export interface Matcher {
  /** whether the pattern was no regular expression and is looked for as it is */
  isPlain: boolean
  find(text: string, limit: number): Match[]
}

// a file of two megabytes takes a tenth of it with an honest pattern
const LIMIT_MS = 1000

/** Finds lines by a pattern of a model, which may take for ever: it runs where it can be stopped. */
export function createMatcher(pattern: string): Matcher {
  const { expression, isPlain } = toExpression(pattern)
  const context = createContext({ expression })
  return {
    isPlain,
    find(text, limit) {
      Object.assign(context, { text, limit })
      try {
        return FIND.runInContext(context, { timeout: LIMIT_MS })
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
        throw new Error(`the pattern takes too long, use a simpler one: ${pattern}`)
      }
    },
  }
}

const FIND = new Script(`(() => {
  const found = []
  text.split(/\\r?\\n/).some((text, index) => {
    if (expression.test(text)) found.push({ line: index + 1, text })
    return found.length >= limit
  })
  return found
})()`)

function toExpression(pattern: string): { expression: RegExp; isPlain: boolean } {
  try {
    return { expression: new RegExp(pattern), isPlain: false }
  } catch {
    const plain = pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    return { expression: new RegExp(plain), isPlain: true }
  }
}
