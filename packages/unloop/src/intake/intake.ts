import type { AgentEvent } from '../event.js'
import { addString, endHash, FIXED_SEED, startHash } from '../reading/hash.js'
import { toInert } from './inert.js'
import { isProxy } from './is-proxy.js'

/**
 * An event from outside in a form that is safe to read: its fields have the right types, its names are short, and
 * reading it runs no code. `undefined` if it is not an event. Never throws.
 */
export function readEvent(event: unknown): AgentEvent | undefined {
  try {
    if (typeof event !== 'object' || event === null || isProxy(event)) return
    const type = own(event, 'type')
    const agent = toName(own(event, 'agent'))
    if (type === 'text' || type === 'reasoning') {
      const text = own(event, 'text')
      if (typeof text !== 'string') return
      return agent === '' ? { type, text } : { type, text, agent }
    }
    const read = readOther(type, event)
    if (!read) return
    const at = own(event, 'at')
    if (isNumber(at)) read.at = at
    if (agent !== '') read.agent = agent
    return read
  } catch {
    return
  }
}

function readOther(type: unknown, event: object): AgentEvent | undefined {
  switch (type) {
    case 'tool-call':
      return readCall(event)
    case 'tool-result':
      return readResult(event)
    case 'prompt':
      return readPrompt(event)
    case 'handoff':
      return readHandoff(event)
    case 'usage':
      return readUsage(event)
    case 'turn-start':
    case 'turn-end':
    case 'retry':
    case 'compaction':
      return { type }
  }
}

function readCall(event: object): AgentEvent | undefined {
  const name = own(event, 'name')
  if (typeof name !== 'string') return
  const call: AgentEvent = {
    type: 'tool-call',
    name: shortName(name),
    args: toInert(own(event, 'args')),
  }
  return withId(call, own(event, 'id'))
}

// only the first members of an answer are read
const MAX_ANSWER = 2000

function readResult(event: object): AgentEvent {
  const result: AgentEvent = {
    type: 'tool-result',
    output: toInert(own(event, 'output'), MAX_ANSWER),
    isError: own(event, 'isError') === true,
  }
  const name = toName(own(event, 'name'))
  if (name !== '') result.name = name
  return withId(result, own(event, 'id'))
}

function readPrompt(event: object): AgentEvent {
  const text = own(event, 'text')
  const prompt: AgentEvent = {
    type: 'prompt',
    text: typeof text === 'string' ? text : '',
    model: toName(own(event, 'model')),
  }
  return withId(prompt, own(event, 'id'))
}

function readHandoff(event: object): AgentEvent | undefined {
  const to = own(event, 'to')
  const text = own(event, 'text')
  if (typeof to !== 'string') return
  return { type: 'handoff', to: shortName(to), text: typeof text === 'string' ? text : '' }
}

const readUsage = (event: object): AgentEvent => ({
  type: 'usage',
  model: toName(own(event, 'model')),
  inputTokens: toCount(own(event, 'inputTokens')),
  cachedTokens: toCount(own(event, 'cachedTokens')),
  outputTokens: toCount(own(event, 'outputTokens')),
})

function withId<Event extends { id?: string }>(event: Event, value: unknown): Event {
  const id = toName(value)
  if (id !== '') event.id = id
  return event
}

/** The value of an own data property of the event. */
function own(event: object, name: string): unknown {
  const field = Object.getOwnPropertyDescriptor(event, name)
  return field !== undefined && Object.hasOwn(field, 'value') ? field.value : undefined
}

/** An optional name: some protocols use numbers; anything else is no name. */
function toName(value: unknown): string {
  if (typeof value === 'string') return shortName(value)
  return isNumber(value) ? String(value) : ''
}

const isNumber = (value: unknown): value is number => Number.isFinite(value)

const toCount = (value: unknown) => (isNumber(value) && value > 0 ? value : 0)

// four times the longest name that a provider accepts
const MAX_NAME = 256
const KEPT = 200

/** A name short enough to keep; a hash stands for the part that is cut off. */
export function shortName(name: string): string {
  if (name.length <= MAX_NAME) return name
  const hash = startHash(FIXED_SEED)
  addString(hash, name)
  const { a, b } = endHash(hash)
  return `${name.slice(0, KEPT)}…${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`
}
