import { outputOf } from './anthropic-blocks.js'
import { argsOf, isObject, type Json, listOf, numberOf, objectOf, textOf } from './json.js'
import { parse } from './partial-json.js'
import { requestIn } from './person.js'
import type { Emit } from './stamp.js'

/** Tells items in order, with a `turn-start` before each answer of the model. */
export interface Items {
  take(item: Json, emit: Emit): void
  /** The answer is over, if there was one: what the model says next is another. */
  endAnswer(): void
}

/** An answer of the model is all that it thought, said and called between two inputs: requests, or results of tools. */
export function createItems(): Items {
  let isAnswering = false
  return {
    take(item, emit) {
      if (isInput(item)) isAnswering = false
      else if (!isAnswering && isAnswer(item)) {
        isAnswering = true
        emit({ type: 'turn-start' })
      }
      emitItem(item, emit)
    },
    endAnswer() {
      isAnswering = false
    },
  }
}

const isMessageOf = ({ type, role }: Json, who: string) =>
  (type === 'message' || type === undefined) && role === who

const isInput = (item: Json) =>
  (typeof item.type === 'string' && item.type.endsWith('_output')) || isMessageOf(item, 'user')

const isAnswer = (item: Json) =>
  (typeof item.type === 'string' && (item.type.endsWith('_call') || item.type === 'reasoning')) ||
  isMessageOf(item, 'assistant')

/** Tells the events of one item of OpenAI's Responses API, as it stands in requests, answers and rollouts. */
function emitItem(item: Json, emit: Emit): void {
  switch (item.type) {
    case 'message':
    case undefined:
      return emitMessage(item, emit)
    case 'reasoning':
      return emitReasoning(item, emit)
    case 'function_call':
    case 'mcp_call':
      return emitCall(item, textOf(item.name), argsOf(item.arguments), emit)
    case 'custom_tool_call':
      return emitCall(item, textOf(item.name), item.input, emit)
    case 'local_shell_call':
    case 'shell_call':
      return emitCall(item, 'shell', item.action, emit)
    case 'web_search_call':
      return emitCall(item, 'web_search', item.action, emit)
    case 'tool_search_call':
      return emitCall(item, 'tool_search', argsOf(item.arguments), emit)
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output':
    case 'shell_call_output':
    case 'tool_search_output':
      return emitOutput(item, emit)
  }
}

function emitMessage(item: Json, emit: Emit): void {
  if (item.role === 'user') {
    const text = requestIn(item.content)
    if (text !== undefined) emit({ type: 'prompt', text })
    return
  }
  if (item.role !== 'assistant') return
  if (textOf(item.content)) return emit({ type: 'text', text: item.content as string })
  for (const part of listOf(item.content)) {
    const text = isObject(part) ? (textOf(part.text) ?? textOf(part.refusal)) : undefined
    if (text !== undefined) emit({ type: 'text', text })
  }
}

function emitReasoning(item: Json, emit: Emit): void {
  const full = listOf(item.content)
  for (const part of full.length > 0 ? full : listOf(item.summary)) {
    const text = isObject(part) ? textOf(part.text) : undefined
    if (text !== undefined) emit({ type: 'reasoning', text })
  }
}

function emitCall(item: Json, name: string | undefined, args: unknown, emit: Emit): void {
  if (name === undefined) return
  const id = textOf(item.call_id) ?? textOf(item.id)
  const namespace = textOf(item.namespace)
  const full = namespace ? `${namespace}.${name}` : name
  emit({ type: 'tool-call', name: full, args, ...(id && { id }) })
  // what runs at the provider is called and answered in one item
  const { output, error } = item
  if (output === undefined && !error) return
  emit({
    type: 'tool-result',
    output: error || output,
    ...(id && { id }),
    ...(error ? { isError: true } : {}),
  })
}

function emitOutput(item: Json, emit: Emit): void {
  const id = textOf(item.call_id)
  const { output, isError } = readOutput(item.output ?? item.tools)
  emit({
    type: 'tool-result',
    output,
    ...(id && { id }),
    ...(isError !== undefined && { isError }),
  })
}

/** The format has no flag for errors, but some programs write the exit code of a command into the output. */
function readOutput(value: unknown): { output: unknown; isError?: boolean } {
  if (isObject(value) && ('content' in value || 'content_items' in value)) {
    const output = outputOf(value.content_items ?? value.content)
    return typeof value.success === 'boolean' ? { output, isError: !value.success } : { output }
  }
  if (typeof value !== 'string') return { output: outputOf(value) }
  if (value.startsWith('{"output":')) {
    const wrapped = objectOf(parse(value))
    const code = numberOf(objectOf(wrapped.metadata).exit_code)
    if (code !== undefined) return { output: wrapped.output, isError: code !== 0 }
  }
  const head = value.slice(0, 400)
  if (!head.includes('xit')) return { output: value }
  const code = EXIT_CODE.exec(head)?.[1]
  return code === undefined ? { output: value } : { output: value, isError: code !== '0' }
}

// within the first five lines
const EXIT_CODE = /^(?:.*\n){0,4}(?:Exit code: |Process exited with code )(-?\d+)/
