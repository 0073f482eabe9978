import type { Guard } from '../../guard.js'
import { callWith, type Run, runOf, showCall } from '../../host/run.js'
import type { Any } from '../shared/any.js'
import { messagesOf, partsOf } from './messages.js'

/** What we read of a span; `otel.test-d.ts` holds it against the SDK. */
export interface Span {
  attributes: Any
  events: readonly { name: string; attributes?: Any }[]
  status: { code: number; message?: string }
  spanContext(): { traceId: string; spanId: string }
  parentSpanContext?: { spanId: string } | undefined
}

/** Where a run was seen first. */
export interface Source {
  /** the conversation, or else the trace or the span that the run is known by */
  name: string
  traceId: string
  conversation: string | undefined
}

/** One run of an agent. */
interface Course {
  run: Run
  /** the agent that talks to the person; the others work for it */
  agent: string | undefined
  /** what each agent was asked for last */
  requests: Map<string, string>
  /** calls the model has asked for, of which no span has told yet */
  asked: { id: string; name: string }[]
}

/** A span that has begun, the agent it belongs to and, if it is a call, its id. */
interface Open {
  span: Any
  agent: string | undefined
  call?: string
  /** the outermost agent that it works for */
  root: Root | undefined
  /** the span of a model around it, which may tell of the same message */
  chat: Open | undefined
  /** what it says was told */
  isTold?: boolean
}

/** An agent that works for no other. */
interface Root {
  /** what its run is known by, where there is no conversation */
  key: string
  /** nothing is known yet of what it was asked for */
  isNew: boolean
}

// the state of a guard is at most 256 KB, so these are at most 16 MB
const MAX_RUNS = 64
// more than are open at a time; those that never end must not stay
const MAX_OPEN = 1000

/** Shows guards what the spans of models and tools tell; a conversation, or else an agent of a trace, is a run. */
export function createReader(guardFor: (source: Source) => Guard) {
  const runs = new Map<string, Course>()
  const conversations = new Map<string, string>()
  const opened = new Map<string, Open>()
  let current: Any
  let unread = 0

  function rootOf(traceId: string, spanId: string): Root {
    // agents of one trace that work at the same time are runs of their own
    const isTaken = [...opened.values()].some(({ root }) => root?.key === traceId)
    return { key: isTaken ? spanId : traceId, isNew: true }
  }

  function courseOf(attributes: Any, traceId: string, { agent, root }: Open): Course {
    const told = attributes['gen_ai.conversation.id']
    if (told) keep(conversations, traceId, `${told}`, MAX_OPEN)
    const conversation = conversations.get(traceId)
    // it goes on with what the person asked for in another trace
    if (root && conversation) root.isNew = false
    const own = root?.key ?? traceId
    const key = conversation ?? own
    // a trace may tell its conversation late
    const course =
      runs.get(key) ?? runs.get(own) ?? makeRun({ name: key, traceId, conversation }, agent)
    return keep(runs, key, course, MAX_RUNS)
  }

  const makeRun = (source: Source, agent: string | undefined): Course => ({
    run: runOf(guardFor(source), 'otel'),
    agent,
    requests: new Map(),
    asked: [],
  })

  return {
    read(span: Span, isOver: boolean): void {
      const { attributes } = span
      const { traceId, spanId } = span.spanContext()
      const around = opened.get(parentOf(span))
      const agent = attributes['gen_ai.agent.name'] ?? around?.agent
      const isAgent = isAgentOf(attributes)
      const open: Open = opened.get(spanId) ?? {
        span,
        agent,
        root: around?.root ?? (isAgent ? rootOf(traceId, spanId) : undefined),
        chat: chatOf(around),
      }
      if (isOver) opened.delete(spanId)
      else keep(opened, spanId, open, MAX_OPEN)
      const name = toolOf(attributes)
      const isChat = isChatOf(attributes)
      if (name === undefined && !isChat && !isAgent) return

      const course = courseOf(attributes, traceId, open)
      // a span that is over takes no events; the one around it does
      current = isOver ? around?.span : span
      const whose = agent === undefined || agent === course.agent ? {} : { agent }
      if (name !== undefined) {
        if (open.root?.isNew) {
          open.root.isNew = false
          course.run.decide({ type: 'prompt', ...whose })
        }
        open.call ??= idOf(course, attributes) ?? takeAsked(course, name) ?? spanId
        if (!readCall(course.run, span, isOver, { id: open.call, name, ...whose })) unread++
      } else if (isChat && isOver) {
        const { root, chat } = open
        // two instrumentations tell of the same message: the first that has it is heard
        open.isTold ||= readChat(course, span, whose, root, chat)
        if (chat) chat.isTold ||= open.isTold
      }
    },
    forget(): void {
      for (const map of [runs, conversations, opened]) map.clear()
    },
    /** the span that what was just read can be told on */
    get current() {
      return current
    },
    get unread() {
      return unread
    },
  }
}

/** Puts it last, and drops the first of too many. */
function keep<Value>(map: Map<string, Value>, key: string, value: Value, max: number): Value {
  map.delete(key)
  map.set(key, value)
  if (map.size > max) map.delete(map.keys().next().value as string)
  return value
}

// version 1 of the SDK had the id alone
const parentOf = (span: Any): string => span.parentSpanContext?.spanId ?? span.parentSpanId ?? ''

const operationOf = (attributes: Any): string =>
  attributes['gen_ai.operation.name'] ?? attributes['llm.request.type'] ?? ''

const isChatOf = (attributes: Any): boolean =>
  /^(chat|generate_content|text_completion|completion)$/.test(operationOf(attributes)) ||
  /\.do(Generate|Stream)$/.test(attributes['ai.operationId'])

const isAgentOf = (attributes: Any): boolean =>
  operationOf(attributes) === 'invoke_agent' ||
  attributes['openinference.span.kind'] === 'AGENT' ||
  /^ai\.\w+(Text|Object)$/.test(attributes['ai.operationId'])

/** The span of a model that this one is or lies in; what a tool does in there is another matter. */
function chatOf(open: Open | undefined): Open | undefined {
  if (!open || open.call) return
  return isChatOf(open.span.attributes) ? open : open.chat
}

/** The name of a tool, in the words of the convention or of those who were there before it. */
function toolOf(attributes: Any): string | undefined {
  if (operationOf(attributes) === 'execute_tool') return attributes['gen_ai.tool.name']
  if (attributes['openinference.span.kind'] === 'TOOL') return attributes['tool.name']
  if (attributes['traceloop.span.kind'] === 'tool') return attributes['traceloop.entity.name']
  return attributes['ai.toolCall.name']
}

/** The id of a call; some models begin to count anew in each turn. */
function idOf({ run }: Course, attributes: Any): string | undefined {
  const id = attributes['gen_ai.tool.call.id'] ?? attributes['ai.toolCall.id']
  return callWith(run, id)?.answer ? undefined : id
}

/** The call of this tool that the model asked for first. */
function takeAsked({ asked }: Course, name: string): string | undefined {
  const index = asked.findIndex((call) => call.name === name)
  return index < 0 ? undefined : asked.splice(index, 1)[0]?.id
}

interface Call {
  id: string
  name: string
  agent?: string
}

/** Tells of a call as soon as its arguments are known, and of its answer; false if in the end there was neither. */
function readCall(run: Run, span: Span, isOver: boolean, call: Call): boolean {
  const { attributes: given, status, events } = span
  const told = (kind: string, short: string, side: string) =>
    given[`gen_ai.tool.call.${kind}`] ??
    given[`ai.toolCall.${short}`] ??
    given[`${side}.value`] ??
    given[`traceloop.entity.${side}`]
  const args = told('arguments', 'args', 'input')
  const output = told('result', 'result', 'output')
  const isError = status.code === 2 || given['error.type'] !== undefined
  if (!isOver && args === undefined) return true
  if (args === undefined && output === undefined && !isError) {
    return callWith(run, call.id) !== undefined
  }
  // arguments that were not captured are not the same arguments
  const unknown = output === undefined ? { span: span.spanContext().spanId } : undefined
  if (!callWith(run, call.id)) run.decide({ type: 'tool-call', args: args ?? unknown, ...call })
  if (!isOver || (output === undefined && !isError)) return true
  const thrown = events.find(({ name }) => name === 'exception')?.attributes
  const error = status.message ?? thrown?.['exception.message'] ?? given['error.type']
  const answer = output ?? error
  run.decide({ type: 'tool-result', output: answer, isError, ...call })
  return true
}

/** Tells of what a model was given since it last spoke, and of what it said; false if another span may know more. */
function readChat(
  course: Course,
  span: Span,
  whose: { agent?: string },
  root: Root | undefined,
  chat: Open | undefined,
): boolean {
  const { run, requests } = course
  const { agent = '' } = whose
  const { input, output } = messagesOf(span)
  const said = output.flatMap(partsOf)
  if (chat && said.length === 0) return false
  const last = input.findLastIndex(({ role }) => role === 'assistant')
  const tail = input.slice(last + 1)
  const isAnswered = tail.flatMap(partsOf).some(({ type }) => type === 'tool_call_response')
  // the same words after an answer are said again; where there is none, they may be those of the request before
  if (root?.isNew || (last >= 0 && !isAnswered)) requests.delete(agent)
  if (root && input.length > 0) root.isNew = false
  for (const message of tail) {
    for (const { type, id, content, response, result } of partsOf(message)) {
      // what this guard has not seen is the past of another run
      if (type === 'tool_call_response' && callWith(run, id)) {
        run.decide({ type: 'tool-result', id, output: response ?? result, ...whose })
      }
      if (type !== 'text' || message.role !== 'user' || content === requests.get(agent)) continue
      keep(requests, agent, content, MAX_RUNS)
      run.decide({ type: 'prompt', text: content, ...whose })
    }
  }
  run.decide({ type: 'turn-start', ...whose })
  for (const { type, id, name, content, arguments: args } of said) {
    if ((type === 'text' || type === 'reasoning') && content) {
      run.decide({ type, text: content, ...whose })
    }
    if (type !== 'tool_call' || !id || callWith(run, id)) continue
    course.asked.push({ id, name })
    if (course.asked.length > MAX_OPEN) course.asked.shift()
    showCall(run, { type: 'tool-call', id, name, args, ...whose })
  }
  const { attributes } = span
  const tokens = (kind: string, old: string) =>
    Number(
      attributes[`gen_ai.usage.${kind}_tokens`] ?? attributes[`gen_ai.usage.${old}_tokens`] ?? 0,
    )
  const inputTokens = tokens('input', 'prompt')
  const outputTokens = tokens('output', 'completion')
  run.decide({ type: 'usage', inputTokens, outputTokens, ...whose })
  run.decide({ type: 'turn-end', ...whose })
  return true
}
