import { type AgentEvent, callKey } from 'unloop'
import type { AnsweredCall } from '../coding-agents/coding-agent.js'

/** The event with its long texts shortened, so that a journal stays small; two that differ stay different. */
export function shrink(event: AgentEvent): AgentEvent {
  switch (event.type) {
    case 'tool-call':
      return { ...event, args: bounded(event.args) }
    case 'tool-result':
      return { ...event, output: bounded(event.output) }
    case 'prompt':
      return event.text === undefined ? event : { ...event, text: shortText(event.text) }
    case 'text':
    case 'reasoning':
      return { ...event, text: shortText(event.text) }
    default:
      return event
  }
}

/** The same for a call of a round. */
export const shrinkCall = (call: AnsweredCall): AnsweredCall => ({
  ...call,
  args: bounded(call.args),
  output: bounded(call.output),
})

const HEAD = 12_000
const TAIL = 4000
const MAX_DEPTH = 6
const MAX_MEMBERS = 500
const MAX_CHARACTERS = 40_000

/** A value in few characters: with its long texts shortened, or if that is not enough, as a shortened text. */
export function bounded(value: unknown): unknown {
  try {
    const shortened = short(value, 0)
    const text = JSON.stringify(shortened)
    return text === undefined || text.length <= MAX_CHARACTERS ? shortened : shortText(text)
  } catch {
    // nested too deep
    return 'a value that cannot be read'
  }
}

function short(value: unknown, depth: number): unknown {
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
