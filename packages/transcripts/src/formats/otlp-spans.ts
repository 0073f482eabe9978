import { brief } from '../brief.js'
import type { Sink } from '../format.js'
import { isObject, type Json, listOf, objectOf, textOf } from '../json.js'
import { createRecent, type Recent } from '../recent.js'
import { emitSpent, spent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Run } from '../transcript.js'

/** A span with its attributes as plain values. */
export interface Span {
  trace: string
  start: number
  end: number
  failed: boolean
  attributes: Json
}

interface Conversation {
  run: Run
  /** the agent that talks to the person */
  agent: string
  /** in brief */
  request: string | undefined
  called: Recent<true>
  answered: Recent<true>
}

// traces that are written at the same time
const OPEN = 256
const CHATS = new Set(['chat', 'generate_content', 'text_completion'])

/** Reads spans of models and tools; one conversation, or else one trace, is a run. */
export function createSpanReader(sink: Sink) {
  const conversations = createRecent<Conversation>(OPEN)

  function conversationOf({ trace, start, attributes }: Span): Conversation {
    const id = brief(textOf(attributes['gen_ai.conversation.id']) ?? trace)
    const known = conversations.get(id)
    if (known) return known
    const run = sink.run({ session: id, ...(start > 0 && { startedAt: start }) })
    const agent = brief(textOf(attributes['gen_ai.agent.name']) ?? '')
    const made = {
      run,
      agent,
      request: undefined,
      called: createRecent<true>(OPEN),
      answered: createRecent<true>(OPEN),
    }
    conversations.set(id, made)
    return made
  }

  return (span: Span): void => {
    const { attributes } = span
    const operation = attributes['gen_ai.operation.name']
    const isTool = operation === 'execute_tool' || toolOf(attributes) !== undefined
    const isChat = CHATS.has(operation as string)
    if (!isTool && !isChat) return
    const conversation = conversationOf(span)
    const agent = textOf(attributes['gen_ai.agent.name'])
    const other = brief(agent ?? '') === conversation.agent ? undefined : agent
    const emitAt = (at: number) => stamp(sink, conversation.run, at > 0 ? at : undefined, other)
    if (isTool) return emitTool(span, conversation, emitAt(span.start), emitAt(span.end))
    emitChat(attributes, conversation, emitAt(span.start))
  }
}

/** The name of a tool, as the convention names it, or the libraries from before it. */
const toolOf = (attributes: Json) =>
  textOf(attributes['ai.toolCall.name']) ??
  (attributes['openinference.span.kind'] === 'TOOL' ? textOf(attributes['tool.name']) : undefined)

function emitTool(
  { attributes, failed }: Span,
  { called, answered }: Conversation,
  emit: Emit,
  emitEnd: Emit,
): void {
  const name = textOf(attributes['gen_ai.tool.name']) ?? toolOf(attributes)
  if (!name) return
  const id = textOf(attributes['gen_ai.tool.call.id']) ?? textOf(attributes['ai.toolCall.id'])
  const args =
    attributes['gen_ai.tool.call.arguments'] ??
    attributes['ai.toolCall.args'] ??
    attributes['input.value']
  if (!id || !called.get(id)) emit({ type: 'tool-call', name, args, ...(id && { id }) })
  const error = textOf(attributes['error.type'])
  const output =
    attributes['gen_ai.tool.call.result'] ??
    attributes['ai.toolCall.result'] ??
    attributes['output.value']
  const isError = failed || error !== undefined
  if (id) called.set(id, true)
  if (id) answered.set(id, true)
  emitEnd({ type: 'tool-result', name, output: output ?? error, isError, ...(id && { id }) })
}

function emitChat(attributes: Json, conversation: Conversation, emit: Emit): void {
  const { run } = conversation
  const model =
    textOf(attributes['gen_ai.response.model']) ?? textOf(attributes['gen_ai.request.model'])
  if (model) run.model = brief(model)
  emitInput(listOf(attributes['gen_ai.input.messages']).filter(isObject), conversation, emit)
  emit({ type: 'turn-start' })
  for (const message of listOf(attributes['gen_ai.output.messages']).filter(isObject)) {
    for (const part of listOf(message.parts).filter(isObject)) emitPart(part, conversation, emit)
  }
  const usage = spent(
    attributes['gen_ai.usage.input_tokens'] ?? attributes['gen_ai.usage.prompt_tokens'],
    attributes['gen_ai.usage.cache_read.input_tokens'],
    attributes['gen_ai.usage.output_tokens'] ?? attributes['gen_ai.usage.completion_tokens'],
  )
  emitSpent(emit, usage, undefined, model)
}

/** The input carries the whole history each time; what stands behind the last answer is new. */
function emitInput(messages: Json[], conversation: Conversation, emit: Emit): void {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  for (const message of messages.slice(last + 1)) {
    for (const part of listOf(message.parts).filter(isObject)) {
      if (part.type === 'tool_call_response') emitResponse(part, conversation, emit)
      const text =
        message.role === 'user' && part.type === 'text' ? textOf(part.content) : undefined
      if (text === undefined || brief(text) === conversation.request) continue
      conversation.request = brief(text)
      emit({ type: 'prompt', text })
    }
  }
}

function emitPart(part: Json, { called }: Conversation, emit: Emit): void {
  const text = textOf(part.content)
  if (part.type === 'text' && text) return emit({ type: 'text', text })
  if (part.type === 'reasoning' && text) return emit({ type: 'reasoning', text })
  const name = textOf(part.name)
  if (part.type !== 'tool_call' || !name) return
  const id = textOf(part.id)
  if (id && called.get(id)) return
  if (id) called.set(id, true)
  emit({ type: 'tool-call', name, args: part.arguments, ...(id && { id }) })
}

function emitResponse(part: Json, { answered }: Conversation, emit: Emit): void {
  const id = textOf(part.id)
  if (id && answered.get(id)) return
  if (id) answered.set(id, true)
  const output = part.response ?? part.result
  emit({ type: 'tool-result', output, ...(id && { id }), ...errorIn(output) })
}

const errorIn = (output: unknown) => (objectOf(output).isError === true ? { isError: true } : {})
