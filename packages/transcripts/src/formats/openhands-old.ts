import { idOf, type Json, numberOf, objectOf, textOf } from '../json.js'
import { requestIn } from '../person.js'
import type { Emit } from '../stamp.js'

// what the program does by itself
const OWN = new Set(['system', 'change_agent_state', 'recall', 'null', 'condensation_request', ''])

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
