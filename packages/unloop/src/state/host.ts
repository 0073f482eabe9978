import type { Finding } from '../finding.js'

/** Where a guard keeps the state of its run between events. */
export const HOST: unique symbol = Symbol.for('unloop.host')

/** What a host must do about an event. */
export type Verdict =
  /** nothing; a finding, if there is one, is advice for the model or only a report */
  | { type: 'go'; finding?: Finding }
  /** this call must not run, or its answer must not be used: the reason is the answer instead */
  | { type: 'deny'; reason: string; finding: Finding }
  /** this message must end here; the run continues */
  | { type: 'cut'; finding: Finding }
  /** the run must end here */
  | { type: 'stop'; reason: string; finding: Finding }

/** A call that was seen, with the verdicts on it and on its answer. */
export interface SeenCall {
  id: string | undefined
  name: string
  /** equal for equal calls, see `callKey` */
  key: string
  /** the turn in which it was made */
  turn: number
  verdict: Verdict
  /** the verdict on its answer, once it came */
  answer?: Verdict
}

/** The state of a run between events of one agent, as plain JSON. */
export interface SpeakerState {
  /** how many turns were announced */
  turn: number
  /** the last message was cut, or should have been */
  isCut: boolean
  /** some part cannot be guarded */
  isUnguarded: boolean
  /** the events happened before, and were reported then */
  isReplaying: boolean
  /** advice that the model has not read yet */
  advice: string[]
  /** the last calls, oldest first */
  calls: SeenCall[]
}

/** The same, plus the state of the most recent sub-agents, oldest first. */
export interface HostState extends SpeakerState {
  /** nothing is decided about the events, while there are such */
  isPast?: boolean
  /** how many prompts were new requests */
  requests: number
  /** the tools that the last request offered, if requests are seen */
  tools: string[]
  agents: Record<string, SpeakerState>
  /** its form in a snapshot, from the run; without one, nothing happened, or it still is in that form */
  save?: () => SavedHost
}

export const startSpeaker = (): SpeakerState => ({
  turn: 0,
  isCut: false,
  isUnguarded: false,
  isReplaying: false,
  advice: [],
  calls: [],
})

export const startHost = (): HostState => ({
  ...startSpeaker(),
  requests: 0,
  tools: [],
  agents: {},
})

/** What a snapshot has of a run: a call is a list, for there are many of them. */
export interface SavedHost extends Omit<SpeakerState, 'calls'> {
  requests: number
  tools: string[]
  calls: SavedCall[]
  agents: Record<string, Omit<SpeakerState, 'calls'> & { calls: SavedCall[] }>
}

export type SavedCall = [
  id: string | null,
  name: string,
  key: string,
  turn: number,
  verdict: SavedVerdict,
  answer?: SavedVerdict,
]

/** 0 to go on without a finding, else what was decided, with the identity and the strike of the finding. */
export type SavedVerdict =
  | 0
  | [type: Verdict['type'], reason: string, identity: string, strike: number]
