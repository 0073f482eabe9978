import type { AgentEvent, Finding, Guard } from 'unloop'
import { type CallEvent, runOf, type Verdict } from 'unloop/host'
import type { GuardMode } from './guard-mode.js'

/** The run of the agent's guard, as far as its mode lets it act. */
export interface Watch {
  mode: GuardMode
  /** whether anything is looked for: neither the mode nor the guard is off */
  readonly isLooking: boolean
  /** Shows what the agent does, before anybody else sees it. */
  decide(event: AgentEvent): Verdict
  /** Shows the calls of a turn before any of them runs. */
  decideRound(calls: readonly CallEvent[]): Verdict[]
  /** Shows what the judge found. */
  report(finding: Finding): Verdict
  /** Shows what a sub-agent does, whose own guard decides about it; gives what the caller has to act on. */
  overhear(event: AgentEvent): Finding | undefined
  /** Words for the model that wait for its next turn. */
  takeAdvice(): string | undefined
  /** Something for the model to read before its next turn. */
  advise(words: string): void
}

const GO: Verdict = { type: 'go' }

/** A watch over the guard. */
export function createWatch(guard: Guard, startMode: GuardMode): Watch {
  const run = runOf(guard, 'agent')
  let mode = startMode

  /** What there is to do about it: in observe mode nothing, and the model hears nothing. */
  function act<Result>(work: () => Result, nothing: Result): Result {
    if (mode === 'off') return nothing
    const result = work()
    if (mode === 'enforce' && guard.mode === 'enforce') return result
    run.takeAdvice()
    return nothing
  }

  return {
    get mode() {
      return mode
    },
    set mode(next) {
      // a stop that nobody acted on does not hold for what comes
      if (mode !== 'enforce' && guard.stopped) guard.continueOnce()
      mode = next
    },
    get isLooking() {
      return mode !== 'off' && !guard.disabled
    },
    decide: (event) => act(() => run.decide(event), GO),
    decideRound: (calls) =>
      act(
        () => run.decideRound(calls),
        calls.map(() => GO),
      ),
    report: (finding) => act(() => run.report(finding), GO),
    overhear: (event) => act(() => guard.observe({ ...event, at: Date.now() }), undefined),
    takeAdvice: run.takeAdvice,
    advise: run.advise,
  }
}
