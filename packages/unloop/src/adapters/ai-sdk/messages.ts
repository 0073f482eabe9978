import type { AgentEvent } from '../../event.js'
import { callWith, type Run, reasonOf, showResult } from '../../host/run.js'
import type { Any } from '../shared/any.js'
import { textOf } from '../shared/words.js'
import { idOf, toCall } from './tools.js'

/** What we read of a message. */
export interface Message {
  role: string
  content: unknown
}

type ToolResult = Extract<AgentEvent, { type: 'tool-result' }>

/** What a history tells, as a pure function of it. */
export const toEvents = (messages: readonly Message[]): AgentEvent[] =>
  messages.flatMap((message, at) => {
    if (message.role === 'user') return { type: 'prompt', text: textOf(message.content) }
    if (message.role === 'assistant') return toTurn(message)
    // all answers of a round at once, since they come in any order
    return message.role === 'tool' && messages[at - 1]?.role !== 'tool'
      ? toResults(messages, at)
      : []
  })

function toTurn({ content }: Message): AgentEvent[] {
  const parts: Any[] = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  return parts.flatMap((part): AgentEvent | [] => {
    const { type, text } = part
    if (type === 'tool-call') return toCall(part)
    if (type === 'tool-result') return toResult(part)
    return (type === 'text' || type === 'reasoning') && text ? { type, text } : []
  })
}

/** The answers to a round in the order of its calls. */
function toResults(messages: readonly Message[], at: number): ToolResult[] {
  const end = messages.findIndex(({ role }, index) => index > at && role !== 'tool')
  const calls = partsOf(messages.slice(Math.max(0, at - 1), at))
  const ids: (string | undefined)[] = calls.map(idOf)
  const results = partsOf(messages.slice(at, end < 0 ? undefined : end)).map((part) => {
    if (part.toolCallId) return toResult(part)
    // without ids, the name and the order tell which answer belongs to which call
    const made = calls.findIndex(
      ({ toolCallId, toolName }) => !toolCallId && toolName === part.toolName,
    )
    const [call = part] = made < 0 ? [] : calls.splice(made, 1)
    return toResult({ ...part, toolCallId: idOf(call) })
  })
  return results.sort((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id))
}

const partsOf = (messages: readonly Message[]): Any[] =>
  messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .filter(({ type }) => type === 'tool-call' || type === 'tool-result')

const toResult = ({ toolCallId: id, toolName: name, output }: Any): ToolResult => ({
  type: 'tool-result',
  id,
  name,
  output: output?.value,
  isError: /^error/.test(output?.type),
})

/** Whether there is an answer to a call that was shown. */
export const hasKnown = (run: Run, messages: readonly Message[]): boolean =>
  partsOf(messages).some((part) => callWith(run, idOf(part)))

/**
 * Tells what a request begins with: words of the person, or the answers to calls that the program runs itself; gives reasons for
 * the model.
 */
export function begin(run: Run, messages: readonly Message[], asked: Any): string[] {
  const last = messages.at(-1)
  // some rules depend on the model
  const model: unknown = asked?.modelId ?? asked
  if (last?.role === 'user')
    run.decide({
      type: 'prompt',
      text: textOf(last.content),
      ...(typeof model === 'string' && { model }),
    })
  const from = messages.findLastIndex(({ role }) => role !== 'tool') + 1
  if (from === messages.length) return []
  return toResults(messages, from).flatMap((answer) => {
    const call = callWith(run, answer.id)
    if (!call || call.answer) return []
    const verdict = showResult(run, answer, call)
    return reasonOf(call.verdict) ?? reasonOf(verdict) ?? []
  })
}
