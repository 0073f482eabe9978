import { isObject, type Json, textOf } from './json.js'
import type { Emit } from './stamp.js'

/** Tells what a model said and called, of the content of an Anthropic message. */
export function emitAnswer(content: unknown, emit: Emit): void {
  if (typeof content === 'string') {
    if (content !== '') emit({ type: 'text', text: content })
    return
  }
  if (!Array.isArray(content)) return
  for (const block of content) if (isObject(block)) emitBlock(block, emit)
}

/** Tells the results of tools in the content of a message of the user; false if there are none. */
export function emitResults(content: unknown, emit: Emit): boolean {
  if (!Array.isArray(content)) return false
  let found = false
  for (const block of content) {
    if (!isObject(block) || !isResult(block.type)) continue
    found = true
    emitResult(block, emit)
  }
  return found
}

/** One text of a list of blocks that are all text; the list itself if there is anything else in it. */
export function outputOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  const texts: string[] = []
  for (const block of content) {
    if (!isObject(block) || typeof block.text !== 'string') return content
    texts.push(block.text)
  }
  return texts.length === 1 ? texts[0] : texts.join('\n')
}

const isResult = (type: unknown) => type === 'tool_result' || type === 'mcp_tool_result'

function emitBlock(block: Json, emit: Emit): void {
  switch (block.type) {
    case 'text':
      if (textOf(block.text)) emit({ type: 'text', text: block.text as string })
      return
    case 'thinking':
      if (textOf(block.thinking)) emit({ type: 'reasoning', text: block.thinking as string })
      return
    case 'reasoning':
      if (textOf(block.text)) emit({ type: 'reasoning', text: block.text as string })
      return
    case 'tool_use':
    case 'server_tool_use':
    case 'mcp_tool_use': {
      const name = textOf(block.name)
      if (!name) return
      const id = textOf(block.id)
      emit({ type: 'tool-call', name, args: block.input, ...(id && { id }) })
      return
    }
    default:
      // what a provider's own tool gave back stands in the answer of the model
      if (typeof block.type === 'string' && block.type.endsWith('_tool_result')) {
        emitResult(block, emit)
      }
  }
}

function emitResult(block: Json, emit: Emit): void {
  const id = textOf(block.tool_use_id)
  const { is_error: isError } = block
  emit({
    type: 'tool-result',
    output: outputOf(block.content),
    ...(id && { id }),
    ...(typeof isError === 'boolean' && { isError }),
  })
}
