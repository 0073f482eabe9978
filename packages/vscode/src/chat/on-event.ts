import type { ClientEvent, ModelErrorKind } from '@unloop/agent'
import type { Finding } from 'unloop'
import type { Translate } from 'unloop/words'
import { never } from '../never.js'
import { toSentence } from '../sentences.js'
import type { Chat } from './chat.js'
import type { ItemAction } from './item.js'

/** What the events of an agent lead to. */
export interface Handling {
  chat: Chat
  t: Translate
  /** number of the guard's event this one is */
  number: number
  now: number
  /** the agent that does it, if there are several */
  agent: string | undefined
  /** what a loop has cost, where that is known */
  dollars(finding: Finding): { dollars?: number }
  onWarning(finding: Finding): void
  onLoop(finding: Finding): void
  /** part of the guard failed */
  onFault(text: string): void
  onError(message: string): void
}

// what a person reads of an answer; the model has all of it
const SHOWN = 4000

// the part that the agent names when its conversation cannot be written; the guard is well then
const SAVING = 'saving the conversation'

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
      const state = event.isWithheld ? 'withheld' : event.outcome
      return chat.finishCall(event.id, state, shorten(event.output), number)
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
      if (event.part === SAVING) {
        chat.add({ type: 'notice', text: t('Cannot save the chat: {0}', event.message) })
        return handling.onError(`${event.part}: ${event.message}`)
      }
      const fault = `${event.part}: ${event.message}`
      const text = t('Part of the guard failed: {0} The rest continues.', toSentence(fault))
      chat.add({ type: 'notice', text })
      return handling.onFault(fault)
    }
    case 'loop_warning':
      chat.add({
        ...{ type: 'warning', finding: event.finding, at: now, isObserved: false },
        ...handling.dollars(event.finding),
      })
      return handling.onWarning(event.finding)
    case 'loop_detected':
      return handling.onLoop(event.finding)
    case 'turn-limit':
      chat.add({
        type: 'notice',
        text:
          event.turns === event.limit
            ? t('Stopped after {0} turns, the limit for one message.', event.turns)
            : t(
                'Stopped: {0} turns so far; the limit is {1} per message.',
                event.turns,
                event.limit,
              ),
        actions: ['resume', 'retry'],
      })
      return
    case 'error':
      chat.add({
        type: 'error',
        message: event.message,
        advice: event.advice,
        actions: isOfSettings(event.kind)
          ? ['set-key', 'open-settings', 'resume', 'retry']
          : ['resume', 'retry'],
      })
      return handling.onError(`${event.kind}: ${event.message}`)
    case 'finished':
      chat.endText()
      if (event.reason === 'done') return
      chat.add({ type: 'notice', text: endOf(event.reason, t), actions: actionsFor(event.reason) })
      return
    default:
      return never(event)
  }
}

/** Whether another key or another name of the model may help. */
const isOfSettings = (kind: ModelErrorKind) => kind === 'configuration' || kind === 'refused'

/** What can be done about an end that is none; a model that declined is not moved by the same words. */
const actionsFor = (reason: 'length' | 'refused' | 'aborted'): ItemAction[] =>
  reason === 'refused' ? ['retry'] : ['resume', 'retry']

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
