import { type Finding, findingOf } from '../finding.js'
import {
  type HostState,
  type SavedCall,
  type SavedHost,
  type SavedVerdict,
  type SeenCall,
  type SpeakerState,
  startSpeaker,
  type Verdict,
} from '../state/host.js'

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

/** Makes the state ready for a run: what was saved is read, and can be saved again. */
export function openHost(host: HostState, findings: readonly Finding[]): void {
  if (host.save) return
  Object.assign(host, loadHost(host as unknown as SavedHost, findings))
  host.save = () => saveHost(host)
}

/** The state for a snapshot: the last calls, and the last of those that were refused. */
function saveHost({ agents, tools, requests, save: _, ...own }: HostState): SavedHost {
  const saved = Object.entries(agents).map(([name, state]) => [
    name,
    saveSpeaker(state, SAVED_AGENT_CALLS),
  ])
  return { ...saveSpeaker(own, SAVED_CALLS), requests, tools, agents: Object.fromEntries(saved) }
}

/** The state that was saved; verdicts find their findings among those of the guard. */
function loadHost(
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
