import type { AgentEvent } from './event.js'

/** Whether an event is one we understand; everything else is passed over. */
export function isAgentEvent(event: unknown): event is AgentEvent {
  if (typeof event !== 'object' || event === null) return false
  const fields = event as Record<string, unknown>
  if (!isTextOrNone(fields.agent)) return false
  switch (fields.type) {
    case 'text':
    case 'reasoning':
      return typeof fields.text === 'string'
    case 'tool-call':
      return typeof fields.name === 'string' && isTextOrNone(fields.id)
    case 'tool-result':
      return isTextOrNone(fields.id) && isTextOrNone(fields.name)
    case 'handoff':
      return typeof fields.to === 'string' && isTextOrNone(fields.text)
    case 'prompt':
      return isTextOrNone(fields.id) && isTextOrNone(fields.text) && isTextOrNone(fields.model)
    case 'turn-start':
    case 'turn-end':
    case 'retry':
    case 'usage':
    case 'compaction':
      return true
    default:
      return false
  }
}

const isTextOrNone = (value: unknown) => value === undefined || typeof value === 'string'
