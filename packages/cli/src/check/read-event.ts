import type { ClientEventType } from '@unloop/agent'
import { whyNoEvent } from '@unloop/transcripts'
import type { AgentEvent, AgentEventType, Finding } from 'unloop'
import { STATES } from '../words.js'

/** What a line turned out to be. */
export type ReadLine =
  | { type: 'event'; event: AgentEvent }
  | { type: 'version'; version: unknown }
  /** a loop that the chat has told of */
  | { type: 'recorded'; finding: Finding }
  /** empty, or something the chat tells that is not for the guard */
  | { type: 'passed-over' }
  | { type: 'bad'; reason: string }

/** Reads one line of `*.events.jsonl`. */
export function readEvent(text: string): ReadLine {
  if (text.trim() === '') return { type: 'passed-over' }
  let value: unknown
  try {
    value = JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
  } catch {
    return bad('not JSON')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return bad('not an object')
  }
  const fields = value as Record<string, unknown>
  const { type } = fields
  if (type === undefined && 'unloop' in fields) return { type: 'version', version: fields.unloop }
  if (typeof type === 'string' && Object.hasOwn(OTHERS, type)) {
    const { finding } = fields
    if (!isFinding(finding)) return { type: 'passed-over' }
    // before there were two of them, each was a certain one
    return { type: 'recorded', finding: { ...finding, certainty: finding.certainty ?? 'certain' } }
  }
  const reason = whyNoEvent(value)
  return reason === undefined ? { type: 'event', event: value as AgentEvent } : bad(reason)
}

/** What `unloop chat --json` writes besides. */
const OTHERS: Record<Exclude<ClientEventType, AgentEventType>, true> = {
  fault: true,
  loop_warning: true,
  loop_detected: true,
  'turn-limit': true,
  error: true,
  finished: true,
}

const ACTIONS: readonly string[] = [
  'warn',
  'block',
  'cut',
  'ask',
  'stop',
] satisfies Finding['action'][]

/** Whether it is what `loop_warning` and `loop_detected` carry. */
function isFinding(value: unknown): value is Finding {
  const {
    certainty = 'certain',
    detector,
    detail,
    action,
    sample,
    advice,
    wasted,
  } = (value ?? {}) as Partial<Finding>
  return (
    [detector, detail, sample, advice].every((text) => typeof text === 'string') &&
    ACTIONS.includes(`${action}`) &&
    Object.hasOwn(STATES, `${certainty}`) &&
    typeof wasted === 'object'
  )
}

const bad = (reason: string): ReadLine => ({ type: 'bad', reason })
