import type { Finding } from 'unloop'
import { type ClientEvent, isAgentEvent } from './client-event.js'
import type { Conversation } from './conversation.js'
import type { ResultPart } from './message.js'
import { type Approve, runCalls } from './scheduler.js'
import { finish, stop, warn } from './tell.js'
import type { Tool } from './tool.js'
import type { TurnEnd } from './turn.js'
import { isFinal } from './watch.js'

export interface RoundSettings {
  tools: readonly Tool[]
  approve: Approve | undefined
}

/** Runs the calls of a turn; true unless a result showed a loop that has to end. */
export async function* runRound(
  conversation: Conversation,
  { tools, approve }: RoundSettings,
  { answer, refused }: TurnEnd,
  signal: AbortSignal,
): AsyncGenerator<ClientEvent, boolean, undefined> {
  const { guard, watch, history, handOff } = conversation
  const first = guard.events
  const { handed, calls } = handOff.split(answer.calls, refused)
  const results: ResultPart[] = [...handed]
  const halt = new AbortController()
  const both = AbortSignal.any([signal, halt.signal])
  let final: Finding | undefined
  for await (const event of runCalls(calls, { tools, signal: both, approve, refused })) {
    if (signal.aborted) break
    const told = event.type === 'report' ? event.event : { ...event, ...handOff.by }
    const finding = isAgentEvent(told) ? watch.see(told) : undefined
    if (finding && isFinal(finding)) {
      final = finding
      if (event.type !== 'report') results.push(event)
      break
    }
    if (event.type === 'report') {
      if (event.event.type === 'usage') conversation.countUsage(event.event)
      // the guard of the sub-agent has told its model already
      yield told
      continue
    }
    // the answer to a call that should not have been made is the reason
    const isBlocked = finding?.action === 'block'
    if (isBlocked) yield { type: 'loop_warning', finding }
    else if (finding) yield* warn(watch, finding)
    const result = isBlocked ? { ...event, output: finding.advice, isError: true } : event
    results.push(result)
    yield { ...result, ...handOff.by }
  }
  if (final || signal.aborted) halt.abort()
  const content = answer.calls.flatMap(({ id }) => results.find((one) => one.id === id) ?? [])
  if (content.length > 0) {
    const last = Math.max(first, guard.events - 1)
    history.append({ message: { role: 'tool', content }, first, last })
  }
  if (final) return yield* stop(conversation, final, history.length)
  if (signal.aborted) return yield* finish(conversation, 'aborted')
  return true
}
