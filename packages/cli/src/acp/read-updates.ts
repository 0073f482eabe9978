import type { AgentEvent } from 'unloop'
import { type Json, objectOf, objectsOf, textOf } from './json.js'
import {
  argsOf,
  hasInput,
  isFailed,
  nameOf,
  outputOf,
  startCall,
  type ToolCall,
  updateCall,
} from './tool-call.js'

/** Reads the updates of one agent in a session, as events. */
export interface UpdateReader {
  read(update: Json): void
  /** Shows the call that permission is asked for, unless it was shown, and gives its id. */
  readPermission(toolCall: Json): string
  /** A prompt: what was open is over. */
  restart(): void
}

// more calls than one round has; older ones are not updated any more
const MAX_CALLS = 500

/** Reads updates; `show` gets each event as soon as all of it is known. */
export function createUpdateReader(
  show: (event: AgentEvent) => void,
  folder: () => string,
): UpdateReader {
  const calls = new Map<string, ToolCall>()
  let open = 0
  let count = 0
  /** the model has been answered, so what it says next is a new turn */
  let isAnswered = true
  let plan = ''
  let usedTokens: number | undefined
  let asked = ''

  function speak(event: AgentEvent): void {
    if (isAnswered && open === 0) {
      isAnswered = false
      show({ type: 'turn-start' })
    }
    show(event)
  }

  function showCall(call: ToolCall): void {
    if (call.isShown) return
    call.isShown = true
    speak({
      type: 'tool-call',
      id: call.uniqueId,
      name: nameOf(call),
      args: argsOf(call, folder()),
    })
    open++
  }

  function showResult(call: ToolCall): void {
    // calls that are waiting to be told were made side by side with this one
    for (const other of calls.values()) {
      if (!other.isShown && hasInput(other.fields.rawInput)) showCall(other)
    }
    showCall(call)
    call.isDone = true
    open = Math.max(0, open - 1)
    isAnswered = true
    const event = { type: 'tool-result', id: call.uniqueId, output: outputOf(call) } as const
    show(isFailed(call) ? { ...event, isError: true } : event)
    call.fields = {}
  }

  function find(update: Json): ToolCall {
    const id = textOf(update.toolCallId) ?? ''
    const known = calls.get(id)
    // an id that comes again after its answer is another call
    if (known && !(known.isDone && update.sessionUpdate === 'tool_call')) return known
    const call = startCall(id, count++, update)
    calls.delete(id)
    calls.set(id, call)
    const [oldest] = calls.keys()
    if (calls.size > MAX_CALLS && oldest !== undefined) calls.delete(oldest)
    return call
  }

  function readCall(update: Json): void {
    const call = find(update)
    if (call.isDone) return
    updateCall(call, update)
    const { status } = call.fields
    if (status === 'in_progress') showCall(call)
    if (status === 'completed' || status === 'failed') showResult(call)
  }

  /** A plan is a call that the agent makes to itself; agents that repeat it unchanged did not make one. */
  function readPlan(update: Json): void {
    const entries = objectsOf(update.entries).map(({ content, status }) => ({ content, status }))
    const told = JSON.stringify(entries)
    if (told === plan) return
    plan = told
    speak({ type: 'tool-call', name: 'update_plan', args: { entries } })
    show({ type: 'tool-result', name: 'update_plan', output: 'ok' })
    isAnswered = true
  }

  /** The context only: how much a request has cost is not told. */
  function readUsage({ used }: Json): void {
    if (typeof used !== 'number') return
    const grown = used - (usedTokens ?? used)
    usedTokens = used
    if (grown > 0) show({ type: 'usage', inputTokens: grown })
  }

  return {
    read(update) {
      const type = update.sessionUpdate
      const text = textOf(objectOf(update.content).text)
      if (type === 'user_message_chunk') {
        asked += text ?? ''
        return
      }
      if (asked !== '') {
        show({ type: 'prompt', text: asked })
        asked = ''
      }
      switch (type) {
        case 'agent_message_chunk':
          if (text !== undefined) speak({ type: 'text', text })
          return
        case 'agent_thought_chunk':
          if (text !== undefined) speak({ type: 'reasoning', text })
          return
        case 'tool_call':
        case 'tool_call_update':
          return readCall(update)
        case 'plan':
          return readPlan(update)
        case 'usage_update':
          return readUsage(update)
        case 'compaction_update':
          if (update.status === 'completed') show({ type: 'compaction' })
      }
    },
    readPermission(toolCall) {
      const call = find(toolCall)
      const { status: _, ...fields } = toolCall
      if (!call.isDone) updateCall(call, fields)
      showCall(call)
      return call.uniqueId
    },
    restart() {
      asked = ''
      open = 0
      isAnswered = true
      // what is still told about them belongs to the turn that is over
      for (const call of calls.values()) call.isShown = call.isDone = true
    },
  }
}
