import type { Choice, Message } from '@unloop/agent'
import type { Finding } from 'unloop'
import { plural } from 'unloop/words'
import { never } from '../never.js'

/** What a decision did, for the transcript. */
export function describeChoice(
  choice: Choice,
  finding: Finding | undefined,
  before: readonly Message[],
  after: readonly Message[],
): string {
  switch (choice.type) {
    case 'stop':
      return 'stopped: the prompt ends here, and the model will read why'
    case 'continue-once':
      return 'continued once: the next report of this loop is ignored'
    case 'allow':
      return `allowed: ${choice.tool ?? finding?.tool} may repeat in this session`
    case 'hint':
      return `hint to the model: ${choice.text}`
    case 'go-back':
      return `went back to before the loop: ${removed(before, after)} removed; the model tries again`
    case 'disable':
      return 'disabled: the guard does not look for loops in this session; the request continues (/guard enforce turns it on again)'
    default:
      return never(choice)
  }
}

function removed(before: readonly Message[], after: readonly Message[]): string {
  const gone = before.length - after.length
  const calls = callsIn(before) - callsIn(after)
  return `${plural(gone, 'message')}${calls > 0 ? ` with ${plural(calls, 'call')}` : ''}`
}

const callsIn = (messages: readonly Message[]) =>
  messages
    .flatMap((message) => (message.role === 'assistant' ? message.content : []))
    .filter(({ type }) => type === 'tool-call').length
