import { callWith, type Run, reasonOf, showResult } from '../../host/run.js'
import type { Any } from '../shared/any.js'
import { textOf } from '../shared/words.js'

/** What we read of a message. */
export interface Message {
  role: string
  content: unknown
}

/** Whether there is an answer to a call that was shown. */
export const hasKnown = (link: Run, messages: readonly Message[]): boolean =>
  messages
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .some(({ type, toolCallId }: Any) => type === 'tool-result' && callWith(link, toolCallId))

/** Tells what a run begins with: words of the person, or the answers to calls that the program runs itself; gives reasons for the model. */
export function begin(link: Run, messages: readonly Message[]): string[] {
  const last = messages.at(-1)
  if (last?.role === 'user') link.decide({ type: 'prompt', text: textOf(last.content) })
  const answers = messages.slice(messages.findLastIndex(({ role }) => role !== 'tool') + 1)
  return answers
    .flatMap(({ content }) => content as Any[])
    .flatMap(({ type, toolCallId: id, toolName: name, output }) => {
      const call = callWith(link, id)
      if (type !== 'tool-result' || !call || call.answer) return []
      const isError = /^error/.test(output?.type)
      const answer = { type, id, name, output: output?.value, isError } as const
      const verdict = showResult(link, answer, call)
      return reasonOf(call.verdict) ?? reasonOf(verdict) ?? []
    })
}
