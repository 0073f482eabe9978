import { idOf, type Json, numberOf, objectOf, textOf } from '../json.js'
import { requestIn } from '../person.js'
import type { Spent } from '../spent.js'
import type { Emit } from '../stamp.js'
import { spentIn } from './openhands-state.js'

// what the program does by itself
const OWN = new Set(['system', 'change_agent_state', 'recall', 'null', 'condensation_request', ''])

/** The state that the program was in from then on; undefined if the event says nothing of it. */
export const oldState = (event: Json): string | undefined =>
  event.observation === 'agent_state_changed'
    ? textOf(objectOf(event.extras).agent_state)
    : undefined

/** Old events tell the sum so far. */
export function oldUsage(event: Json): Spent | undefined {
  const metrics = objectOf(event.llm_metrics)
  const usage = objectOf(metrics.accumulated_token_usage)
  if (usage.prompt_tokens === undefined) return
  return spentIn(usage, metrics.accumulated_cost)
}

/** Tells an event as OpenHands wrote it before version 1. */
export function emitOldEvent(event: Json, emit: Emit): void {
  if (typeof event.action === 'string') return emitAction(event, event.action, emit)
  if (typeof event.observation === 'string') emitObservation(event, event.observation, emit)
}

function emitAction(event: Json, action: string, emit: Emit): void {
  const { thought, ...args } = objectOf(event.args)
  if (action === 'condensation') return emit({ type: 'compaction' })
  if (action === 'message' && event.source === 'user') {
    const text = requestIn(args.content)
    if (text !== undefined) emit({ type: 'prompt', text })
    return
  }
  if (event.source !== 'agent' || OWN.has(action)) return
  emit({ type: 'turn-start' })
  const words = textOf(thought) ?? (action === 'message' ? textOf(args.content) : undefined)
  if (words) emit({ type: 'text', text: words })
  if (action === 'message') return
  const { tool_call_id: given, function_name: name } = objectOf(event.tool_call_metadata)
  const id = textOf(given) ?? idOf(event.id)
  emit({
    type: 'tool-call',
    ...(id && { id }),
    name: textOf(name) ?? action,
    args: args.command === undefined ? args : { command: args.command },
  })
}

function emitObservation(event: Json, observation: string, emit: Emit): void {
  if (event.cause === undefined || OWN.has(observation) || observation === 'agent_state_changed') {
    return
  }
  const extras = objectOf(event.extras)
  const code = numberOf(extras.exit_code) ?? numberOf(objectOf(extras.metadata).exit_code)
  const isError = observation === 'error' || (code !== undefined && code > 0)
  const id = textOf(objectOf(event.tool_call_metadata).tool_call_id) ?? idOf(event.cause)
  emit({
    type: 'tool-result',
    ...(id && { id }),
    output: event.content,
    ...((isError || code !== undefined) && { isError }),
  })
}
