import type { Choice, GuardMode } from '@unloop/agent'
import type { ChatItem, ContextPart, ItemAction } from './chat/item.js'
import type { LoopWords } from './chat/loop-words.js'
import type { Reading } from './chat-access.js'
import type { ViewWords } from './view-words.js'
import type { WaitingMessage } from './waiting.js'

/** How things stand, at a glance. */
export interface Status {
  isBusy: boolean
  model: string
  guardMode: GuardMode
  turn: number
  tokens: number
  /** loops of this chat that are certain, and those that are only likely; whether one waits for a decision */
  loops: number
  struggles: number
  isStopped: boolean
  /** questions of tools that wait for an answer */
  questions: number
  /** why the chat can only be read */
  reading?: Reading
  /** why there is no agent as the settings want it */
  problem?: string
  /** the part of the guard that failed, and why */
  fault?: string
  /** the rule that is nearest to a finding, if one is near */
  sign?: { detector: string; count: number; limit: number }
}

/** What the host tells the view. */
export type ToView =
  | { type: 'start'; words: ViewWords }
  | { type: 'chat'; items: { item: ChatItem; loop?: LoopWords }[] }
  | { type: 'item'; index: number; item: ChatItem; loop?: LoopWords }
  | { type: 'delta'; index: number; text: string }
  | { type: 'status'; status: Status }
  | { type: 'context'; parts: ContextPart[] }
  /** the messages that wait until the agent is free */
  | { type: 'waiting'; messages: readonly WaitingMessage[] }
  /** a message that was not sent goes back to where it was written */
  | { type: 'give-back'; text: string }
  /** which of the paths that the view asked about are files of the workspace */
  | { type: 'paths'; asked: readonly string[]; existing: readonly string[] }
  | { type: 'reveal'; index: number }
  | { type: 'focus' }

/** What the view tells the host. */
export type FromView =
  | { type: 'ready' }
  /** the keyboard is in the message, as was asked for */
  | { type: 'focused' }
  | { type: 'send'; text: string }
  | { type: 'stop' }
  | { type: 'remove-waiting'; id: string }
  | { type: 'choose'; id: string; choice: Choice }
  | { type: 'answer'; id: string; isAgreed: boolean; isForGood?: boolean }
  | { type: 'remove-context'; id: string }
  | { type: 'check-paths'; paths: readonly string[] }
  | { type: 'open-path'; path: string }
  /** code of an answer goes to the clipboard, or to the cursor */
  | { type: 'copy' | 'insert'; text: string }
  | { type: 'pick-model' }
  /** out of a chat that another window has open: a new one, or this one, which the other window is asked for */
  | { type: 'new-chat' }
  | { type: 'continue-here' }
  | { type: 'act'; action: ItemAction }
