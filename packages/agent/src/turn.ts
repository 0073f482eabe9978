import type { AgentEvent, Finding } from 'unloop'
import { type Answer, createAnswer } from './answer.js'
import type { ClientEvent } from './client-event.js'
import type { CallPart } from './message.js'
import {
  type FinishReason,
  type Model,
  ModelError,
  type ModelEvent,
  type ModelRequest,
  type TokenUsage,
  toModelError,
} from './model.js'
import { toRefusal } from './outcome.js'
import { toPieces } from './pieces.js'
import { isWaitedFor, waitBeforeRetry } from './retry.js'
import { untilAborted } from './until-aborted.js'
import type { Watch } from './watch.js'

/** What a turn of the model has brought; `tokens` are those of question and answer, 0 if it did not count the question. */
interface Turn {
  answer: Answer
  /** why the task must not be handed on, by the id of the call */
  denied: Map<string, string>
  /** ids of the calls of tools that the client knows of */
  told: Set<string>
  tokens: number
}

/** How a turn of the model ended. */
export type TurnEnd = Turn &
  (
    | { type: 'answered'; reason: FinishReason; cut?: Finding }
    | { type: 'stopped'; finding: Finding }
    | { type: 'failed'; error: ModelError }
    | { type: 'aborted' }
  )

export interface TurnOptions {
  model: Model
  request: ModelRequest
  signal: AbortSignal
  watch: Watch
  /** how often a model that failed is asked again */
  retries: number
  /** the agent that speaks, if it is not this one */
  by: { agent?: string }
  onUsage(usage: TokenUsage): void
  /** the client event for a call, where it is not a call of a tool */
  toEvent?: ((call: CallPart) => ClientEvent | undefined) | undefined
}

/** Asks the model once, and again if that fails; every event passes the guard before it is yielded. */
export async function* streamTurn(
  options: TurnOptions,
): AsyncGenerator<ClientEvent, TurnEnd, undefined> {
  for (let attempt = 1; ; attempt++) {
    const end = yield* streamOnce(options)
    if (end.type !== 'failed') return end
    const afterMs = waitBeforeRetry(end.error, attempt, options.retries)
    if (afterMs === undefined) return end
    options.watch.decide({ type: 'retry', ...options.by })
    yield { type: 'retry', reason: end.error.message, afterMs, ...options.by }
    if (!(await isWaitedFor(afterMs, options.signal))) return { ...end, type: 'aborted' }
  }
}

async function* streamOnce(options: TurnOptions): AsyncGenerator<ClientEvent, TurnEnd, undefined> {
  const { model, request, signal } = options
  const provider = new AbortController()
  let source: AsyncIterator<ModelEvent> | undefined
  const turn: Turn = { answer: createAnswer(), denied: new Map(), told: new Set(), tokens: 0 }
  let reason: FinishReason | undefined
  let input = 0
  let output = 0
  let empty = 0
  let open = true
  try {
    const stream = model.stream(request, AbortSignal.any([signal, provider.signal]))
    source = stream[Symbol.asyncIterator]()
    for (;;) {
      const next = await untilAborted(signal, source.next())
      if (next.done) break
      if (next.value.type === 'finish') {
        reason = next.value.reason
        continue
      }
      if (next.value.type === 'call-correction') {
        turn.answer.correct(next.value)
        continue
      }
      if (next.value.type === 'usage') {
        input += next.value.inputTokens ?? 0
        output += next.value.outputTokens ?? 0
        turn.tokens = input > 0 ? input + output : 0
      }
      empty = isEmpty(next.value) ? empty + 1 : 0
      if (empty > MAX_EMPTY)
        throw new ModelError('silence', 'the model sent only empty text', SILENT)
      for (const said of toPieces(withOwnId(next.value, turn.answer.calls))) {
        const end = yield* hear(said, turn, options)
        if (end) return end
      }
    }
    open = false
    if (reason === undefined) throw new ModelError('network', 'the answer broke off')
    return { ...turn, type: 'answered', reason }
  } catch (error) {
    if (signal.aborted) return { ...turn, type: 'aborted' }
    return { ...turn, type: 'failed', error: toModelError(error) }
  } finally {
    // also when the consumer went away; waits for nothing, since a provider that hangs must not hold us
    if (open) {
      provider.abort()
      source?.return?.()?.then(undefined, () => {})
    }
  }
}

/** Keeps what the model said and shows it to the guard, then to the client; gives the end of the turn if it is one. */
function* hear(
  said: Said,
  turn: Turn,
  options: TurnOptions,
): Generator<ClientEvent, TurnEnd | undefined> {
  const { watch } = options
  keep(turn.answer, said)
  // it only brings what the provider wants back
  if (isEmpty(said)) return
  if (said.type === 'usage') options.onUsage(said)
  const event = { ...options.by, ...toClientEvent(said, options) } as ClientEvent & AgentEvent
  const verdict = watch.decide(event)
  const { finding } = verdict
  if (verdict.type === 'stop') return { ...turn, type: 'stopped', finding: verdict.finding }
  if (finding) yield { type: 'loop_warning', finding, ...options.by }
  if (verdict.type === 'cut') {
    return { ...turn, type: 'answered', reason: 'stop', cut: verdict.finding }
  }
  if (verdict.type === 'deny' && event.type === 'handoff' && said.type === 'tool-call') {
    turn.denied.set(said.id, toRefusal(verdict.reason))
  }
  if (event.type === 'tool-call') turn.told.add(event.id)
  yield event
}

// a text that is over may bring what its provider wants back, and nothing else: a few times in an answer
const MAX_EMPTY = 1000
const SILENT = { advice: 'Try again, or use another model.' }

type Said = Exclude<ModelEvent, { type: 'finish' | 'call-correction' }>

/** The event; a call with the id of another call of its turn gets one of its own, for results are told apart by it. */
function withOwnId(said: Said, calls: readonly CallPart[]): Said {
  if (said.type !== 'tool-call') return said
  let { id } = said
  for (let n = 2; calls.some((call) => call.id === id); n++) id = `${said.id}_${n}`
  return id === said.id ? said : { ...said, id }
}

const isEmpty = (event: Said) =>
  (event.type === 'text' || event.type === 'reasoning') && event.text === ''

function keep(answer: Answer, event: Said): void {
  if (event.type !== 'usage') answer.add(event)
}

function toClientEvent(event: Said, { model, toEvent }: TurnOptions): ClientEvent {
  switch (event.type) {
    case 'text':
    case 'reasoning':
      return { type: event.type, text: event.text }
    case 'tool-call': {
      const { id, name, args } = event
      return toEvent?.(event) ?? { type: 'tool-call', id, name, args }
    }
    case 'usage':
      return { ...event, model: model.name }
  }
}
