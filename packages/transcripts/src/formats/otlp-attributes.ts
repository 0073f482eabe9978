import { argsOf, isObject, type Json, listOf, numberOf, objectOf, textOf } from '../json.js'
import { parse } from '../partial-json.js'
import { count, type Spent, spent } from '../spent.js'

/** What a span is about, in the words of whichever library wrote it. */
export function kindOf(attributes: Json): 'model' | 'tool' | 'agent' | undefined {
  const operation = textOf(attributes['gen_ai.operation.name'])
  if (operation !== undefined && OPERATIONS[operation]) return OPERATIONS[operation]
  const { 'openinference.span.kind': open, 'traceloop.span.kind': loop } = attributes
  if (textOf(attributes['ai.toolCall.name']) || open === 'TOOL' || loop === 'tool') return 'tool'
  if (open === 'AGENT' || loop === 'agent') return 'agent'
  const id = textOf(attributes['ai.operationId']) ?? ''
  // the spans around these have the same tokens
  if (open === 'LLM' || id.endsWith('.doGenerate') || id.endsWith('.doStream')) return 'model'
  const request = attributes['llm.request.type']
  return request === 'chat' || request === 'completion' ? 'model' : undefined
}

export interface ToolFacts {
  name: string | undefined
  id: string | undefined
  args: unknown
  output: unknown
}

export function toolOf(attributes: Json): ToolFacts {
  const first = (...names: string[]) =>
    names.map((name) => attributes[name]).find((value) => value !== undefined)
  const own = attributes['traceloop.span.kind'] === 'tool'
  return {
    name: textOf(
      first('gen_ai.tool.name', 'ai.toolCall.name', 'tool.name') ??
        (own ? attributes['traceloop.entity.name'] : undefined),
    ),
    id: textOf(first('gen_ai.tool.call.id', 'ai.toolCall.id', 'tool_call.id')),
    args: first(
      ...['gen_ai.tool.call.arguments', 'ai.toolCall.args', 'ai.toolCall.input'],
      ...['input.value', 'traceloop.entity.input'],
    ),
    output: first(
      ...['gen_ai.tool.call.result', 'ai.toolCall.result', 'ai.toolCall.output'],
      ...['output.value', 'traceloop.entity.output'],
    ),
  }
}

/** The messages that a model was given; each has a role and parts, as the convention of today has them. */
export const inputIn = (attributes: Json): Json[] =>
  firstOf(
    messagesIn(attributes['gen_ai.input.messages']),
    indexed(attributes, 'llm.input_messages').map(({ message }) => fromChat(objectOf(message))),
    indexed(attributes, 'gen_ai.prompt').map(fromChat),
    messagesIn(attributes['ai.prompt.messages']),
    messagesIn(objectOf(attributes['input.value']).messages),
  )

/** What it answered. */
export const answerIn = (attributes: Json): Json[] =>
  firstOf(
    messagesIn(attributes['gen_ai.output.messages']),
    indexed(attributes, 'llm.output_messages').map(({ message }) => fromChat(objectOf(message))),
    indexed(attributes, 'gen_ai.completion').map(fromChat),
    fromSdk(attributes),
    isObject(attributes['output.value']) ? [fromChat(attributes['output.value'])] : [],
  )

export const modelIn = (attributes: Json): string | undefined =>
  MODELS.map((name) => textOf(attributes[name])).find((name) => name !== undefined)

export function spentIn(attributes: Json): Spent {
  const first = (names: readonly string[]) =>
    names.map((name) => attributes[name]).find((value) => numberOf(value) !== undefined)
  const plain = spent(first(INPUT), first(CACHED), first(OUTPUT))
  const written = count(first(WRITTEN))
  const cost = numberOf(first(COST))
  return {
    ...plain,
    // some count what came from a cache apart from the input
    input:
      plain.cached + written > plain.input ? plain.input + plain.cached + written : plain.input,
    written,
    ...(cost !== undefined && cost > 0 && { cost }),
  }
}

const OPERATIONS: Record<string, 'model' | 'tool' | 'agent'> = Object.assign(Object.create(null), {
  chat: 'model',
  generate_content: 'model',
  text_completion: 'model',
  execute_tool: 'tool',
  invoke_agent: 'agent',
})
const MODELS = [
  ...['gen_ai.response.model', 'gen_ai.request.model', 'llm.model_name', 'ai.response.model'],
  'ai.model.id',
]
const INPUT = [
  ...['gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.token_count.prompt'],
  ...['ai.usage.inputTokens', 'ai.usage.promptTokens'],
]
const OUTPUT = [
  ...['gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens', 'llm.token_count.completion'],
  ...['ai.usage.outputTokens', 'ai.usage.completionTokens'],
]
const CACHED = [
  ...['gen_ai.usage.cache_read.input_tokens', 'gen_ai.usage.cache_read_input_tokens'],
  ...['gen_ai.usage.input_tokens.cached', 'llm.token_count.prompt_details.cache_read'],
  'ai.usage.cachedInputTokens',
]
const WRITTEN = [
  ...['gen_ai.usage.cache_creation.input_tokens', 'gen_ai.usage.cache_creation_input_tokens'],
  'llm.token_count.prompt_details.cache_write',
]
const COST = ['gen_ai.usage.cost', 'llm.cost.total', 'gen_ai.usage.total_cost']

const firstOf = (...lists: Json[][]): Json[] => lists.find((list) => list.length > 0) ?? []

const messagesIn = (value: unknown): Json[] =>
  listOf(typeof value === 'string' ? parse(value) : value)
    .filter(isObject)
    .map((message) => (Array.isArray(message.parts) ? message : fromChat(message)))

/** A message of a chat, or of a library whose lists are objects by now, as role and parts. */
function fromChat(message: Json): Json {
  const parts: Json[] = []
  const { role, content, tool_call_id: answered } = message
  if (answered !== undefined)
    parts.push({ type: 'tool_call_response', id: answered, response: content })
  else {
    for (const text of textsIn(message)) parts.push({ type: 'text', content: text })
    for (const part of listOf(content).filter(isObject)) parts.push(...partsOf(part))
  }
  for (const one of valuesOf(message.tool_calls).filter(isObject)) {
    const call = objectOf(one.tool_call ?? one)
    const { name, arguments: args, args: others } = objectOf(call.function ?? call)
    parts.push({ type: 'tool_call', id: call.id, name, arguments: argsOf(args ?? others) })
  }
  return { role, parts }
}

function textsIn({ content, contents }: Json): string[] {
  if (textOf(content)) return [content as string]
  const told = valuesOf(contents).map((one) => objectOf(objectOf(one).message_content).text)
  return [...listOf(content).map((part) => objectOf(part).text), ...told].flatMap(
    (text) => textOf(text) ?? [],
  )
}

/** Calls and their answers in the parts of the AI SDK. */
function partsOf(part: Json): Json[] {
  const { toolCallId: id, toolName: name } = part
  if (part.type === 'tool-call') {
    return [{ type: 'tool_call', id, name, arguments: argsOf(part.input ?? part.args) }]
  }
  if (part.type !== 'tool-result') return []
  return [{ type: 'tool_call_response', id, response: part.output ?? part.result }]
}

function fromSdk(attributes: Json): Json[] {
  const text = textOf(attributes['ai.response.text'])
  const called = attributes['ai.response.toolCalls']
  const calls = listOf(typeof called === 'string' ? parse(called) : called).filter(isObject)
  const parts = [
    ...(text ? [{ type: 'text', content: text }] : []),
    ...calls.flatMap((call) => partsOf({ ...call, type: 'tool-call' })),
  ]
  return parts.length > 0 ? [{ role: 'assistant', parts }] : []
}

/** `prefix.0.role`, `prefix.0.content`, `prefix.1.role`: a list that was written as attributes. */
function indexed(attributes: Json, prefix: string): Json[] {
  const found = new Map<number, Json>()
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith(prefix)) continue
    const [first = '', index = '', ...path] = key.slice(prefix.length).split('.', MAX_PATH)
    if (first !== '' || !/^\d{1,6}$/.test(index) || path.length === 0) continue
    const place = found.get(Number(index)) ?? Object.create(null)
    found.set(Number(index), place)
    put(place, path, value)
  }
  return [...found.entries()].sort(([a], [b]) => a - b).map(([, one]) => one)
}

// `message.contents.0.message_content.text` and its like
const MAX_PATH = 12

function put(place: Json, path: readonly string[], value: unknown): void {
  let at = place
  for (const part of path.slice(0, -1)) {
    if (!isObject(at[part])) at[part] = Object.create(null)
    at = at[part] as Json
  }
  at[path.at(-1) as string] = value
}

/** The elements of a list, which may have become an object with numbers as its keys. */
const valuesOf = (value: unknown): readonly unknown[] =>
  isObject(value) ? Object.values(value) : listOf(value)
