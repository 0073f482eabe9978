import type { CallOutcome } from '@unloop/agent'
import type { Finding } from 'unloop'

/** Something the editor shows that goes along with a message. */
export interface ContextPart {
  kind: 'file' | 'selection'
  /** what tells it from the other parts, and from itself once it has changed */
  id: string
  /** what the person sees of it */
  label: string
  path: string
  language: string
  /** the lines it is about, from 1 */
  lines?: [first: number, last: number]
  text?: string
}

/** What a button of a notice does. */
export type ItemAction = 'resume' | 'retry' | 'set-key' | 'open-settings'

/**
 * What became of a call. One that is `waiting` needs the person's permission; one that is `withheld` has run, and the model was told off instead of given the answer; of one
 * that is `lost` nothing more is known, since the program ended.
 */
export type CallState = 'running' | 'waiting' | CallOutcome | 'withheld' | 'lost'

/** One thing in the chat. */
export type ChatItem = { numbers?: Numbers; isUndone?: boolean; isLoop?: boolean } & (
  | { type: 'person'; id: string; text: string; context: ContextPart[] }
  | { type: 'answer'; text: string; agent?: string }
  | { type: 'thought'; text: string; agent?: string }
  | {
      type: 'call'
      id: string
      name: string
      args: string
      state: CallState
      output: string
      agent?: string
    }
  | {
      type: 'question'
      id: string
      tool: string
      question: string
      /** what is granted if the person allows it for good */
      scopes?: readonly string[]
      answer?: boolean
      /** the run ended before the person had answered */
      isCancelled?: boolean
    }
  /** a loop was seen and the run went on; `isObserved` if nothing was done about it, `call` is what became of the call it is about */
  | {
      type: 'warning'
      finding: Finding
      at: number
      isObserved: boolean
      call?: 'refused' | 'ran'
      dollars?: number
    }
  /** a loop ended the run; `decision` is what the person made of it */
  | {
      type: 'loop'
      id: string
      finding: Finding
      at: number
      decision?: string
      /** what its tokens cost, where the price is known */
      dollars?: number
    }
  | { type: 'notice'; text: string; actions?: ItemAction[] }
  | { type: 'error'; message: string; advice: string; actions?: ItemAction[] }
)

/** The guard's first and last event an item was made of. */
export type Numbers = [first: number, last: number]

export type ItemOf<Type extends ChatItem['type']> = Extract<ChatItem, { type: Type }>
