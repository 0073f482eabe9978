import {
  type AgentEvent,
  callKey,
  createGuard,
  type Finding,
  type Guard,
  type GuardOptions,
} from 'unloop'
import { type Run, runOf, type SeenCall } from 'unloop/host'
import type { AnsweredCall, Decision } from '../coding-agents/coding-agent.js'
import { createCalls, type SavedCalls } from './calls.js'
import type { Line } from './journal.js'
import { addAnswer, addCall, endRound, type Rounds, repeatsRound, startRounds } from './round.js'
import { TAMPERING } from './tampering.js'
import { GO, toDecision, type Voice } from './words.js'

/** What the person decided about a session. */
export type Choice =
  | { type: 'continue' }
  | { type: 'allow'; tool: string }
  | { type: 'hint'; text: string }
  | { type: 'off' }
  | { type: 'on' }

/** A line of a session's journal: what an agent did, or what the person decided. */
export interface SessionLine extends Line {
  at: number
  /** the agent whose hook told it */
  source: string
  event?: AgentEvent
  /** the arguments of the call that the event answers, if it has no id */
  args?: unknown
  /** the agent tells when the round of the call is over */
  isInMarkedRound?: true
  /** the calls of the round that is over, with their answers */
  round?: readonly AnsweredCall[]
  /** the call would change the guard itself, or somebody has, so it is refused */
  isTampering?: true | 'lost'
  choice?: Choice
}

/** The state of a session, as plain JSON. */
export interface SavedSession {
  guard: ReturnType<Guard['snapshot']>
  calls: SavedCalls
  isOff: boolean
  /** the end of a round was told at least once */
  hasMarks: boolean
  /** the person has read that all further calls are refused */
  hasTold?: boolean
  agents: [agent: string, state: AgentState][]
  /** what the last lines led to, by their nonces, if anything */
  decisions: [nonce: string, decision: Decision][]
  /** the last message, and the hook that told of it */
  heard?: { source: string; key: string } | undefined
}

type ResultEvent = Extract<AgentEvent, { type: 'tool-result' }>

/** What is kept for each agent of a session. */
interface AgentState {
  rounds: Rounds
  /** answers of the current round, where its end is told: the model reads them all at once */
  held: ResultEvent[]
  /** the end of rounds is not told after all */
  isUnmarked: boolean
  /** the call about which the person was asked, until its answer shows what they said */
  asked?: string | undefined
  /** the person said no: this agent makes no more calls, and nobody asks again */
  declined?: true | undefined
  /** the next call has to be refused: its loop was proven by an answer, which cannot be taken back */
  owed?: Refusal | undefined
}

interface Refusal {
  reason: string
  notice: string
  tool: string
}

/** A session as its lines tell it. */
export interface Session {
  readonly guard: Guard
  readonly isOff: boolean
  /** nothing was found yet, and no parallel round was made last that could repeat */
  readonly isCalm: boolean
  /** the tools that were called last */
  readonly tools: readonly string[]
  /** Takes the next line. */
  take(line: SessionLine): void
  /** What to tell the agent about one of the last lines. */
  decisionOn(nonce: string): Decision
  save(): SavedSession
}

/** A session, from the start or from where it was saved. */
export function createSession(options: GuardOptions, voice: Voice, saved?: SavedSession): Session {
  const guard = createGuard(options, saved?.guard)
  const run = runOf(guard, 'hook')
  const calls = createCalls(saved?.calls)
  let isOff = saved?.isOff ?? false
  let heard = saved?.heard
  let hasMarks = saved?.hasMarks ?? false
  let hasTold = saved?.hasTold ?? false
  const decisions = new Map(saved?.decisions)
  const agents = new Map(saved?.agents)

  const unattended: Voice = { ...voice, isAttended: false }

  function stateOf(agent = ''): AgentState {
    const known = agents.get(agent) ?? { rounds: startRounds(), held: [], isUnmarked: false }
    agents.delete(agent)
    agents.set(agent, known)
    const [oldest = ''] = agents.keys()
    if (agents.size > MAX_AGENTS) agents.delete(oldest)
    return known
  }

  function tell(line: SessionLine, told: AgentEvent): Decision {
    const { source, at, args } = line
    const { agent, ...rest } = told
    const event = { ...rest, at } as AgentEvent
    const speaker = agent === undefined ? run : run.within(agent)
    const state = stateOf(agent)
    switch (event.type) {
      case 'tool-call': {
        const { call, isNew } = calls.begin(source, event, agent)
        if (isNew)
          call.decision = once(
            before(speaker, state, agent, { ...event, id: call.id }, line.isTampering),
          )
        if (isNew && call.decision?.type === 'ask') state.asked = call.id
        return call.decision ?? GO
      }
      case 'tool-result': {
        if (!hold(speaker, state, source, event, agent, args)) return GO
        const isWaiting = line.isInMarkedRound && !state.isUnmarked
        // an older version may tell nothing: that shows soon
        const most = hasMarks ? MAX_HELD : MAX_UNMARKED
        if (isWaiting && state.held.length < most) return GO
        state.isUnmarked = true
        return hear(speaker, state)
      }
      case 'turn-start': {
        const held = line.round?.map(({ args, ...answer }) =>
          hold(speaker, state, source, { type: 'tool-result', at, ...answer }, agent, args),
        )
        // a round is over without the call about which the person was asked
        if (state.asked !== undefined) state.declined = true
        state.asked = undefined
        const decision = hear(speaker, state)
        state.isUnmarked = false
        hasMarks = true
        endRound(state.rounds)
        if (!run.stopped) return decision
        // no question can be put before a call that no hook is told of beforehand
        const isUnannounced = held?.includes('unannounced')
        const stop = stopFor(run.stopped, isUnannounced || state.declined ? unattended : voice)
        return stop.type === 'stop' ? stop : decision
      }
      case 'text':
      case 'reasoning': {
        hear(speaker, state)
        const key = callKey(event.type, [agent, event.text])
        // two hooks heard the same words
        if (heard?.key === key && heard.source !== source) return GO
        heard = { source, key }
        return toDecision(speaker.decide(event), voice)
      }
      case 'prompt':
        agents.clear()
        hasTold = false
        return toDecision(speaker.decide(event), voice)
      default:
        return toDecision(speaker.decide(event), voice)
    }
  }

  /** Where the run goes on, the person reads why once, and not with each further call. */
  function once(decision: Decision): Decision {
    if (decision.type !== 'stop' || voice.unstoppable === undefined) return decision
    const told = hasTold ? { ...decision, notice: '' } : decision
    hasTold = true
    return told
  }

  const stopFor = (finding: Finding, tone = voice) =>
    toDecision(
      { type: 'stop', reason: `Stopped: ${finding.detail}. ${finding.advice}`, finding },
      tone,
    )

  /** Keeps the answer of a call until the model reads it; nothing if it was told before, or says what we said ourselves. */
  function hold(
    speaker: Run,
    state: AgentState,
    source: string,
    answer: ResultEvent,
    agent: string | undefined,
    args: unknown,
  ): 'announced' | 'unannounced' | undefined {
    const { call, isNew, isUnseen } = calls.end(source, answer, agent, args)
    const { id, name, decision } = call
    if (!isNew || decision?.type === 'deny' || decision?.type === 'stop') return
    if (isUnseen) {
      const verdict = speaker.decide({ type: 'tool-call', id, name, args, at: answer.at ?? 0 })
      // it is over, so words are all that is left
      if (verdict.type === 'deny') speaker.advise(verdict.reason)
    }
    if (decision?.type === 'ask') {
      state.asked = undefined
      if (isDeclined(answer.output)) {
        state.declined = true
        return
      }
      // the person has said yes
      guard.continueOnce()
    }
    state.held.push({ ...answer, id })
    addAnswer(state.rounds, { ...answer, id })
    return isUnseen ? 'unannounced' : 'announced'
  }

  function before(
    speaker: Run,
    state: AgentState,
    agent: string | undefined,
    call: Extract<AgentEvent, { type: 'tool-call' }>,
    isTampering: SessionLine['isTampering'],
  ): Decision {
    // the guard has nothing to learn from what it refuses
    if (run.stopped) return stopFor(run.stopped, state.declined && unattended)
    const { owed } = state
    state.owed = undefined
    if (owed && owed.tool === call.name) {
      const { reason, notice } = owed
      return { type: 'deny', reason, notice }
    }
    const { rounds } = state
    // unless somebody tells, a round is over when all its calls are answered
    if (state.held.length === 0 && !speaker.calls.some(isOpen)) endRound(rounds)
    const ahead = repeatsRound(rounds, guard, options, speaker, agent, call)
    if (ahead) return toDecision(ahead, voice)
    const verdict = toDecision(speaker.decide(call), voice)
    const tampered = isTampering === 'lost' ? LOST : isTampering && TAMPERED
    const decision = verdict.type === 'go' && tampered ? tampered : verdict
    // the model reads the reason in the place of an answer
    if (decision.type === 'deny' || decision.type === 'stop') {
      const { id = '', at = 0 } = call
      speaker.decide({ type: 'tool-result', id, at, output: decision.reason, isError: true })
    } else addCall(rounds, call)
    return decision
  }

  /** Shows the guard the answers that the model reads next. */
  function hear(speaker: Run, state: AgentState): Decision {
    let stop: Decision | undefined
    for (const event of state.held.splice(0)) {
      const decision = toDecision(speaker.decide(event), voice)
      // a question is put before the next call
      if (decision.type === 'stop') stop = decision
      if (decision.type !== 'deny') continue
      const { reason, notice } = decision
      state.owed = { reason, notice, tool: event.name ?? '' }
      speaker.advise(reason)
    }
    if (stop) return stop
    const advice = speaker.takeAdvice()
    return advice === undefined ? GO : { type: 'go', advice }
  }

  function choose(choice: Choice): void {
    switch (choice.type) {
      case 'continue':
        hasTold = false
        return guard.continueOnce()
      case 'allow':
        return guard.allow(choice.tool)
      case 'hint':
        return run.advise(guard.hint(choice.text))
      case 'off':
        isOff = true
        return
      case 'on':
        // what happened meanwhile was not watched
        if (isOff) {
          guard.reset()
          agents.clear()
        }
        isOff = false
    }
  }

  return {
    guard,
    get isOff() {
      return isOff
    },
    get isCalm() {
      const isSingle = ({ rounds }: AgentState) => rounds.last.length <= 1
      return guard.findings.length === 0 && [...agents.values()].every(isSingle)
    },
    get tools() {
      return [...new Set(calls.save().last.map(({ name }) => name))]
    },
    take(line) {
      const { event, choice } = line
      if (choice) choose(choice)
      const decision = event && !isOff ? tell(line, event) : GO
      if (decision === GO) return
      decisions.set(line.nonce, decision)
      const [oldest = ''] = decisions.keys()
      if (decisions.size > MAX_DECISIONS) decisions.delete(oldest)
    },
    decisionOn: (nonce) => decisions.get(nonce) ?? GO,
    save: () => ({
      guard: guard.snapshot(),
      calls: calls.save(),
      isOff,
      heard,
      decisions: [...decisions],
      agents: [...agents],
      hasMarks,
      hasTold,
    }),
  }
}

// more than are made while a hook waits for its turn
const MAX_DECISIONS = 20
// more than work at a time
const MAX_AGENTS = 8
// a round with more answers is over, whether somebody tells or not
const MAX_HELD = 8
const MAX_UNMARKED = 3

const TAMPERED: Decision = {
  type: 'deny',
  reason: TAMPERING,
  notice: 'unloop refused a call by which the agent would have changed its own guard.',
}

const LOST: Decision = {
  type: 'deny',
  reason:
    'What the guard of this session had written down is gone. Until the person sends a new prompt, calls are refused. End your turn now, and say what happened.',
  notice:
    'unloop refused a call: somebody removed the state of this session while the agent worked. Send a new prompt to go on.',
}

/** What Claude Code tells a model whose call the person has declined. */
const isDeclined = (output: unknown) =>
  /doesn't want to (?:proceed|take this action)|tool use was (?:rejected|denied)/.test(
    (typeof output === 'string' ? output : (JSON.stringify(output) ?? '')).slice(0, 2000),
  )

const isOpen = ({ answer }: SeenCall) => answer === undefined
