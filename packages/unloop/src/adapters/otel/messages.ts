import { fromJsonText } from '../../reading/call-key.js'
import type { Any } from '../shared/any.js'
import { textOf } from '../shared/words.js'

/** What a model was given and what it said, wherever a span carries it. */
export function messagesOf({ attributes, events }: Any): { input: Any[]; output: Any[] } {
  const input: Any[] = []
  const output: Any[] = []
  for (const source of [attributes, ...events.map((event: Any) => event.attributes ?? {})]) {
    // today's convention, that of 2024, and the AI SDK's own
    for (const key of ['gen_ai.input.messages', 'gen_ai.prompt', 'ai.prompt.messages']) {
      input.push(...listOf(source[key]))
    }
    for (const key of ['gen_ai.output.messages', 'gen_ai.completion']) {
      output.push(...listOf(source[key]))
    }
  }
  // an event a message, as in 2025
  for (const { name, attributes: given = {} } of events) {
    const [, role] = /^gen_ai\.(user|assistant|tool|choice)(?:\.message)?$/.exec(name) ?? []
    if (!role) continue
    const body = { ...given, ...parsed(given['gen_ai.event.content']) }
    if (role === 'choice') output.push({ ...body, ...parsed(body.message) })
    else input.push({ role, ...body })
  }
  input.push(...numbered(attributes, 'prompt'))
  output.push(...numbered(attributes, 'completion'))
  const { 'ai.response.text': content, 'ai.response.reasoning': thought } = attributes
  if (thought) output.push({ parts: [{ type: 'reasoning', content: thought }] })
  if (content) output.push({ content })
  output.push({ tool_calls: attributes['ai.response.toolCalls'] })
  return { input, output }
}

/** The parts of a message as today's convention has them. */
export function partsOf({ role, parts, content, tool_calls: calls, id, tool_call_id }: Any): Any[] {
  if (Array.isArray(parts)) return parts
  if (role === 'tool') {
    return [{ type: 'tool_call_response', id: tool_call_id ?? id, response: content }]
  }
  const text = textOf(parsed(content)) || textOf(content)
  const asked = listOf(calls).map((call) => ({
    type: 'tool_call',
    id: call.id ?? call.toolCallId,
    name: call.function?.name ?? call.name ?? call.toolName,
    arguments: call.function?.arguments ?? call.arguments ?? call.input,
  }))
  return text ? [{ type: 'text', content: text }, ...asked] : asked
}

/** Messages as attributes with numbers in their names: `gen_ai.prompt.0.content`. */
function numbered(attributes: Any, kind: string): Any[] {
  const root = Object.create(null)
  for (const [key, value] of Object.entries(attributes)) {
    if (!key.startsWith(`gen_ai.${kind}.`)) continue
    const path = key.split('.').slice(2)
    const last = path.pop() as string
    let place = root
    for (const step of path) {
      place[step] ??= Object.create(null)
      place = place[step]
    }
    place[last] = value
  }
  return listOf(root)
}

const parsed = (value: unknown): Any => fromJsonText(value)

/** The objects of a list, be it JSON text or an object whose keys are numbers. */
function listOf(value: unknown): Any[] {
  const list = parsed(value)
  return isObject(list) ? Object.values(list).filter(isObject) : []
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
