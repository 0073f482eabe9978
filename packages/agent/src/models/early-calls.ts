import type { LanguageModelV3StreamPart, LanguageModelV3ToolCall } from '@ai-sdk/provider'

/** Finds the calls of a stream that are complete before the SDK reports them. */
export interface EarlyCalls {
  /** The calls that this part completes. */
  see(part: LanguageModelV3StreamPart): LanguageModelV3ToolCall[]
}

interface OpenCall {
  id: string
  name: string
  input: string
  depth: number
  isInString: boolean
  isEscaped: boolean
}

/**
 * Some SDKs report calls only at the end of an answer. A call is complete when its arguments are a whole JSON object, since
 * only white space may follow, or when the next call or text follows its arguments.
 *
 * A call without arguments yet waits for those of a later call: some servers open all calls first.
 */
export function createEarlyCalls(): EarlyCalls {
  let open: OpenCall[] = []

  function close(isClosed: (call: OpenCall, index: number) => boolean): LanguageModelV3ToolCall[] {
    const closed = open.filter(isClosed)
    open = open.filter((call) => !closed.includes(call))
    return closed.map(({ id, name, input }) => ({
      ...{ type: 'tool-call', toolCallId: id, toolName: name, input },
    }))
  }

  return {
    see(part) {
      switch (part.type) {
        case 'tool-input-start': {
          const complete = close((call) => call.input !== '')
          const { id, toolName } = part
          open.push({
            ...{ id, name: toolName, input: '' },
            ...{ depth: 0, isInString: false, isEscaped: false },
          })
          return complete
        }
        case 'tool-input-delta': {
          const at = open.findIndex(({ id }) => id === part.id)
          const call = open[at]
          if (!call || part.delta === '') return []
          const isWhole = append(call, part.delta)
          return close((_, index) => index < at || (index === at && isWhole))
        }
        case 'text-delta':
        case 'reasoning-delta':
          // some servers send blanks between the pieces of a call
          return part.delta.trim() === '' ? [] : close(() => true)
        case 'tool-call':
          // the SDK reports it first, so there is nothing left to find
          open = open.filter(({ id }) => id !== part.toolCallId)
          return []
        default:
          return []
      }
    },
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
  return isEnd && call.depth === 0 && isObject(call.input)
}

function isObject(input: string): boolean {
  if (!input.trimStart().startsWith('{')) return false
  try {
    JSON.parse(input)
    return true
  } catch {
    return false
  }
}
