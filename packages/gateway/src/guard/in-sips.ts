import type { AgentEvent } from 'unloop'

// A verdict does not depend on how a text is cut. Models write a few characters at a time, and each delta costs the guard as much as a line.
// As long as a line: a chant of several of them is noticed a second later at most.
const SIP = 160

/** The same listener, told of text in longer pieces. `flush` tells what is left. */
export function inSips(see: (event: AgentEvent) => boolean): {
  see(event: AgentEvent): boolean
  flush(): boolean
} {
  let type: 'text' | 'reasoning' = 'text'
  let text = ''

  function flush(): boolean {
    if (text === '') return false
    const event = { type, text }
    text = ''
    return see(event)
  }

  return {
    flush,
    see(event) {
      if (event.type !== 'text' && event.type !== 'reasoning') {
        const isOver = flush()
        return see(event) || isOver
      }
      const isOver = event.type !== type && flush()
      type = event.type
      text += event.text
      return (text.length >= SIP && flush()) || isOver
    },
  }
}
