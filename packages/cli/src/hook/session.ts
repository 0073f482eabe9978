import { type AgentEvent, callKey, createGuard, type Guard, type GuardOptions } from 'unloop'
import { type Run, runOf, type Verdict } from 'unloop/host'
import type { Decision } from '../coding-agents/coding-agent.js'
import { createCalls, type SavedCalls } from './calls.js'
import type { Line } from './journal.js'
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
  choice?: Choice
}

/** The state of a session, as plain JSON. */
export interface SavedSession {
  guard: ReturnType<Guard['snapshot']>
  calls: SavedCalls
  isOff: boolean
  /** what the last lines led to, by their nonces, if anything */
  decisions: [nonce: string, decision: Decision][]
  /** the last message, and the hook that told of it */
  heard?: { source: string; key: string } | undefined
}

/** A session as its lines tell it. */
export interface Session {
  readonly guard: Guard
  readonly isOff: boolean
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
  const decisions = new Map(saved?.decisions)

  function tell({ source, at, args }: SessionLine, told: AgentEvent): Decision {
    const { agent, ...rest } = told
    const event = { ...rest, at } as AgentEvent
    const speaker = agent === undefined ? run : run.within(agent)
    switch (event.type) {
      case 'tool-call': {
        const { call, isNew } = calls.begin(source, event, agent)
        if (isNew) call.decision = before(speaker, { ...event, id: call.id })
        return call.decision ?? GO
      }
      case 'tool-result': {
        const { call, isNew, isUnseen } = calls.end(source, event, agent, args)
        if (!isNew) return GO
        const verdict = isUnseen
          ? speaker.decide({ type: 'tool-call', id: call.id, name: event.name ?? '', args, at })
          : undefined
        // the person has said yes
        if (call.decision?.type === 'ask') guard.continueOnce()
        return after(speaker, verdict, speaker.decide({ ...event, id: call.id }))
      }
      case 'text':
      case 'reasoning': {
        const key = callKey(event.type, [agent, event.text])
        // two hooks heard the same words
        if (heard?.key === key && heard.source !== source) return GO
        heard = { source, key }
        return toDecision(speaker.decide(event), voice)
      }
      case 'turn-start': {
        speaker.decide(event)
        const { stopped: finding } = run
        return finding ? toDecision({ type: 'stop', reason: finding.detail, finding }, voice) : GO
      }
      default:
        return toDecision(speaker.decide(event), voice)
    }
  }

  function before(speaker: Run, call: Extract<AgentEvent, { type: 'tool-call' }>): Decision {
    const decision = toDecision(speaker.decide(call), voice)
    // the model reads the reason in the place of an answer
    if (decision.type === 'deny' || decision.type === 'stop') {
      const { id, at } = call
      speaker.decide({
        type: 'tool-result',
        ...(id !== undefined && { id }),
        ...(at !== undefined && { at }),
        output: decision.reason,
        isError: true,
      })
    }
    return decision
  }

  function after(speaker: Run, onCall: Verdict | undefined, onAnswer: Verdict): Decision {
    const decision = toDecision(onAnswer, voice)
    const asked = onCall && toDecision(onCall, voice)
    if (decision.type === 'stop' || asked?.type === 'stop') {
      return decision.type === 'stop' ? decision : (asked as Decision)
    }
    if (decision.type !== 'go') return decision
    // a call that was not announced has run: all that is left is to tell the model
    if (asked?.type === 'deny') speaker.advise(asked.reason)
    const advice = speaker.takeAdvice()
    return advice === undefined ? GO : { ...decision, advice }
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
        if (isOff) guard.reset()
        isOff = false
    }
  }

  return {
    guard,
    get isOff() {
      return isOff
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
    }),
  }
}

// more than are made while a hook waits for its turn
const MAX_DECISIONS = 20
