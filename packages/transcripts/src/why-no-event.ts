import type { AgentEventType } from 'unloop'
import { isObject, isTime, type Json } from './json.js'

/** Why a value is not one of unloop's events; undefined if it is one. */
export function whyNoEvent(value: unknown): string | undefined {
  if (!isObject(value)) return 'not an object'
  const unlike = whyUnlike(value)
  if (unlike !== undefined) return unlike
  const { type } = value
  // one by one, for this is asked of every line
  const { at, id, agent, name, model, text, to } = value
  if (at !== undefined && !isTime(at)) return `${type} whose at is not a time`
  if (type === 'usage') {
    const wrong = COUNTS.find((member) => !isCountOrNone(value[member]))
    if (wrong) return `${type} whose ${wrong} is not a number of at least 0`
  }
  if (
    isTextOrNone(id) &&
    isTextOrNone(agent) &&
    isTextOrNone(name) &&
    isTextOrNone(model) &&
    isTextOrNone(text) &&
    isTextOrNone(to)
  )
    return
  const wrong = TEXTS.find((member) => !isTextOrNone(value[member]))
  return `${type} whose ${wrong} is not a text`
}

/** Why an object is not even meant to be an event; undefined if it has the type of one and what that needs. */
export function whyUnlike(value: Json): string | undefined {
  const { type } = value
  if (typeof type !== 'string') return 'no type'
  if (!Object.hasOwn(NEEDED, type)) return `no event is called ${JSON.stringify(type.slice(0, 40))}`
  const needed = NEEDED[type as AgentEventType]
  if (needed !== '' && typeof value[needed] !== 'string') return `${type} without ${needed}`
}

/** The text an event of each type cannot be without. */
const NEEDED: Record<AgentEventType, '' | 'text' | 'name' | 'to'> = {
  prompt: '',
  'turn-start': '',
  'turn-end': '',
  text: 'text',
  reasoning: 'text',
  'tool-call': 'name',
  'tool-result': '',
  retry: '',
  usage: '',
  handoff: 'to',
  compaction: '',
}

const TEXTS = ['id', 'agent', 'name', 'model', 'text', 'to']

const COUNTS = [
  ...['inputTokens', 'cachedTokens', 'cacheWriteTokens', 'cacheWriteHourTokens'],
  ...['outputTokens', 'contextTokens', 'cost'],
]

const isCountOrNone = (value: unknown) =>
  value === undefined || (typeof value === 'number' && value >= 0 && value < Infinity)

const isTextOrNone = (value: unknown) => value === undefined || typeof value === 'string'
