import type { AgentEvent } from './event.js'
import { addString, endHash, FIXED_SEED, startHash } from './hash.js'
import { toInert } from './inert.js'
import { isProxy } from './is-proxy.js'

/**
 * An event from outside as one that everybody behind this door can read: its fields have their types, its names are
 * short, and no value in it runs code when it is read. `undefined` for what is not an event. Never throws.
 */
export function readEvent(event: unknown): AgentEvent | undefined {
  try {
    if (typeof event !== 'object' || event === null || isProxy(event)) return
    const type = own(event, 'type')
    const agent = own(event, 'agent')
    if (type === 'text' || type === 'reasoning') {
      const text = own(event, 'text')
      if (typeof text !== 'string') return
      // deltas come by the thousand: one that hides nothing is taken as it is
      if (agent === undefined && isRecord(event)) return event as AgentEvent
      return withAgent({ type, text }, agent)
    }
    const at = own(event, 'at')
    const read = readOther(type, event)
    if (read && typeof at === 'number') read.at = at
    return read && withAgent(read, agent)
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
  const name = toName(own(event, 'name'))
  const id = toName(own(event, 'id') ?? '')
  if (name === undefined || id === undefined) return
  const args = toInert(own(event, 'args'))
  return id === '' ? { type: 'tool-call', name, args } : { type: 'tool-call', id, name, args }
}

// an answer is read up to a few hundred members
const MAX_ANSWER = 2000

function readResult(event: object): AgentEvent | undefined {
  const id = toName(own(event, 'id') ?? '')
  const name = toName(own(event, 'name') ?? '')
  if (id === undefined || name === undefined) return
  const result: AgentEvent = {
    type: 'tool-result',
    output: toInert(own(event, 'output'), MAX_ANSWER),
    isError: own(event, 'isError') === true,
  }
  if (id !== '') result.id = id
  if (name !== '') result.name = name
  return result
}

function readPrompt(event: object): AgentEvent | undefined {
  const id = own(event, 'id')
  const text = own(event, 'text') ?? ''
  const model = toName(own(event, 'model') ?? '')
  if (typeof text !== 'string' || model === undefined) return
  if (id === undefined) return { type: 'prompt', text, model }
  return typeof id === 'string' ? { type: 'prompt', id: shortName(id), text, model } : undefined
}

function readHandoff(event: object): AgentEvent | undefined {
  const to = toName(own(event, 'to'))
  const text = own(event, 'text') ?? ''
  if (to === undefined || typeof text !== 'string') return
  return { type: 'handoff', to, text }
}

function readUsage(event: object): AgentEvent | undefined {
  const model = toName(own(event, 'model') ?? '')
  if (model === undefined) return
  return {
    type: 'usage',
    model,
    inputTokens: toCount(own(event, 'inputTokens')),
    cachedTokens: toCount(own(event, 'cachedTokens')),
    outputTokens: toCount(own(event, 'outputTokens')),
  }
}

function withAgent(event: AgentEvent, agent: unknown): AgentEvent | undefined {
  if (agent === undefined) return event
  if (typeof agent !== 'string') return
  event.agent = shortName(agent)
  return event
}

/** The value of a data property of the event itself. */
function own(event: object, name: string): unknown {
  const field = Object.getOwnPropertyDescriptor(event, name)
  return field !== undefined && Object.hasOwn(field, 'value') ? field.value : undefined
}

const isRecord = (event: object) => Object.getPrototypeOf(event) === Object.prototype

const toName = (value: unknown) => (typeof value === 'string' ? shortName(value) : undefined)

const toCount = (value: unknown) => (typeof value === 'number' && value > 0 ? value : 0)

// four times the longest name that a provider takes
const MAX_NAME = 256
const KEPT = 200

/** A name that is not too long to keep; what is cut off is told apart by a hash. */
export function shortName(name: string): string {
  if (name.length <= MAX_NAME) return name
  const hash = startHash(FIXED_SEED)
  addString(hash, name)
  const { a, b } = endHash(hash)
  return `${name.slice(0, KEPT)}…${(a >>> 0).toString(36)}${(b >>> 0).toString(36)}`
}
