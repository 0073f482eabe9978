import type { Choice, Message } from '@unloop/agent'
import type { Finding } from 'unloop'
import { describeChoice, plural } from 'unloop/words'

/** What a decision did, for the transcript. */
export function describeDecision(
  choice: Choice,
  finding: Finding | undefined,
  before: readonly Message[],
  after: readonly Message[],
): string {
  const words = describeChoice({ tool: finding?.tool, ...choice })
  if (choice.type === 'go-back') return `${words} ${removed(before, after)}`
  if (choice.type === 'disable') return `${words} /guard enforce turns the guard on again.`
  return words
}

function removed(before: readonly Message[], after: readonly Message[]): string {
  const gone = before.length - after.length
  const calls = callsIn(before) - callsIn(after)
  return `Removed: ${plural(gone, 'message')}${calls > 0 ? ` with ${plural(calls, 'call')}` : ''}.`
}

const callsIn = (messages: readonly Message[]) =>
  messages
    .flatMap((message) => (message.role === 'assistant' ? message.content : []))
    .filter(({ type }) => type === 'tool-call').length
