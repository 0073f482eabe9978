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

/** What a run needs between events of one agent: all of it plain JSON. */
export interface SpeakerState {
  /** how many turns were announced */
  turn: number
  /** the last message was cut, or should have been */
  isCut: boolean
  /** something here cannot be guarded */
  isUnguarded: boolean
  /** what is shown happened before, and was reported then */
  isReplaying: boolean
  /** words that the model has not been told yet */
  advice: string[]
  /** the last calls, oldest first */
  calls: SeenCall[]
}

/** The same, with that of the sub-agents that were heard last, oldest first. */
export interface HostState extends SpeakerState {
  agents: Record<string, SpeakerState>
}

const startSpeaker = (): SpeakerState => ({
  turn: 0,
  isCut: false,
  isUnguarded: false,
  isReplaying: false,
  advice: [],
  calls: [],
})

export const startHost = (): HostState => ({ ...startSpeaker(), agents: {} })

// as many as run side by side in one round, mostly
const MAX_AGENTS = 8

/** What a run needs between events of a sub-agent, or of the agent itself. */
export function speakerOf(host: HostState, agent: string | undefined): SpeakerState {
  if (agent === undefined) return host
  const known = Object.hasOwn(host.agents, agent) ? host.agents[agent] : undefined
  if (known) return known
  const [oldest = ''] = Object.keys(host.agents)
  if (Object.keys(host.agents).length >= MAX_AGENTS) delete host.agents[oldest]
  const state = startSpeaker()
  host.agents[agent] = state
  return state
}

// more calls than a request has new answers for; of older ones the model has the answers
const SAVED_CALLS = 100
const SAVED_AGENT_CALLS = 20

/** The state for a snapshot: the last calls, and all of those that were refused and may be in a history. */
export function saveHost({ agents, ...own }: HostState): HostState {
  const saved = Object.entries(agents).map(([name, state]) => [
    name,
    saveSpeaker(state, SAVED_AGENT_CALLS),
  ])
  return { ...saveSpeaker(own, SAVED_CALLS), agents: Object.fromEntries(saved) }
}

function saveSpeaker({ calls, ...rest }: SpeakerState, kept: number): SpeakerState {
  const from = calls.length - kept
  return { ...rest, calls: calls.filter((call, at) => at >= from || isRefused(call)) }
}

const isRefused = ({ verdict, answer }: SeenCall) =>
  verdict.type !== 'go' || (answer !== undefined && answer.type !== 'go')
