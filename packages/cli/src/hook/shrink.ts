import { type AgentEvent, callKey } from 'unloop'

/** The event with its long texts shortened, so that a journal stays small; two that differ stay different. */
export function shrink(event: AgentEvent): AgentEvent {
  switch (event.type) {
    case 'tool-call':
      return { ...event, args: short(event.args) }
    case 'tool-result':
      return { ...event, output: short(event.output) }
    case 'prompt':
      return event.text === undefined ? event : { ...event, text: shortText(event.text) }
    case 'text':
    case 'reasoning':
      return { ...event, text: shortText(event.text) }
    default:
      return event
  }
}

// the engine reads less of an answer to tell it from others
const HEAD = 24_000
const TAIL = 8000
const MAX_DEPTH = 6
const MAX_MEMBERS = 500

/** A value with its long texts shortened. */
export function short(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return shortText(value)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value)
  if (depth >= MAX_DEPTH || entries.length > MAX_MEMBERS) return shortText(JSON.stringify(value))
  if (Array.isArray(value)) return value.map((member) => short(member, depth + 1))
  return Object.fromEntries(entries.map(([name, member]) => [name, short(member, depth + 1)]))
}

function shortText(text: string): string {
  if (text.length <= HEAD + TAIL) return text
  const key = callKey('', text)
  return `${text.slice(0, HEAD)}\n[${text.length} characters, ${key}]\n${text.slice(-TAIL)}`
}
