import type { Any } from '../shared/any.js'

interface OpenCall {
  toolCallId: string
  toolName: string
  input: string
  depth: number
  isInString: boolean
  isEscaped: boolean
}

/**
 * Finds the calls that a part of a stream completes, for SDKs that report calls only at the end of an answer: a call is complete
 * when its arguments are a whole object, or when another call or words follow them. One without arguments yet waits for those of
 * a later call, since some servers open all calls first.
 */
export function createEarly(): (part: Any) => Any[] {
  let open: OpenCall[] = []

  function close(isClosed: (call: OpenCall, at: number) => boolean): Any[] {
    const closed = open.filter(isClosed)
    open = open.filter((call) => !closed.includes(call))
    return closed.map(({ toolCallId, toolName, input }) => ({
      type: 'tool-call',
      toolCallId,
      toolName,
      input,
    }))
  }

  return ({ type, id, toolName, toolCallId, delta }) => {
    if (type === 'tool-input-start') {
      const complete = close(({ input }) => input !== '')
      open.push({
        toolCallId: id,
        toolName,
        input: '',
        depth: 0,
        isInString: false,
        isEscaped: false,
      })
      return complete
    }
    if (type === 'tool-input-delta') {
      const at = open.findIndex((call) => call.toolCallId === id)
      const call = open[at]
      if (!call || !delta) return []
      const isWhole = append(call, delta)
      return close((_, index) => index < at || (index === at && isWhole))
    }
    // some servers send blanks between the pieces of a call
    if (/^(text|reasoning)-delta$/.test(type)) return delta?.trim() ? close(() => true) : []
    if (type === 'tool-call') open = open.filter((call) => call.toolCallId !== toolCallId)
    return []
  }
}

/** Adds to the arguments, reading each character once; true if they are a whole object now. */
function append(call: OpenCall, delta: string): boolean {
  call.input += delta
  let isEnd = false
  for (const character of delta) {
    if (call.isEscaped) call.isEscaped = false
    else if (call.isInString) {
      if (character === '\\') call.isEscaped = true
      else if (character === '"') call.isInString = false
    } else if (character === '"') call.isInString = true
    else if (character === '{' || character === '[') call.depth++
    else if (character === '}' || character === ']') isEnd = --call.depth === 0
  }
  return isEnd && call.depth === 0
}
