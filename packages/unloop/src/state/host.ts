import { type Finding, findingOf } from '../finding.js'

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
}

const startSpeaker = (): SpeakerState => ({
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

// usually as many as run side by side in one round
const MAX_AGENTS = 8

/** The state for a sub-agent, or for the agent itself. */
export function speakerOf(host: HostState, agent: string | undefined): SpeakerState {
  if (agent === undefined) return host
  // so that no name is one that objects have
  const name = `@${agent}`
  const known = host.agents[name]
  if (known) return known
  const [oldest = ''] = Object.keys(host.agents)
  if (Object.keys(host.agents).length >= MAX_AGENTS) delete host.agents[oldest]
  const state = startSpeaker()
  host.agents[name] = state
  return state
}

// more calls than a request has new answers for; the model already has the older answers
const SAVED_CALLS = 40
const SAVED_AGENT_CALLS = 10
// refused calls stay in the history of the client, and their reasons have to stay in the requests
const SAVED_REFUSALS = 20

/** What a snapshot has of a run: a call is a list, for there are many of them. */
export interface SavedHost extends Omit<SpeakerState, 'calls'> {
  requests: number
  tools: string[]
  calls: SavedCall[]
  agents: Record<string, Omit<SpeakerState, 'calls'> & { calls: SavedCall[] }>
}

type SavedCall = [
  id: string | null,
  name: string,
  key: string,
  turn: number,
  verdict: SavedVerdict,
  answer?: SavedVerdict,
]

/** 0 to go on without a finding, else what was decided, with the identity and the strike of the finding. */
type SavedVerdict = 0 | [type: Verdict['type'], reason: string, identity: string, strike: number]

/** The state for a snapshot: the last calls, and the last of those that were refused. */
export function saveHost({ agents, tools, requests, ...own }: HostState): SavedHost {
  const saved = Object.entries(agents).map(([name, state]) => [
    name,
    saveSpeaker(state, SAVED_AGENT_CALLS),
  ])
  return { ...saveSpeaker(own, SAVED_CALLS), requests, tools, agents: Object.fromEntries(saved) }
}

/** The state that was saved; verdicts find their findings among those of the guard. */
export function loadHost(
  { agents, tools, requests, ...own }: SavedHost,
  findings: readonly Finding[],
): HostState {
  const load = ({
    calls,
    ...rest
  }: Omit<SavedHost, 'agents' | 'tools' | 'requests'>): SpeakerState => ({
    ...rest,
    calls: calls.map((call) => loadCall(call, findings)),
  })
  const loaded = Object.entries(agents).map(([name, state]) => [name, load(state)])
  return { ...load(own), requests, tools, agents: Object.fromEntries(loaded) }
}

// longer ids are nobody's
const MAX_ID = 200

function saveSpeaker({ calls: all, ...rest }: SpeakerState, kept: number) {
  const calls = all.filter(({ id = '', name }) => id.length <= MAX_ID && name.length <= MAX_ID)
  const refused = calls.filter(isRefused).slice(-SAVED_REFUSALS)
  const last = new Set([...refused, ...calls.slice(-kept)])
  return { ...rest, calls: calls.filter((call) => last.has(call)).map(saveCall) }
}

const isRefused = ({ verdict, answer }: SeenCall) =>
  verdict.type !== 'go' || (answer !== undefined && answer.type !== 'go')

function saveCall({ id, name, key, turn, verdict, answer }: SeenCall): SavedCall {
  const call: SavedCall = [id ?? null, name, key, turn, saveVerdict(verdict)]
  if (answer) call.push(saveVerdict(answer))
  return call
}

function saveVerdict(verdict: Verdict): SavedVerdict {
  if (!verdict.finding) return 0
  const { identity, strike } = verdict.finding
  return [verdict.type, 'reason' in verdict ? verdict.reason : '', identity, strike]
}

function loadCall(
  [id, name, key, turn, verdict, answer]: SavedCall,
  findings: readonly Finding[],
): SeenCall {
  return {
    id: id ?? undefined,
    name,
    key,
    turn,
    verdict: loadVerdict(verdict, findings),
    ...(answer !== undefined && { answer: loadVerdict(answer, findings) }),
  }
}

function loadVerdict(saved: SavedVerdict, findings: readonly Finding[]): Verdict {
  if (saved === 0) return { type: 'go' }
  const [type, reason, identity, strike] = saved
  const known = findings.filter((finding) => finding.identity === identity)
  const finding =
    known.find((one) => one.strike === strike) ??
    known.at(-1) ??
    findingOf('unloop', 'unloop', 'a loop that is over', reason)
  return type === 'deny' || type === 'stop' ? { type, reason, finding } : { type, finding }
}
