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
} from './model.js'
import { untilAborted } from './until-aborted.js'
import { isFinal, type Watch } from './watch.js'

/** How a turn of the model ended. */
export type TurnEnd = { answer: Answer; refused: Map<string, string> } & (
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
  /** the mark of who speaks, where it is not the agent itself */
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
    if (end.type !== 'failed' || !end.error.isTemporary || attempt > options.retries) return end
    const afterMs = end.error.retryAfterMs ?? backoffMs(attempt)
    if (afterMs > MAX_WAIT_MS) return end
    options.watch.see({ type: 'retry', ...options.by })
    yield { type: 'retry', reason: end.error.message, afterMs, ...options.by }
    if (!(await isWaitedFor(afterMs, options.signal))) return { ...end, type: 'aborted' }
  }
}

// a person who waits a minute wants to be told instead
const MAX_WAIT_MS = 60_000
// half a second, then one, then two: what providers advise, without the jitter a single client does not need
const backoffMs = (attempt: number) => 250 * 2 ** attempt

async function* streamOnce(options: TurnOptions): AsyncGenerator<ClientEvent, TurnEnd, undefined> {
  const { model, request, signal, watch } = options
  const provider = new AbortController()
  let source: AsyncIterator<ModelEvent> | undefined
  const turn = { answer: createAnswer(), refused: new Map<string, string>() }
  let reason: FinishReason | undefined
  /** Ends the provider's request; waits for nothing, since a provider that hangs must not hold us. */
  const hangUp = () => {
    provider.abort()
    source?.return?.()?.then(undefined, () => {})
  }
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
      const said = withOwnId(next.value, turn.answer.calls)
      keep(turn.answer, said)
      // it only brings what the provider wants back
      if (isEmpty(said)) continue
      const event = { ...options.by, ...toClientEvent(said, options) } as ClientEvent & AgentEvent
      if (said.type === 'usage') options.onUsage(said)
      const finding = watch.see(event)
      if (finding && isFinal(finding)) {
        hangUp()
        return { ...turn, type: 'stopped', finding }
      }
      if (finding) {
        yield { type: 'loop_warning', finding, ...options.by }
        if (finding.action === 'cut') {
          hangUp()
          return { ...turn, type: 'answered', reason: 'stop', cut: finding }
        }
        if (finding.action === 'block' && said.type === 'tool-call') {
          turn.refused.set(said.id, `Not run. ${finding.advice}`)
        } else watch.advise(finding.advice)
      }
      yield event
    }
    open = false
    if (reason === undefined) throw new ModelError('network', 'the answer broke off in the middle')
    return { ...turn, type: 'answered', reason }
  } catch (error) {
    if (signal.aborted) return { ...turn, type: 'aborted' }
    return { ...turn, type: 'failed', error: toModelError(error) }
  } finally {
    // the consumer went away in the middle of it
    if (open) hangUp()
  }
}

type Said = Exclude<ModelEvent, { type: 'finish' }>

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

const toModelError = (error: unknown): ModelError =>
  error instanceof ModelError
    ? error
    : new ModelError('malformed', error instanceof Error ? error.message : String(error), {
        cause: error,
      })

/** Whether the time passed without the signal being aborted. */
function isWaitedFor(ms: number, signal: AbortSignal): Promise<boolean> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve(!signal.aborted)
    }
    const timer = setTimeout(done, signal.aborted ? 0 : ms)
    signal.addEventListener('abort', done, { once: true })
  })
}
