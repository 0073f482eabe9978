import type { AgentEvent } from 'unloop'
import { brief } from '../brief.js'
import type { Place, RecordFormat, Sink } from '../format.js'
import { isObject, type Json, listOf, textOf } from '../json.js'
import { setOutcome } from '../outcome.js'
import { requestIn } from '../person.js'
import { createRecent, type Recent } from '../recent.js'
import { emitSpent, type Spent } from '../spent.js'
import type { Emit } from '../stamp.js'
import type { Run } from '../transcript.js'
import { emitChat } from './openai-chat.js'

/** One step of a trace, in words that all of them have. */
export interface Step {
  /** the conversation, or else the trace */
  trace: string
  id: string
  parent: string
  kind: 'tool' | 'model' | 'agent' | undefined
  name: string
  /** sorts the steps of a trace */
  order: string
  start: number | undefined
  end: number | undefined
  error: string | undefined
  /** it is over, and went well */
  isDone: boolean
  /** the sub-agent, where the step says so itself */
  agent: string | undefined
  model: string | undefined
  spent: Spent
  /** of a model: chat messages */
  asked: readonly Json[]
  answer: Json | undefined
  /** of a tool */
  call: { id: string | undefined; args: unknown; output: unknown; isError: boolean }
}

interface TracesDefinition {
  name: string
  title: string
  /** the members of an object that hold the list */
  keys: readonly string[]
  isStep(record: Json): boolean
  toStep(record: Json): Step
}

/** What is kept of a step until all are there, for exports have the newest first. */
interface Held extends Omit<Step, 'asked' | 'answer' | 'call'> {
  place: Place
  events: AgentEvent[]
  request: string | undefined
}

// a few hundred megabytes at most, if each has an answer of a page; then what is there is told
const MAX_HELD = 100_000

export function defineTraces({
  name,
  title,
  keys,
  isStep,
  toStep,
}: TracesDefinition): RecordFormat {
  const listIn = (record: Json) =>
    keys.flatMap((key) => listOf(record[key]).filter(isObject)).filter(isStep)
  return {
    name,
    title,
    stage: 'experimental',
    container: 'records',
    layouts: ['lines', 'document'],
    detect: ({ records }) => records.some((record) => isStep(record) || listIn(record).length > 0),
    start(sink) {
      let held: Held[] = []
      const tell = createTeller(sink)
      function end(): void {
        tell(held)
        held = []
      }
      return {
        read(record, key) {
          if (key !== '' && !keys.includes(key)) return
          for (const step of isStep(record) ? [record] : listIn(record)) {
            const kept = toHeld(toStep(step), sink)
            if (kept) held.push(kept)
          }
          if (held.length >= MAX_HELD) end()
          return undefined
        },
        end,
      }
    },
  }
}

/** The events of a step; undefined if it says nothing, not even of others. */
function toHeld({ asked, answer, call, ...step }: Step, sink: Sink): Held | undefined {
  if (step.kind === undefined && step.parent !== '') return
  const events: AgentEvent[] = []
  const emit: Emit = (event) => void events.push(event)
  let request: string | undefined
  if (step.kind === 'tool') {
    const id = call.id ? { id: call.id } : {}
    const output = step.error ?? call.output
    const isError = step.error !== undefined || call.isError
    emit({ type: 'tool-call', name: step.name, args: call.args, ...id })
    const at = step.end === undefined ? {} : { at: step.end }
    emit({ type: 'tool-result', name: step.name, output, isError, ...id, ...at })
  }
  if (step.kind === 'model') {
    request = requestOf(asked)
    emitAnswer(answer, emit)
    emitSpent(emit, step.spent, undefined, step.model)
  }
  const place = events.length > 0 ? sink.hold() : { line: 0, offset: -1 }
  return { ...step, place, events, request }
}

/** What the person said last, if the model was not asked for it before. */
function requestOf(messages: readonly Json[]): string | undefined {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  const asked = messages.slice(last + 1).findLast(({ role }) => role === 'user')
  return requestIn(asked?.content)
}

function emitAnswer(answer: Json | undefined, emit: Emit): void {
  if (!answer) return emit({ type: 'turn-start' })
  const { usage, usage_metadata, ...said } = answer
  emitChat({ ...said, role: 'assistant' }, emit)
}

interface Conversation {
  run: Run
  /** what each agent was asked for last, in brief */
  requests: Recent<string>
  /** calls of models whose tool has not been seen yet */
  pending: { id: string; name: string }[]
}

// no answer has as many calls
const PENDING = 64
const AGENTS = 64
const MAX_DEPTH = 100

function createTeller(sink: Sink) {
  const conversations = createRecent<Conversation>(256)

  function conversationOf({ trace, start }: Held): Conversation {
    const session = brief(trace)
    const known = conversations.get(session)
    if (known) return known
    const run = sink.run({ session, ...(start !== undefined && { startedAt: start }) })
    const made = { run, requests: createRecent<string>(AGENTS), pending: [] }
    conversations.set(session, made)
    return made
  }

  function tell(step: Held, agent: string | undefined): void {
    const conversation = conversationOf(step)
    const { run } = conversation
    if (step.model && agent === undefined) run.model = brief(step.model)
    const emit: Emit = (event) => {
      if (step.start !== undefined) event.at ??= step.start
      if (agent !== undefined) event.agent = agent
      sink.emit(run, event, step.place)
    }
    const { request } = step
    if (request !== undefined && brief(request) !== conversation.requests.get(agent ?? '')) {
      conversation.requests.set(agent ?? '', brief(request))
      emit({ type: 'prompt', text: request })
    }
    for (const event of matched(step, conversation)) emit(event)
    if (step.parent !== '') return
    if (step.error !== undefined) setOutcome(run, 'failed', step.error)
    else if (step.isDone) setOutcome(run, 'finished', 'success')
  }

  return (held: readonly Held[]): void => {
    const byId = new Map(held.map((step) => [step.id, step]))
    const sorted = held.toSorted((a, b) => (a.order < b.order ? -1 : a.order > b.order ? 1 : 0))
    for (const step of sorted) tell(step, step.agent ?? agentOf(step, byId))
  }
}

/** A tool run that answers a call of a model is not another call. */
function matched({ kind, name, events }: Held, { pending }: Conversation): AgentEvent[] {
  if (kind === 'model') {
    for (const event of events) {
      if (event.type === 'tool-call' && event.id) pending.push({ id: event.id, name: event.name })
    }
    pending.splice(0, pending.length - PENDING)
    return events
  }
  const own = events[0]?.type === 'tool-call' ? events[0].id : undefined
  const place = pending.findIndex((call) => (own ? call.id === own : call.name === name))
  if (kind !== 'tool' || place < 0) return events
  const [{ id } = { id: '' }] = pending.splice(place, 1)
  return events.slice(1).map((event) => ({ ...event, id }) as AgentEvent)
}

/** The agent around a step, if that is not the one that the whole is about. */
function agentOf(step: Held, byId: ReadonlyMap<string, Held>): string | undefined {
  const agents: string[] = []
  let at: Held | undefined = step
  for (let depth = 0; at && depth < MAX_DEPTH; depth++) {
    if (at.kind === 'agent' && textOf(at.name)) agents.push(at.name)
    at = at.parent === '' ? undefined : byId.get(at.parent)
  }
  return agents.length > 1 ? agents[0] : undefined
}
