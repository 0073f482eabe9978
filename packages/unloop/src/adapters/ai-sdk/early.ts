import type { Any } from '../shared/any.js'

interface OpenCall {
  call: Any
  depth: number
  isInString: boolean
  isEscaped: boolean
}

/**
 * Finds the call that a part of a stream of the AI SDK completes, for SDKs that report calls only at the end of an answer: one whose
 * arguments are a whole JSON object, since only white space may follow. All others wait for the SDK's own report: whether more
 * of them follows is not known, as some servers send the pieces of several calls by turns, and some arguments are no JSON.
 */
export function createEarlyCalls(): (part: Any) => Any {
  const open = new Map<string, OpenCall>()

  return ({ type, id, toolCallId, delta = '', ...start }) => {
    // what the provider runs itself has begun, and its answer is still to come
    if (type === 'tool-input-start' && !start.providerExecuted) {
      const call = { ...start, type: 'tool-call', toolCallId: id, input: '' }
      open.set(id, { call, depth: 0, isInString: false, isEscaped: false })
    }
    // the SDK reports it first, so there is nothing left to find
    if (type === 'tool-call') open.delete(toolCallId)
    const found = type === 'tool-input-delta' ? open.get(id) : undefined
    if (!found || append(found, delta)) return
    open.delete(id)
    return isObject(found.call.input) ? found.call : undefined
  }
}

/** Adds to the arguments, reading each character once; false if they are an object now or can never be one. */
function append(open: OpenCall, delta: string): boolean {
  open.call.input += delta
  for (const character of delta) {
    if (open.isEscaped) open.isEscaped = false
    else if (open.isInString) {
      if (character === '\\') open.isEscaped = true
      else if (character === '"') open.isInString = false
    } else if (character === '"') open.isInString = true
    else if (character === '{' || character === '[') open.depth++
    else if (character === '}' || character === ']') open.depth--
    if (open.depth <= 0 && character.trim()) return false
  }
  return true
}

function isObject(text: string): boolean {
  try {
    return text.trimStart().startsWith('{') && Boolean(JSON.parse(text))
  } catch {
    return false
  }
}
