import type { Choice, GuardMode } from '@unloop/agent'
import type { ChatItem, ContextPart, ItemAction } from './chat/item.js'
import type { LoopWords } from './chat/loop-words.js'
import type { ViewWords } from './view-words.js'

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
  | { type: 'reveal'; index: number }
  | { type: 'focus' }

/** What the view tells the host. */
export type FromView =
  | { type: 'ready' }
  | { type: 'send'; text: string }
  | { type: 'stop' }
  | { type: 'choose'; id: string; choice: Choice }
  | { type: 'answer'; id: string; isAgreed: boolean }
  | { type: 'remove-context'; id: string }
  | { type: 'act'; action: ItemAction }
