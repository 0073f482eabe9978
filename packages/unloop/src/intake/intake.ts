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
    const id = toName(own(event, 'id'))
    if (isNumber(at)) read.at = at
    if (id !== '') (read as { id?: string }).id = id
    if (agent !== '') read.agent = agent
    return read
  } catch {
    return
  }
}

// only the first members of an answer are read
const MAX_ANSWER = 2000

function readOther(type: unknown, event: object): AgentEvent | undefined {
  switch (type) {
    case 'tool-call': {
      const name = own(event, 'name')
      if (typeof name !== 'string') return
      return { type, name: shortName(name), args: toInert(own(event, 'args')) }
    }
    case 'tool-result': {
      const name = toName(own(event, 'name'))
      return {
        type,
        output: toInert(own(event, 'output'), MAX_ANSWER),
        isError: own(event, 'isError') === true,
        ...(name !== '' && { name }),
      }
    }
    case 'prompt':
      return { type, text: textOf(event), model: toName(own(event, 'model')) }
    case 'handoff': {
      const to = own(event, 'to')
      return typeof to === 'string' ? { type, to: shortName(to), text: textOf(event) } : undefined
    }
    case 'usage':
      return {
        type,
        model: toName(own(event, 'model')),
        inputTokens: toCount(own(event, 'inputTokens')),
        cachedTokens: toCount(own(event, 'cachedTokens')),
        outputTokens: toCount(own(event, 'outputTokens')),
      }
    case 'turn-start':
    case 'turn-end':
    case 'retry':
    case 'compaction':
      return { type }
  }
}

function textOf(event: object): string {
  const text = own(event, 'text')
  return typeof text === 'string' ? text : ''
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
