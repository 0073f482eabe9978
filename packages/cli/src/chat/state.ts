import type { Approval, ClientEvent, GuardMode } from '@unloop/agent'
import type { Finding } from 'unloop'
import { type Editor, EMPTY, NO_PAST, type Past } from './editor.js'
import type { SessionSummary } from './sessions.js'

/** When a loop began, as far as this chat has seen it. */
export interface Since {
  turn: number
  agoMs: number
}

/** Something that was said or done, and will not change any more. */
export type Item =
  | { type: 'person'; text: string }
  | { type: 'answer'; text: string; isFirst: boolean }
  | { type: 'thought'; text: string }
  | { type: 'call'; name: string; args: string; output?: string; isError?: boolean }
  | { type: 'warning'; finding: Finding }
  | { type: 'observed'; finding: Finding }
  | { type: 'loop'; finding: Finding }
  /** what the person decided, and what came of it */
  | { type: 'choice'; text: string }
  | { type: 'notice'; text: string }
  | { type: 'error'; message: string; advice: string }

/** What is going on right now. */
export interface Live {
  text: string
  reasoning: string
  /** the answer has lines that stand in the transcript already */
  isBegun: boolean
  calls: readonly { id: string; name: string; args: string }[]
}

/** A loop that is to be decided about. */
export interface Stuck {
  finding: Finding
  since?: Since
  /** the one tool that repeats itself, if it is one */
  tool?: string
}

export type Dialog =
  | ({ type: 'loop'; selected: number } & Stuck)
  | ({ type: 'hint' } & Stuck)
  | { type: 'approval'; approval: Approval; selected: number }
  | { type: 'sessions'; sessions: readonly SessionSummary[]; selected: number }
  /** whether the configuration of this folder is trusted; what it would do stands in the transcript */
  | { type: 'trust'; selected: number }

export interface Status {
  model: string
  turn: number
  tokens: number
  guard: GuardMode
  /** a loop may be building up: the detector that sees it */
  sign?: { detector: string; count: number; limit: number }
}

export interface ChatState {
  /** only ever added to */
  items: readonly Item[]
  live: Live
  isRunning: boolean
  dialog: Dialog | undefined
  editor: Editor
  past: Past
  status: Status
  /** where turns began, to tell how long a loop has been going on */
  marks: readonly { number: number; turn: number; at: number }[]
  /** the part of the guard that failed, and why */
  fault?: string
  /** the question on the screen: its number, which changes when the person keeps typing, and whether it takes answers */
  asked: { number: number; isListening: boolean }
  /** Ctrl+C was pressed once */
  isLeaving: boolean
}

/** What can happen to a chat. */
export type Action =
  /** an event of the agent, with the number of the guard's last event and the time */
  | { type: 'client'; event: ClientEvent; number: number; at: number }
  | { type: 'said'; items: readonly Item[] }
  | { type: 'run'; isRunning: boolean }
  | { type: 'status'; status: Status }
  | { type: 'edit'; editor: Editor; past?: Past }
  | { type: 'dialog'; dialog: Dialog | undefined }
  /** another line of the dialog is selected */
  | { type: 'select'; selected: number }
  /** the person keeps typing, and does not mean the question */
  | { type: 'typing' }
  /** the question of this number takes answers from now on */
  | { type: 'listen'; number: number }
  | { type: 'leaving'; isLeaving: boolean }

export const IDLE: Live = { text: '', reasoning: '', isBegun: false, calls: [] }

/** A chat in which nothing was said yet. */
export const startState = (): ChatState => ({
  items: [],
  live: IDLE,
  isRunning: false,
  dialog: undefined,
  editor: EMPTY,
  past: NO_PAST,
  status: { model: '', turn: 0, tokens: 0, guard: 'enforce' },
  marks: [],
  asked: { number: 0, isListening: false },
  isLeaving: false,
})
