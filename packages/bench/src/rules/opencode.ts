import type { Rule } from './rule.js'

/**
 * opencode (November 2026): the last three parts of one assistant message are calls of the same tool with the same
 * arguments as written. A new step of the model is a new message, and any text in between is a part of its own. It asks
 * the person.
 */
export const openCodeRule: Rule = {
  name: 'opencode rule',
  start() {
    let parts: string[] = []
    let isText = false
    return (event) => {
      if (event.type === 'prompt' || event.type === 'turn-start') [parts, isText] = [[], false]
      if ((event.type === 'text' || event.type === 'reasoning') && !isText) {
        parts.push('text')
        isText = true
      }
      if (event.type !== 'tool-call') return undefined
      isText = false
      parts.push(`call ${event.name} ${JSON.stringify(event.args)}`)
      const [a, b, c] = parts.slice(-3)
      return c !== undefined && a === b && b === c ? { what: event.name, stops: true } : undefined
    }
  },
}
