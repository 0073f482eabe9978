import { outputOf } from '../anthropic-blocks.js'
import type { Reader, Sink } from '../format.js'
import { argsOf, isObject, type Json, listOf, numberOf, objectOf, textOf, timeOf } from '../json.js'
import { setOutcome } from '../outcome.js'
import { requestIn } from '../person.js'
import { createRecent } from '../recent.js'
import { emitSpent, less, type Spent, sum } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Outcome } from '../transcript.js'
import { emitOldEvent, oldState, oldUsage } from './openhands-old.js'
import { outcomeOf, type State, toState, totalsIn, type Used } from './openhands-state.js'

/** Makes what reads the events of one OpenHands conversation, those of its first years included. */
export function createOpenhandsReader(sink: Sink, state: State = toState(undefined)): Reader {
  const run = sink.run({ program: 'openhands', ...state.facts })
  const emitAcp = createAcpTeller()
  /** what was told so far, by what the model was used for */
  const told = new Map<string, Spent>()
  let response: string | undefined
  let total = NOTHING
  let emit = stamp(sink, run, undefined)
  settle(undefined)

  /** How it ended as of now; the state of the program says how in the end. */
  function settle(outcome: Outcome | undefined): void {
    const known = outcome ?? state.outcome
    setOutcome(run, known?.kind, known?.status)
  }

  function readOld(event: Json): void {
    emitOldEvent(event, emit)
    const status = oldState(event)
    if (status !== undefined) settle(outcomeOf(status))
    const { model } = objectOf(objectOf(event.tool_call_metadata).model_response)
    if (textOf(model)) run.model = model as string
    const now = oldUsage(event)
    if (now) emitSpent(emit, less(now, total), undefined, run.model)
    total = now ?? total
  }

  function spend({ name, model, spent }: Used): void {
    if (model) run.model ??= model
    const before = told.get(name) ?? NOTHING
    emitSpent(emit, spent, undefined, model)
    told.set(name, sum(spent, before))
  }

  /** Tokens come with the first event of an answer. */
  function spendOn(id: string | undefined): void {
    const used = id === undefined ? undefined : state.answers.get(id)
    if (id === undefined || !used) return
    state.answers.delete(id)
    spend(used)
  }

  function spendRest(totals: State['totals']): void {
    for (const used of totals.values()) {
      spend({ ...used, spent: less(used.spent, told.get(used.name) ?? NOTHING) })
    }
  }

  /** What servers write of each change of the state; without the state itself it is all there is. */
  function readUpdate({ key, value }: Json): void {
    const whole = key === 'full_state' ? objectOf(value) : { [textOf(key) ?? '']: value }
    const status = whole.execution_status ?? whole.agent_status
    if (status !== undefined) settle(outcomeOf(status))
    if (state.totals.size === 0) spendRest(totalsIn(whole.stats))
  }

  function readNew(event: Json): void {
    const next = textOf(event.llm_response_id)
    const isAnswer = event.source === 'agent' && ANSWERS.has(event.kind as string)
    if (isAnswer && (next === undefined || next !== response)) emit({ type: 'turn-start' })
    if (isAnswer) response = next
    if (isAnswer || event.source === 'user') settle(endOf(event))
    else if (ENDS.has(event.kind as string)) settle(endOf(event))
    if (event.kind === 'ConversationStateUpdateEvent') readUpdate(event)
    else if (event.kind === 'ACPToolCallEvent') emitAcp(event, emit)
    else emitEvent(event, emit)
    spendOn(next)
  }

  return {
    read(event) {
      const at = timeOf(event.timestamp)
      if (at !== undefined) run.startedAt ??= at
      emit = stamp(sink, run, at)
      if (typeof event.kind === 'string') readNew(event)
      else readOld(event)
      return undefined
    },
    // of other models than the agent's, and of answers that left no event
    end: () => spendRest(state.totals),
  }
}

const NOTHING: Spent = { input: 0, cached: 0, output: 0 }
const ANSWERS = new Set(['ActionEvent', 'MessageEvent'])
const ENDS = new Set(['ConversationErrorEvent', 'ConversationIterationLimitEvent'])

/** How an event ends a run; undefined for one after which it goes on. */
function endOf({ kind, code }: Json): Outcome | undefined {
  const status = textOf(code) ?? textOf(kind) ?? ''
  if (kind === 'PauseEvent' || kind === 'InterruptEvent') return { kind: 'aborted', status }
  if (kind === 'ConversationIterationLimitEvent') return { kind: 'limit', status }
  if (kind !== 'ConversationErrorEvent') return
  const isLimit = /MaxIterations|Budget|ContextWindow/i.test(status.slice(0, 200))
  return { kind: isLimit ? 'limit' : 'failed', status }
}

/** Calls of an agent that is spoken to by ACP are told again as they go on. */
function createAcpTeller() {
  const called = createRecent<boolean>(OPEN)
  return (event: Json, emit: Emit): void => {
    const id = textOf(event.tool_call_id)
    const name = textOf(event.tool_kind) ?? textOf(event.title)
    if (id === undefined || name === undefined) return
    const isKnown = called.get(id)
    const isOver = event.status === 'completed' || event.status === 'failed'
    if (isKnown === undefined) emit({ type: 'tool-call', id, name, args: event.raw_input })
    if (isOver && !isKnown) {
      const output = event.raw_output ?? outputOf(event.content)
      const isError = event.is_error === true || event.status === 'failed'
      emit({ type: 'tool-result', id, name, output, isError })
    }
    called.set(id, isOver || isKnown === true)
  }
}

// calls that are open at the same time
const OPEN = 256

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
