import {
  type AgentEvent,
  callKey,
  createGuard,
  type Finding,
  type Guard,
  type GuardOptions,
} from 'unloop'
import { type Run, runOf, type SeenCall } from 'unloop/host'
import type { Decision } from '../coding-agents/coding-agent.js'
import { createCalls, type SavedCalls } from './calls.js'
import type { Line } from './journal.js'
import { addAnswer, addCall, endRound, type Rounds, repeatsRound, startRounds } from './round.js'
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
  choice?: Choice
}

/** The state of a session, as plain JSON. */
export interface SavedSession {
  guard: ReturnType<Guard['snapshot']>
  calls: SavedCalls
  isOff: boolean
  /** the end of a round was told at least once */
  hasMarks: boolean
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
  const decisions = new Map(saved?.decisions)
  const agents = new Map(saved?.agents)

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
        if (isNew) call.decision = before(speaker, state, agent, { ...event, id: call.id })
        return call.decision ?? GO
      }
      case 'tool-result': {
        const { call, isNew, isUnseen } = calls.end(source, event, agent, args)
        if (!isNew) return GO
        if (isUnseen) {
          speaker.decide({ type: 'tool-call', id: call.id, name: event.name ?? '', args, at })
        }
        // the person has said yes
        if (call.decision?.type === 'ask') guard.continueOnce()
        state.held.push({ ...event, id: call.id })
        addAnswer(state.rounds, { ...event, id: call.id })
        const isWaiting = line.isInMarkedRound && !state.isUnmarked
        // an older version may tell nothing: that shows soon
        const most = hasMarks ? MAX_HELD : MAX_UNMARKED
        if (isWaiting && state.held.length < most) return GO
        state.isUnmarked = true
        return hear(speaker, state)
      }
      case 'turn-start': {
        const decision = hear(speaker, state)
        state.isUnmarked = false
        hasMarks = true
        endRound(state.rounds)
        const stop = run.stopped && stopFor(run.stopped)
        return stop?.type === 'stop' ? stop : decision
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
        return toDecision(speaker.decide(event), voice)
      default:
        return toDecision(speaker.decide(event), voice)
    }
  }

  const stopFor = (finding: Finding) =>
    toDecision(
      { type: 'stop', reason: `Stopped: ${finding.detail}. ${finding.advice}`, finding },
      voice,
    )

  function before(
    speaker: Run,
    state: AgentState,
    agent: string | undefined,
    call: Extract<AgentEvent, { type: 'tool-call' }>,
  ): Decision {
    // the guard has nothing to learn from what it refuses
    if (run.stopped) return stopFor(run.stopped)
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
    const decision = toDecision(speaker.decide(call), voice)
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

const isOpen = ({ answer }: SeenCall) => answer === undefined
