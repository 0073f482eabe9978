import type { Action, Certainty, Finding } from 'unloop'
import type { ProtocolName } from 'unloop/wire'

/** What the gateway has spared somebody. */
export interface Saved {
  requests: number
  tokens: number
  dollars: number
}

/** How a session is doing, in a word. */
export type SessionState = 'working' | 'struggling' | 'stuck' | 'stopped' | 'unguarded'

/** A finding, for people; without secrets, and shortened. */
export interface FindingView {
  at: number
  detector: string
  certainty: Certainty
  action: Action
  /** what the gateway did about it */
  outcome: string
  detail: string
  sample: string
  advice: string
  count: number
  tool?: string
  wasted: Finding['wasted']
}

/** What a person decided about a session. */
export interface Choice {
  at: number
  choice: ChoiceName
  tool?: string
  times?: number
  text?: string
}

export const CHOICES = ['stop', 'continue-once', 'allow', 'hint', 'disable'] as const
export type ChoiceName = (typeof CHOICES)[number]

/** What is known of a session, for people and other instances. */
export interface SessionView {
  id: string
  /** what the agent calls it, shortened */
  name: string
  agent: string
  protocol: ProtocolName
  model: string
  startedAt: number
  lastAt: number
  requests: number
  tokens: number
  dollars: number
  saved: Saved
  /** how close the closest detector is to a loop, from 0 to 1 */
  pressure: number
  state: SessionState
  findings: FindingView[]
  choices: Choice[]
}

/** The same, and what only the gateway needs. */
export interface Session extends SessionView {
  /** how many choices there have been, those included that are not listed any more */
  chosen: number
  /** when the person last said something */
  promptAt: number
  /** some of its requests offer tools */
  hasTools: boolean
  /** how many requests were made over its budget, and how often a person let it go on */
  over: number
  pardons: number
}

/** One line of a conversation, as the store has it: a sub-agent and a fork have their own. */
export interface LaneEntry {
  /** where it stands: the name of its history up to the last answer */
  place: string
  /** the same by the id of the last answer, where a request may go on from that */
  alias?: string | undefined
  persona: string
  /** its last answer made calls, so that it is not over */
  hasCalls: boolean
  at: number
  /** how often it was saved */
  version: number
}

/** What one request changes. */
export interface Update {
  about: Pick<SessionView, 'name' | 'agent' | 'protocol' | 'model'>
  at: number
  /** added to the totals */
  requests: number
  tokens: number
  dollars: number
  saved: Saved
  over: number
  state: SessionState
  pressure: number
  findings: FindingView[]
  /** the person said something */
  isPrompt: boolean
  hasTools: boolean
  lane?: LaneUpdate | undefined
}

export interface LaneUpdate extends LaneEntry {
  /** where it stood before; nobody will look for it there again */
  from: string | undefined
  /** its guard and the rest, as text */
  freeze(): string
}

/** A session and the lines of its conversation. */
export interface Opened {
  session: Session | undefined
  lanes: LaneEntry[]
}

// what a person needs to see; the rest is in the logs of the agent
const MAX_FINDINGS = 10
const MAX_CHOICES = 10

/** A session that nothing is known of yet. */
export const startSession = (id: string, at: number): Session => ({
  id,
  name: '',
  agent: '',
  protocol: 'openai-chat',
  model: '',
  startedAt: at,
  lastAt: at,
  requests: 0,
  tokens: 0,
  dollars: 0,
  saved: { requests: 0, tokens: 0, dollars: 0 },
  pressure: 0,
  state: 'working',
  findings: [],
  choices: [],
  chosen: 0,
  promptAt: 0,
  hasTools: false,
  over: 0,
  pardons: 0,
})

/** The session after a request. */
export function withUpdate(session: Session, update: Update): Session {
  const { about, at, saved, findings } = update
  return {
    ...session,
    ...about,
    lastAt: at,
    requests: session.requests + update.requests,
    tokens: session.tokens + update.tokens,
    dollars: session.dollars + update.dollars,
    saved: {
      requests: session.saved.requests + saved.requests,
      tokens: session.saved.tokens + saved.tokens,
      dollars: session.saved.dollars + saved.dollars,
    },
    over: session.over + update.over,
    state: update.state,
    pressure: update.pressure,
    findings:
      findings.length > 0
        ? [...session.findings, ...findings].slice(-MAX_FINDINGS)
        : session.findings,
    promptAt: update.isPrompt ? at : session.promptAt,
    hasTools: session.hasTools || update.hasTools,
  }
}

/** The session after a choice. */
export function withChoice(session: Session, choice: Choice): Session {
  const state = stateAfter(choice.choice, session.state)
  const isPardon = choice.choice === 'continue-once' && session.over > 0
  return {
    ...session,
    choices: [...session.choices, choice].slice(-MAX_CHOICES),
    chosen: session.chosen + 1,
    // a session over its budget gets as much again
    pardons: session.pardons + (isPardon ? 1 : 0),
    over: isPardon ? 0 : session.over,
    state,
    pressure: state === 'working' ? 0 : session.pressure,
  }
}

function stateAfter(choice: ChoiceName, state: SessionState): SessionState {
  if (choice === 'stop') return 'stopped'
  if (choice === 'disable') return 'unguarded'
  return state === 'unguarded' ? state : 'working'
}
