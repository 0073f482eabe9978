import type { AgentEvent } from '../event.js'
import { type Finding, findingOf, isFinal } from '../finding.js'
import type { Guard } from '../guard.js'
import { bad } from '../options.js'
import { callKey } from '../reading/call-key.js'
import { HOST, type SeenCall, type SpeakerState, type Verdict } from '../state/host.js'
import { openHost, speakerOf } from './speakers.js'

export type { SeenCall, Verdict } from '../state/host.js'

/** An event that makes a call. */
export type CallEvent = Extract<AgentEvent, { type: 'tool-call' }>
/** An event that answers one. */
export type ResultEvent = Extract<AgentEvent, { type: 'tool-result' }>

/**
 * How a run has gone so far: `cut` is a last message that was ended, or should have been; `unguarded` is a run that cannot be watched,
 * for a reason that `guard.faults` has.
 */
export type Outcome = 'ok' | 'cut' | 'stopped' | 'unguarded'

/** One run of an agent, for its host: events in, verdicts out. */
export interface Run {
  readonly guard: Guard
  /** Shows an event. A call that was shown in this turn, and an answer that was shown at all, keep their verdict. Never throws. */
  decide(event: AgentEvent): Verdict
  /** Shows the calls of a parallel round before any of them runs, and gives a verdict for each. */
  decideRound(calls: readonly CallEvent[]): Verdict[]
  /** The run of a sub-agent: its events carry its name, and its calls and advice are its own. */
  within(agent: string): Run
  /** Takes what somebody else found, as the judge does. */
  report(finding: Finding): Verdict
  /** Shows what happened before: nothing is decided about it, it never stops the run, and the model has heard its advice. */
  replay(events: Iterable<AgentEvent>): void
  /** Words for the model that it has not been told yet. They count as told from now on. */
  takeAdvice(): string | undefined
  /** Words for the model, such as some that did not reach it. */
  advise(words: string): void
  /** why the run has to end, unless the person let it go on */
  readonly stopped: Finding | undefined
  readonly outcome: Outcome
  /** how many turns were announced */
  readonly turn: number
  /** the calls that were shown last */
  readonly calls: readonly SeenCall[]
  /** Does work of the host's own. If it fails, that is reported, and the agent goes on without it. */
  attempt<Result>(work: () => Result): Result | undefined
  /** Reports that there is something here that cannot be guarded. */
  giveUp(why: string): void
}

/**
 * The run of a guard: all parts of a host share it, and the guard's snapshot contains it.
 *
 * @example
 * const run = runOf(createGuard())
 * const verdict = run.decide({ type: 'tool-call', id, name, args })
 * if (verdict.type === 'deny') answer(id, verdict.reason)
 */
export function runOf(guard: Guard, host = 'host'): Run {
  if (!guard?.[HOST]) throw bad(`unloop/${host}`, 'takes a guard of createGuard()', guard)
  const known = runs.get(guard)
  if (known) return known
  openHost(guard[HOST], guard.findings)
  const run = createRun(guard, host)
  runs.set(guard, run)
  return run
}

const runs = new WeakMap<Guard, Run>()

// more calls than a run has in its last rounds; older ones do not come again
const REMEMBERED = 1000
const GO: Verdict = { type: 'go' }
// what has not happened yet, or what nobody has heard yet
const DENIABLE = new Set<AgentEvent['type']>(['tool-call', 'tool-result', 'handoff'])

function createRun(guard: Guard, host: string, agent?: string): Run {
  /** Asked for each time: a guard that was restored has another. */
  const state = (): SpeakerState => speakerOf(guard[HOST], agent)
  const isEnforced = guard.mode === 'enforce'

  function attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      guard.addFault(host, error)
    }
  }

  function advise(words: string): void {
    if (!state().advice.includes(words)) state().advice.push(words)
  }

  /** the last finding when the person last asked for something */
  let before: Finding | undefined

  const stopOf = () => (guard.stopped ? (guard.findings.findLast(isFinal) ?? BY_PERSON) : undefined)

  function ask(event: AgentEvent): Verdict {
    const { requests } = guard[HOST]
    const last = guard.findings.at(-1)
    const finding = guard.observe(withTime(agent === undefined ? event : { agent, ...event }))
    // what waits for the model is about the request before
    const isNew = guard[HOST].requests > requests
    if (isNew) before = last
    if (event.type === 'prompt' && (isNew || (last && isReport(last)))) state().advice.length = 0
    return toVerdict(event.type, finding)
  }

  /** Calls and answers with the time, which tells a wait from a loop; when the past was is not known. */
  const withTime = (event: AgentEvent) => (guard[HOST].isReplaying ? event : timed(event))

  function toVerdict(type: AgentEvent['type'], finding: Finding | undefined): Verdict {
    if (guard[HOST].isPast) return GO
    if (finding && !isEnforced) return { type: 'go', finding }
    const end = finding ? isFinal(finding) && finding : type === 'tool-call' && stopOf()
    if (end) return { type: 'stop', reason: `Stopped: ${end.detail}. ${end.advice}`, finding: end }
    if (!finding) return GO
    const { action, advice } = finding
    if (action === 'block' && DENIABLE.has(type)) return { type: 'deny', reason: advice, finding }
    advise(advice)
    return { type: action === 'cut' ? action : 'go', finding }
  }

  function show(event: AgentEvent): Verdict {
    if (event.type === 'turn-start') {
      state().turn++
      state().isCut = false
    }
    if (event.type === 'retry') repeatTurn(state())
    const verdict = attempt(() => ask(event)) ?? GO
    state().isCut ||= verdict.type === 'cut'
    return verdict
  }

  function showCall(event: CallEvent): Verdict {
    const { id, name, args } = event
    const verdict = show(event)
    state().calls.push({
      id,
      name,
      key: callKey(name, args),
      turn: state().turn,
      verdict,
    })
    if (state().calls.length > REMEMBERED) state().calls.shift()
    return verdict
  }

  function showResult(event: ResultEvent, call = callWith(run, event.id)): Verdict {
    if (!call) return show(event)
    call.answer ??= show(event)
    return call.answer
  }

  function decide(event: AgentEvent): Verdict {
    if (event.type === 'tool-result') return showResult(event)
    if (event.type !== 'tool-call') return show(event)
    const last = event.id ? callWith(run, event.id) : undefined
    // a model may give the same id to every call: after its answer, it is another call
    const isShown = last && last.turn === state().turn && !last.answer
    return isShown ? last.verdict : showCall(event)
  }

  /** Shows events that were reported when they happened, at a time that is not known. */
  function showAgain(events: Iterable<AgentEvent>, isPast: boolean): void {
    const host = guard[HOST]
    host.isReplaying = true
    host.isPast = isPast
    attempt(() => {
      for (const event of events) run.decide(event)
    })
    host.isReplaying = false
    delete host.isPast
    state().advice.length = 0
  }

  function decideRound(calls: readonly CallEvent[]): Verdict[] {
    const verdicts = calls.map((call) => run.decide(call))
    const keys = calls.map(({ name, args }) => callKey(name, args))
    const whole = wholeRound(keys, verdicts)
    for (const [at, { id }] of calls.entries()) {
      const seen = callWith(run, id)
      const verdict = whole[at]
      if (seen && verdict) seen.verdict = verdict
    }
    return whole
  }

  const run: Run = {
    guard,
    decide: (event) => attempt(() => decide(event)) ?? GO,
    decideRound: (calls) => attempt(() => decideRound(calls)) ?? [],
    within: (agent) => createRun(guard, host, agent),
    report: (finding) => attempt(() => toVerdict('turn-start', guard.report(finding))) ?? GO,
    replay: (events) => showAgain(events, true),
    takeAdvice: () =>
      attempt(() => {
        const words = state().advice.splice(0).join('\n')
        return words && !guard.disabled ? words : undefined
      }),
    advise,
    get stopped() {
      return attempt(stopOf)
    },
    get outcome() {
      if (guard[HOST].isUnguarded || guard.disabled) return 'unguarded'
      if (run.stopped) return 'stopped'
      return state().isCut ? 'cut' : 'ok'
    },
    get turn() {
      return state().turn
    },
    get calls() {
      return state().calls
    },
    attempt,
    giveUp(why) {
      guard[HOST].isUnguarded = true
      guard.addFault(host, new Error(why))
    },
  }
  const hasFound = () => guard.stopped || guard.findings.at(-1) !== before
  shows.set(run, { show, showCall, showResult, showAgain, hasFound })
  return run
}

/** What the last call of a round shows, such as a repeat, holds for the first as well. */
function wholeRound(keys: readonly string[], verdicts: readonly Verdict[]): Verdict[] {
  const stop = verdicts.find(({ type }) => type === 'stop')
  if (stop) return verdicts.map(() => stop)
  const refused = new Map(
    verdicts.flatMap((verdict, at) => (verdict.type === 'deny' ? [[keys[at], verdict]] : [])),
  )
  return verdicts.map((verdict, at) => refused.get(keys[at]) ?? verdict)
}

/** All calls of this turn were shown, and none has run: what holds for one of them may hold for others. */
export function settleRound({ calls, turn }: Run): void {
  const round = calls.filter((call) => call.turn === turn)
  const whole = wholeRound(
    round.map(({ key }) => key),
    round.map(({ verdict }) => verdict),
  )
  for (const [at, call] of round.entries()) call.verdict = whole[at] ?? call.verdict
}

/** The calls of a turn that is asked for again come again; the old ones may still be answered. */
function repeatTurn({ calls, turn }: SpeakerState): void {
  for (const call of calls) if (call.turn === turn) call.turn = -1
}

/** Calls and answers with the time: how long a call took tells a wait from a loop. */
const timed = (event: AgentEvent): AgentEvent =>
  event.at === undefined && event.type.startsWith('tool-') ? { ...event, at: Date.now() } : event

/** In the place of a finding, where the person stopped a run that was not stuck. */
export const BY_PERSON = findingOf('person', 'person', 'the person ended the run', 'Do not go on.')

interface Shows {
  show(event: AgentEvent): Verdict
  showCall(event: CallEvent): Verdict
  showResult(event: ResultEvent, call?: SeenCall): Verdict
  showAgain(events: Iterable<AgentEvent>, isPast: boolean): void
  hasFound(): boolean
}

const shows = new WeakMap<Run, Shows>()
const showsOf = (run: Run) => shows.get(run) as Shows

/** Shows a call that cannot have been shown before. */
export const showCall = (run: Run, event: CallEvent): Verdict => showsOf(run).showCall(event)

/** Shows the answer to this very call, once. */
export const showResult = (run: Run, event: ResultEvent, call?: SeenCall): Verdict =>
  showsOf(run).showResult(event, call)

/** Shows the last answer of the model to a guard that missed it; unlike the past, it is decided about. */
export const catchUp = (run: Run, events: readonly AgentEvent[]): void =>
  showsOf(run).showAgain(events, false)

/** Whether something was found since the person last asked for something. */
export const hasFound = (run: Run): boolean => showsOf(run).hasFound()

/** Whether a finding may be no more than reports in similar words, which an agent writes that is nudged again and again. */
export const isReport = ({ certainty, kind }: Finding): boolean =>
  certainty === 'likely' && kind === 'alike-message'

/** How many prompts were new requests; others are nudges, and what programs say to agents that write their calls as text. */
export const requestsOf = ({ guard }: Run): number => guard[HOST].requests

/** The last call with this id: some models start counting again in each turn. */
export const callWith = ({ calls }: Pick<Run, 'calls'>, id: string | undefined) =>
  id === undefined ? undefined : calls.findLast((call) => call.id === id)

/** The calls that the answers with these ids belong to; the last with an id is that of the last call with it. */
export function callsWith({ calls }: Run, ids: readonly string[]): (SeenCall | undefined)[] {
  const rest = [...calls]
  const take = (id: string) => {
    const at = rest.findLastIndex((call) => call.id === id)
    return at < 0 ? undefined : rest.splice(at, 1)[0]
  }
  // a call without an id may have been given one by the SDK
  const found = ids.toReversed().map((id) => take(id) ?? take(''))
  return found.reverse()
}

/** Why a call must not run, or its answer must not be given. */
export const reasonOf = (verdict: Verdict | undefined): string | undefined =>
  verdict && 'reason' in verdict ? verdict.reason : undefined

/**
 * How the run of a guard has gone so far.
 *
 * @example if (outcomeOf(guard) !== 'ok') showWarning()
 */
export const outcomeOf = (guard: Guard): Outcome => runOf(guard).outcome
