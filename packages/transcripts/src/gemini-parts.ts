import { isObject, type Json, listOf, objectOf, textOf } from './json.js'
import { requestIn } from './person.js'
import { type Spent, spent } from './spent.js'
import type { Emit } from './stamp.js'

/** Tells what a model said, thought and called, of the parts of a Gemini message. */
export function emitModelParts(content: unknown, emit: Emit): void {
  if (textOf(content)) return emit({ type: 'text', text: content as string })
  for (const part of partsOf(content)) {
    const text = textOf(part.text)
    if (text) emit({ type: part.thought === true ? 'reasoning' : 'text', text })
    const call = objectOf(part.functionCall)
    const name = textOf(call.name)
    const id = textOf(call.id)
    // the API leaves out arguments where there are none
    if (name) emit({ type: 'tool-call', name, args: call.args ?? {}, ...(id && { id }) })
  }
}

/** Tells the answers of tools in the parts of a message of the user, and the request of the person. */
export function emitUserParts(content: unknown, emit: Emit): void {
  let hasResponse = false
  for (const part of partsOf(content)) {
    const response = part.functionResponse
    if (!isObject(response)) continue
    hasResponse = true
    emitResponse(response, emit)
  }
  // what a program adds to an answer of a tool is not a request
  if (hasResponse) return
  const text = requestIn(content)
  if (text !== undefined) emit({ type: 'prompt', text })
}

/** The answer of a tool within the parts that carry it. */
export function responseIn(parts: unknown): { output: unknown; isError: boolean } {
  const responses = partsOf(parts).flatMap(({ functionResponse, text }) =>
    isObject(functionResponse) ? [functionResponse.response] : textOf(text) ? [text] : [],
  )
  if (responses.length === 0) return { output: parts, isError: false }
  return readResponse(responses.length === 1 ? responses[0] : responses)
}

/** Google counts what came from a cache as part of the input, and thoughts apart from the answer. */
export function usageOf(value: unknown): Spent {
  const usage = objectOf(value)
  const { thoughtsTokenCount, promptTokenCount, cachedContentTokenCount } = usage
  const plain = spent(promptTokenCount, cachedContentTokenCount, usage.candidatesTokenCount)
  return { ...plain, output: plain.output + spent(0, 0, thoughtsTokenCount).output }
}

function emitResponse(response: Json, emit: Emit): void {
  const id = textOf(response.id)
  const name = textOf(response.name)
  const { output, isError } = readResponse(response.response)
  emit({
    type: 'tool-result',
    output,
    ...(id && { id }),
    ...(name && { name }),
    ...(isError && { isError }),
  })
}

/** By convention an error stands under `error`, and anything else under `output`. */
function readResponse(response: unknown): { output: unknown; isError: boolean } {
  if (!isObject(response)) return { output: response, isError: false }
  if (response.error !== undefined && response.error !== null) {
    return { output: response.error, isError: true }
  }
  return { output: 'output' in response ? response.output : response, isError: false }
}

const partsOf = (content: unknown): Json[] =>
  (isObject(content) ? [content] : listOf(content)).filter(isObject)
