import { brief } from '../brief.js'
import type { Sink } from '../format.js'
import { argsOf, isObject, type Json, listOf, objectOf, textOf } from '../json.js'
import { setOutcome } from '../outcome.js'
import { createRecent, type Recent } from '../recent.js'
import { emitSpent } from '../spent.js'
import { type Emit, stamp } from '../stamp.js'
import type { Run } from '../transcript.js'
import { answerIn, inputIn, kindOf, modelIn, spentIn, toolOf } from './otlp-attributes.js'

/** A span with its attributes as plain values. */
export interface Span {
  trace: string
  id: string
  parent: string
  name: string
  start: number
  end: number
  failed: boolean
  /** why it failed, if it says so */
  message: string | undefined
  attributes: Json
  /** the service that wrote it */
  service: string | undefined
}

interface Conversation {
  run: Run
  /** the agent that talks to the person */
  agent: string
  /** what each agent was asked for last, in brief */
  requests: Recent<string>
  called: Recent<true>
  answered: Recent<true>
  /** calls of a model whose tool has not been seen yet */
  pending: { id: string; name: string }[]
}

// traces that are written at the same time
const OPEN = 256
// no answer has as many calls
const PENDING = 64
// agents within agents
const MAX_DEPTH = 100

/** Reads batches of spans of models, tools and agents; one conversation, or else one trace, is a run. */
export function createSpanReader(sink: Sink) {
  const conversations = createRecent<Conversation>(OPEN)

  function conversationOf(
    { trace, start, attributes, service }: Span,
    agent: string,
  ): Conversation {
    const id = brief(
      textOf(attributes['gen_ai.conversation.id']) ?? textOf(attributes['session.id']) ?? trace,
    )
    const known = conversations.get(id)
    if (known) return known
    const run = sink.run({
      session: id,
      ...(start > 0 && { startedAt: start }),
      ...(service && { program: service }),
    })
    const made: Conversation = {
      ...{ run, agent: brief(agent), requests: createRecent<string>(PENDING), pending: [] },
      called: createRecent<true>(OPEN),
      answered: createRecent<true>(OPEN),
    }
    conversations.set(id, made)
    return made
  }

  function read(span: Span, agent: string | undefined): void {
    const { attributes } = span
    const kind = kindOf(attributes)
    if (kind === undefined) return
    const conversation = conversationOf(span, agent ?? '')
    if (kind === 'agent') {
      // the span of the whole says how it ended
      const error = textOf(attributes['error.type']) ?? span.message ?? 'ERROR'
      if (span.parent === '' && span.failed) setOutcome(conversation.run, 'failed', error)
      return
    }
    // the first that is named is the one that talks to the person
    if (agent !== undefined) conversation.agent ||= brief(agent)
    const other = agent === undefined || brief(agent) === conversation.agent ? undefined : agent
    const emitAt = (at: number) => stamp(sink, conversation.run, at > 0 ? at : undefined, other)
    if (kind === 'tool') return emitTool(span, conversation, emitAt(span.start), emitAt(span.end))
    emitChat(attributes, conversation, other ?? '', emitAt(span.start))
  }

  return (batch: readonly Span[]): void => {
    const byId = new Map(batch.map((span) => [span.id, span]))
    // children end first and are written first; within a batch the order of what happened can be had
    for (const span of batch.toSorted((a, b) => a.start - b.start)) read(span, agentOf(span, byId))
  }
}

/** The agent at work: by its name on the span, else by the span of an agent around it. */
function agentOf(span: Span, byId: ReadonlyMap<string, Span>): string | undefined {
  let at: Span | undefined = span
  for (let depth = 0; at && depth < MAX_DEPTH; depth++) {
    const { attributes } = at
    const name = textOf(attributes['gen_ai.agent.name']) ?? textOf(attributes['agent.name'])
    if (name) return name
    if (kindOf(attributes) === 'agent')
      return textOf(attributes['traceloop.entity.name']) ?? textOf(at.name)
    at = at.parent === '' ? undefined : byId.get(at.parent)
  }
}

function emitTool(span: Span, conversation: Conversation, emit: Emit, emitEnd: Emit): void {
  const { called, answered, pending } = conversation
  const { attributes, failed } = span
  const facts = toolOf(attributes)
  const name = facts.name ?? textOf(span.name)
  if (!name) return
  // a tool that does not know its call is the first of its name that a model asked for
  const place = pending.findIndex((call) => (facts.id ? call.id === facts.id : call.name === name))
  const id = facts.id ?? (place < 0 ? undefined : pending[place]?.id)
  if (place >= 0) pending.splice(place, 1)
  const args = argsOf(facts.args)
  if (!id || !called.get(id)) emit({ type: 'tool-call', name, args, ...(id && { id }) })
  const error = textOf(attributes['error.type'])
  if (id) called.set(id, true)
  if (id && answered.get(id)) return
  if (id) answered.set(id, true)
  const isError = failed || error !== undefined
  const output = facts.output ?? (isError ? (span.message ?? error) : undefined)
  emitEnd({ type: 'tool-result', name, output, isError, ...(id && { id }) })
}

function emitChat(attributes: Json, conversation: Conversation, agent: string, emit: Emit): void {
  const { run } = conversation
  const model = modelIn(attributes)
  if (model) run.model = brief(model)
  emitInput(inputIn(attributes), conversation, agent, emit)
  emit({ type: 'turn-start' })
  for (const message of answerIn(attributes)) {
    for (const part of listOf(message.parts).filter(isObject)) emitPart(part, conversation, emit)
  }
  emitSpent(emit, spentIn(attributes), undefined, model)
}

/** The input carries the whole history each time; what stands behind the last answer is new. */
function emitInput(messages: Json[], conversation: Conversation, agent: string, emit: Emit): void {
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  for (const message of messages.slice(last + 1)) {
    for (const part of listOf(message.parts).filter(isObject)) {
      if (part.type === 'tool_call_response') emitResponse(part, conversation, emit)
      const text =
        message.role === 'user' && part.type === 'text' ? textOf(part.content) : undefined
      // what a tool of smolagents said is told in the place of the person
      if (text === undefined || OBSERVED.test(text.slice(0, 200))) continue
      if (brief(text) === conversation.requests.get(agent)) continue
      conversation.requests.set(agent, brief(text))
      emit({ type: 'prompt', text })
    }
  }
}

const OBSERVED = /^(?:Call id: [^\n]{0,100}\n)?(?:Observation|Error):/

function emitPart(part: Json, { called, pending }: Conversation, emit: Emit): void {
  const text = textOf(part.content)
  if (part.type === 'text' && text) return emit({ type: 'text', text })
  if (part.type === 'reasoning' && text) return emit({ type: 'reasoning', text })
  const name = textOf(part.name)
  if (part.type !== 'tool_call' || !name) return
  const id = textOf(part.id)
  if (id && called.get(id)) return
  if (id) called.set(id, true)
  if (id) pending.push({ id, name })
  if (pending.length > PENDING) pending.shift()
  emit({ type: 'tool-call', name, args: part.arguments, ...(id && { id }) })
}

function emitResponse(part: Json, { answered }: Conversation, emit: Emit): void {
  const id = textOf(part.id)
  if (id && answered.get(id)) return
  if (id) answered.set(id, true)
  const output = part.response ?? part.result
  emit({ type: 'tool-result', output, ...(id && { id }), ...errorIn(output) })
}

const errorIn = (output: unknown) => (objectOf(output).isError === true ? { isError: true } : {})
