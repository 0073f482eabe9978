import type { Finding } from '../finding.js'

/** Where a guard keeps what its run needs between events; the guard itself only saves it. */
export const HOST: unique symbol = Symbol.for('unloop.host')

/** What a host has to do about an event. */
export type Verdict =
  /** nothing; the finding, if there is one, is advice for the model or only reported */
  | { type: 'go'; finding?: Finding }
  /** this call must not run, or its answer must not be given: the reason is the answer instead */
  | { type: 'deny'; reason: string; finding: Finding }
  /** this message has to end here; the run goes on */
  | { type: 'cut'; finding: Finding }
  /** the run has to end here */
  | { type: 'stop'; reason: string; finding: Finding }

/** A call that was shown, and what was decided about it and about its answer. */
export interface SeenCall {
  id: string | undefined
  name: string
  /** equal for equal calls, see `callKey` */
  key: string
  /** the turn in which it was made */
  turn: number
  verdict: Verdict
  /** what was decided about its answer, once it came */
  answer?: Verdict
}

/** What a run needs between events: all of it plain JSON. */
export interface HostState {
  /** how many turns were announced */
  turn: number
  /** the last message was cut, or should have been */
  isCut: boolean
  /** something here cannot be guarded */
  isUnguarded: boolean
  /** words that the model has not been told yet */
  advice: string[]
  /** the last calls, oldest first */
  calls: SeenCall[]
}

export const startHost = (): HostState => ({
  turn: 0,
  isCut: false,
  isUnguarded: false,
  advice: [],
  calls: [],
})

// more calls than a request has new answers for; of older ones the model has the answers
const SAVED_CALLS = 100

/** The state for a snapshot: the last calls, and all of those that were refused and may be in a history. */
export function saveHost({ calls, ...rest }: HostState): HostState {
  const from = calls.length - SAVED_CALLS
  return { ...rest, calls: calls.filter((call, at) => at >= from || isRefused(call)) }
}

const isRefused = ({ verdict, answer }: SeenCall) =>
  verdict.type !== 'go' || (answer !== undefined && answer.type !== 'go')
