import type { AgentEvent } from '../../event.js'
import { type CallEvent, callWith, type ResultEvent, type Run, showResult } from '../../host/run.js'
import { callKey } from '../../reading/call-key.js'
import type { Any } from '../shared/any.js'
import { promptOf, textOf } from '../shared/words.js'
import { toWords } from './model.js'

/** What we read of a call. */
export interface Call {
  id?: string
  name: string
  args: unknown
}

/** Some servers give calls no ids; then what it calls tells which it is. */
const idOf = ({ id, name, args }: Call) => id || callKey(name, args)

export const toCall = (call: Call): CallEvent => ({
  type: 'tool-call',
  id: idOf(call),
  name: call.name,
  args: call.args,
})

export const toResult = (call: Call, output: unknown, isError: boolean): ResultEvent => ({
  type: 'tool-result',
  id: idOf(call),
  name: call.name,
  output,
  isError,
})

/** What a history tells, as a pure function of it. */
export const toEvents = (messages: readonly Any[]): AgentEvent[] =>
  messages.flatMap((message): AgentEvent[] => {
    const { type, content, tool_calls = [] } = message
    if (type === 'human') return [{ type: 'prompt', text: textOf(content) }]
    if (type === 'ai') return [...toWords(message), ...tool_calls.map(toCall)]
    return type === 'tool' ? [toAnswer(message)] : []
  })

const toAnswer = ({ tool_call_id: id, name, content, status }: Any): ResultEvent => ({
  type: 'tool-result',
  id,
  name,
  output: content,
  isError: status === 'error',
})

/** Tells what a request begins with: words of the person, or answers of tools that were run elsewhere. */
export function begin(run: Run, messages: readonly Any[]): void {
  const text = promptOf(messages, roleOf)
  if (text !== undefined) run.decide({ type: 'prompt', text })
  for (const message of messages.slice(messages.findLastIndex(isAi) + 1)) {
    const call = message.type === 'tool' ? callWith(run, message.tool_call_id) : undefined
    if (call && !call.answer) showResult(run, toAnswer(message), call)
  }
}

export const isAi = ({ type }: Any) => type === 'ai'

const roleOf = ({ type }: Any): string => ROLES[type] ?? type

const ROLES: Record<string, string> = { ai: 'assistant', human: 'user' }

/** Tells of an answer of the model, all its calls before the first of them runs; gives what it tells. */
export function seeAnswer(run: Run, message: Any, isHeard: boolean): readonly AgentEvent[] {
  const calls: CallEvent[] = (message.tool_calls ?? []).map(toCall)
  if (!isHeard) for (const words of toWords(message)) run.decide(words)
  run.decideRound(calls)
  const { input_tokens: inputTokens = 0, output_tokens: outputTokens = 0 } =
    message.usage_metadata ?? {}
  run.decide({ type: 'usage', inputTokens, outputTokens })
  run.decide({ type: 'turn-end' })
  return calls
}
