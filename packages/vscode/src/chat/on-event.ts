import type { ClientEvent, ModelErrorKind } from '@unloop/agent'
import type { Finding } from 'unloop'
import { never } from '../never.js'
import type { Translate } from '../translate.js'
import type { Chat } from './chat.js'

/** What the events of an agent lead to. */
export interface Handling {
  chat: Chat
  t: Translate
  /** number of the guard's event this one is */
  number: number
  now: number
  /** the agent that does it, if there are several */
  agent: string | undefined
  onWarning(finding: Finding): void
  onLoop(finding: Finding): void
  /** part of the guard failed */
  onFault(text: string): void
  onError(message: string): void
}

// what a person reads of an answer; the model has all of it
const SHOWN = 4000

/** Does what an event asks for. Every type has its case, so that none can be dropped unseen. */
export function onEvent(event: ClientEvent, handling: Handling): void {
  const { chat, t, number, now, agent } = handling
  switch (event.type) {
    case 'prompt':
    case 'usage':
      // the chat has the message already; tokens are in the status
      return
    case 'turn-start':
    case 'turn-end':
      return chat.endText()
    case 'text':
      return chat.write('answer', event.text, number, agent)
    case 'reasoning':
      return chat.write('thought', event.text, number, agent)
    case 'tool-call': {
      const { id, name } = event
      chat.add({
        ...{ type: 'call', id, name, args: showArgs(event.args), state: 'running', output: '' },
        ...{ numbers: [number, number], ...(agent !== undefined && { agent }) },
      })
      return
    }
    case 'tool-result': {
      return chat.finishCall(event.id, stateOf(event), shorten(event.output), number)
    }
    case 'retry':
      chat.endText()
      chat.add({
        type: 'notice',
        text: t('Asking the model again ({0}).', event.reason),
      })
      return
    case 'handoff':
      chat.add({ type: 'notice', text: t('Handed to {0}: {1}', event.to, event.text) })
      return
    case 'compaction':
      chat.add({
        type: 'notice',
        text: t(
          'The conversation was shortened from {0} to {1} messages.',
          event.messages,
          event.kept,
        ),
      })
      return
    case 'fault': {
      const fault = `${event.part}: ${event.message}`
      const text = t('Part of the guard failed: {0}. The rest continues.', fault)
      chat.add({ type: 'notice', text })
      return handling.onFault(fault)
    }
    case 'loop_warning':
      chat.add({ type: 'warning', finding: event.finding, at: now, isObserved: false })
      return handling.onWarning(event.finding)
    case 'loop_detected':
      return handling.onLoop(event.finding)
    case 'turn-limit':
      chat.add({
        type: 'notice',
        text: t('Stopped after {0} turns, the limit for one message.', event.turns),
        actions: ['resume'],
      })
      return
    case 'error':
      chat.add({
        type: 'error',
        message: event.message,
        advice: event.advice,
        actions: isOfSettings(event.kind) ? ['set-key', 'open-settings', 'resume'] : ['resume'],
      })
      return handling.onError(`${event.kind}: ${event.message}`)
    case 'finished':
      chat.endText()
      if (event.reason !== 'done') chat.add({ type: 'notice', text: endOf(event.reason, t) })
      return
    default:
      return never(event)
  }
}

/** Whether another key or another name of the model may help. */
const isOfSettings = (kind: ModelErrorKind) => kind === 'configuration' || kind === 'refused'

/** Calls that the guard or the person refused are answered so by the agent. */
function stateOf({ isError, output }: { isError: boolean; output: string }) {
  if (!isError) return 'done'
  return /^Not run\b/.test(output) ? 'refused' : 'failed'
}

function endOf(reason: 'length' | 'refused' | 'aborted', t: Translate): string {
  switch (reason) {
    case 'length':
      return t("The answer was cut off: it reached the model's length limit.")
    case 'refused':
      return t('The model declined to answer.')
    case 'aborted':
      return t('Stopped.')
    default:
      return never(reason)
  }
}

function showArgs(args: unknown): string {
  if (typeof args !== 'object' || args === null) return args === undefined ? '' : String(args)
  const entries = Object.entries(args).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  )
  return shorten(entries.join('\n'))
}

const shorten = (text: string) => (text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text)
