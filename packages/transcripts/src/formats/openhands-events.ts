import { outputOf } from '../anthropic-blocks.js'
import type { Sink } from '../format.js'
import { argsOf, isObject, type Json, listOf, numberOf, objectOf, textOf, timeOf } from '../json.js'
import { requestIn } from '../person.js'
import { emitSpent, less, type Spent, spent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import { emitOldEvent } from './openhands-old.js'

/** Makes what reads the events of one OpenHands conversation, those of its first years included. */
export function createOpenhandsReader(sink: Sink) {
  const run = sink.run({ program: 'openhands' })
  let response: string | undefined
  let total: Spent | undefined

  return function read(event: Json): undefined {
    const at = timeOf(event.timestamp)
    if (at !== undefined) run.startedAt ??= at
    const emit = stamp(sink, run, at)
    if (typeof event.kind !== 'string') {
      emitOldEvent(event, emit)
      const now = oldUsage(event)
      if (now) emitSpent(emit, total ? less(now, total) : now)
      total = now ?? total
      return
    }
    const next = textOf(event.llm_response_id)
    const isAnswer = event.source === 'agent' && ANSWERS.has(event.kind)
    if (isAnswer && (next === undefined || next !== response)) emit({ type: 'turn-start' })
    if (isAnswer) response = next
    emitEvent(event, emit)
  }
}

const ANSWERS = new Set(['ActionEvent', 'MessageEvent'])

function emitEvent(event: Json, emit: Emit): void {
  switch (event.kind) {
    case 'MessageEvent':
      return emitMessage(event, emit)
    case 'ActionEvent':
      return emitAction(event, emit)
    case 'ObservationEvent':
      return emitObservation(event, objectOf(event.observation), emit)
    case 'AgentErrorEvent':
      return emitResult(event, event.error, true, emit)
    case 'UserRejectObservation':
      return emitResult(event, event.rejection_reason, true, emit)
    case 'Condensation':
      return emit({ type: 'compaction' })
  }
}

function emitMessage(event: Json, emit: Emit): void {
  const { content } = objectOf(event.llm_message)
  if (event.source === 'user') {
    const text = requestIn(content)
    if (text !== undefined) emit({ type: 'prompt', text })
    return
  }
  if (event.source !== 'agent') return
  emitThoughts(event, emit)
  const text = outputOf(content)
  if (typeof text === 'string' && text !== '') emit({ type: 'text', text })
}

function emitAction(event: Json, emit: Emit): void {
  emitThoughts(event, emit)
  const words = outputOf(event.thought)
  if (typeof words === 'string' && words !== '') emit({ type: 'text', text: words })
  const name = textOf(event.tool_name)
  if (!name) return
  const id = textOf(event.tool_call_id)
  const { kind, ...action } = objectOf(event.action)
  const told = objectOf(event.tool_call).arguments
  const args = Object.keys(action).length > 0 ? action : argsOf(told)
  emit({ type: 'tool-call', name, args, ...(id && { id }) })
}

function emitThoughts(event: Json, emit: Emit): void {
  const thought = textOf(event.reasoning_content)
  if (thought) return emit({ type: 'reasoning', text: thought })
  for (const block of listOf(event.thinking_blocks)) {
    const text = isObject(block) ? textOf(block.thinking) : undefined
    if (text) emit({ type: 'reasoning', text })
  }
}

function emitObservation(event: Json, observation: Json, emit: Emit): void {
  const { content, output, is_error: flag } = observation
  const code = numberOf(observation.exit_code) ?? numberOf(objectOf(observation.metadata).exit_code)
  const { kind, ...rest } = observation
  const isError = flag === true || (code !== undefined && code > 0) ? true : flag
  const told = isError === true ? true : isError === false ? false : undefined
  emitResult(event, outputOf(content ?? output ?? rest), told, emit)
}

function emitResult(event: Json, output: unknown, isError: boolean | undefined, emit: Emit): void {
  const id = textOf(event.tool_call_id)
  const name = textOf(event.tool_name)
  emit({
    type: 'tool-result',
    output,
    ...(id && { id }),
    ...(name && { name }),
    ...(isError !== undefined && { isError }),
  })
}

/** Old events tell the sum so far. */
function oldUsage(event: Json): Spent | undefined {
  const usage = objectOf(objectOf(event.llm_metrics).accumulated_token_usage)
  if (usage.prompt_tokens === undefined) return
  return spent(usage.prompt_tokens, usage.cache_read_tokens, usage.completion_tokens)
}
