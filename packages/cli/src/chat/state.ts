import type { Approval, CallOutcome, ClientEvent, GuardMode } from '@unloop/agent'
import type { Finding } from 'unloop'
import type { CallFate } from 'unloop/words'
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
  /** whole blocks of Markdown; `isJoined` if the first of them began in the item before, `isBroken` if the model was asked again */
  | { type: 'answer'; text: string; isJoined?: boolean; isBroken?: boolean }
  | { type: 'thought'; text: string }
  /** `output` is whole: the screen folds it */
  | {
      type: 'call'
      name: string
      args: string
      output?: string
      isError?: boolean
      outcome?: CallOutcome
      /** it ran, and the model did not get its answer */
      isWithheld?: boolean
    }
  /** `call` is what became of the call that the guard refused, or whose answer it withheld */
  | { type: 'warning'; finding: Finding; call?: CallFate }
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
  /** the text goes on within a block that stands in the transcript already */
  isJoined: boolean
  calls: readonly { id: string; name: string; args: string }[]
  /** the model has said all of this turn, and its calls run */
  isSaid: boolean
  /** the model was asked, and has neither written nor called anything yet */
  isSilent: boolean
}

/** A call of a loop, as it is shown beside the others. */
export interface LoopCall {
  name: string
  args: string
  output?: string
}

/** A loop that is to be decided about. */
export interface Stuck {
  finding: Finding
  since?: Since
  /** the one tool that repeats itself, if it is one */
  tool?: string
  /** the calls that repeat, of the last few laps; none if the loop is in the text */
  calls: readonly LoopCall[]
  /** what the session has cost so far, if the price is known */
  dollars?: number
}

export type Dialog =
  | ({ type: 'loop'; selected: number } & Stuck)
  | ({ type: 'hint' } & Stuck)
  /** `scopes` is what "always" would allow */
  | { type: 'approval'; approval: Approval; scopes: readonly string[]; selected: number }
  /** `sessions` are those that match the query */
  | { type: 'sessions'; sessions: readonly SessionSummary[]; query: string; selected: number }
  | { type: 'models'; models: readonly string[]; query: string; selected: number }
  /** whether the configuration of this folder is trusted; what it would do stands in the transcript */
  | { type: 'trust'; selected: number }

export interface Status {
  model: string
  turn: number
  tokens: number
  /** what the session has cost, if the price is known */
  dollars?: number
  /** the name that the person gave the conversation */
  name?: string
  guard: GuardMode
  /** a loop may be building up: the detector that sees it */
  sign?: { detector: string; count: number; limit: number }
}

/** What the word at the cursor may become. */
export interface Completion {
  options: readonly { text: string; note: string }[]
  selected: number
  /** where that word begins in the text */
  from: number
}

/** A search through what was sent before (Ctrl+R). */
export interface Search {
  query: string
  match?: string
}

export interface ChatState {
  /** only ever added to, unless `drawn` changes with it */
  items: readonly Item[]
  live: Live
  isRunning: boolean
  /** when the current run began */
  startedAt?: number | undefined
  /** lines that were typed during an answer, sent one after the other when it is over */
  queued: readonly string[]
  dialog: Dialog | undefined
  editor: Editor
  past: Past
  completion?: Completion | undefined
  search?: Search | undefined
  status: Status
  /** where turns began, to tell how long a loop has been going on */
  marks: readonly { number: number; turn: number; at: number }[]
  /** the part of the guard that failed, and why */
  fault?: string
  /** the question on the screen: its number, which changes when the person keeps typing, and whether it takes answers */
  asked: { number: number; isListening: boolean }
  /** Ctrl+C was pressed once */
  isLeaving: boolean
  /** output and thoughts are shown whole (Ctrl+O) */
  isExpanded: boolean
  /** changes whenever everything has to be drawn again */
  drawn: number
}

/** What can happen to a chat. */
export type Action =
  /** an event of the agent, with the number of the guard's last event and the time */
  | { type: 'client'; event: ClientEvent; number: number; at: number }
  | { type: 'said'; items: readonly Item[] }
  /** a run began then, or is over */
  | { type: 'run'; isRunning: boolean; at?: number }
  | { type: 'queue'; queued: readonly string[] }
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
  | { type: 'complete'; completion: Completion | undefined }
  | { type: 'search'; search: Search | undefined }
  /** the transcript starts over with these */
  | { type: 'clear'; items: readonly Item[] }
  | { type: 'expand' }
  | { type: 'redraw' }

export const IDLE: Live = {
  text: '',
  reasoning: '',
  isJoined: false,
  calls: [],
  isSaid: false,
  isSilent: false,
}

/** A chat in which nothing was said yet. */
export const startState = (): ChatState => ({
  items: [],
  live: IDLE,
  isRunning: false,
  queued: [],
  dialog: undefined,
  editor: EMPTY,
  past: NO_PAST,
  status: { model: '', turn: 0, tokens: 0, guard: 'enforce' },
  marks: [],
  asked: { number: 0, isListening: false },
  isLeaving: false,
  isExpanded: false,
  drawn: 0,
})
