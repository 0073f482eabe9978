import type { AgentEvent } from '../../event.js'
import { type Finding, findingOf } from '../../finding.js'
import type { Guard } from '../../guard.js'
import { bad, isRecord } from '../../options.js'
import { callKey } from '../../reading/call-key.js'

/** What a seam of an SDK has to do about an event. */
export type Verdict =
  | { type: 'go' }
  /** this call must not run, or its answer must not be given: this is the answer instead */
  | { type: 'deny'; reason: string; finding: Finding }
  /** this message has to end here; the run goes on */
  | { type: 'cut'; finding: Finding }
  /** the run has to end here */
  | { type: 'stop'; reason: string; finding: Finding }

/** A call that was shown, and what the guard said of it and of its answer. */
export interface Seen {
  id: string | undefined
  name: string
  /** equal for equal calls, see `callKey` */
  key: string
  turn: number
  verdict: Verdict
  answer?: Verdict
}

/** One run of an agent and its guard, whichever seams of the SDK it is seen through. */
export interface Link {
  /** Shows the guard an event. */
  see(event: AgentEvent): Verdict
  /** the turn that goes on */
  turn: number
  /** the last calls that were shown, see `seeCall` */
  readonly calls: Seen[]
  /** Does some of our own work; if it fails, that is reported, and the agent goes on without. */
  attempt<Result>(work: () => Result): Result | undefined
  /** Words for the model that it has not been told yet. */
  takeAdvice(): string | undefined
  /** Words for the model, also those that it was to be told and was not. */
  advise(words: string): void
  /** Why the run has to end, unless the person let it go on. */
  readonly stopped: Finding | undefined
  /** the last message was cut, or should have been */
  isCut: boolean
  /** there is something here that nobody watches */
  isUnguarded: boolean
  /** Notes which run is speaking; false if two take turns, which one guard cannot tell apart. */
  isAlone(run: unknown): boolean
}

/**
 * How a run has gone so far: `cut` is a last message that was ended, or should have been; `unguarded` a run that nobody watches, for
 * which `guard.faults` has the reason.
 */
export type Outcome = 'ok' | 'cut' | 'stopped' | 'unguarded'

/**
 * How the last run of a guard has ended.
 *
 * @example if (outcomeOf(guard) !== 'ok') showWarning()
 */
export function outcomeOf(guard: Guard): Outcome {
  const { isUnguarded, isCut, stopped } = linkOf(guard, 'outcome')
  if (isUnguarded || guard.disabled) return 'unguarded'
  if (stopped) return 'stopped'
  return isCut ? 'cut' : 'ok'
}

const links = new WeakMap<Guard, Link>()

/** The link of a guard; all seams of one guard share it. */
export function linkOf(guard: Guard, adapter: string): Link {
  const known = links.get(guard)
  if (known) return known
  if (!guard?.observe) throw bad(`unloop/${adapter}`, 'takes a guard of createGuard()', guard)
  const link = createLink(guard, adapter)
  links.set(guard, link)
  return link
}

// runs that were seen last: more than anybody lets share a guard by mistake
const MAX_RUNS = 1000
const GO: Verdict = { type: 'go' }

function createLink(guard: Guard, adapter: string): Link {
  const advice: string[] = []
  const runs: unknown[] = []
  let isShared = false

  function ask(event: AgentEvent): Verdict {
    const { type } = event
    if (type === 'prompt') advice.length = 0
    const finding = guard.observe(timed(event))
    const end = finding ? isFinal(finding) && finding : type === 'tool-call' && stopOf()
    if (end) return { type: 'stop', reason: `Stopped: ${end.detail}. ${end.advice}`, finding: end }
    if (!finding) return GO
    const { action, advice: words } = finding
    if (action === 'block' && (type === 'tool-call' || type === 'tool-result')) {
      return { type: 'deny', reason: words, finding }
    }
    advise(words)
    return action === 'cut' ? { type: action, finding } : GO
  }

  const stopOf = () => (guard.stopped ? (guard.findings.findLast(isFinal) ?? BY_PERSON) : undefined)

  function advise(words: string): void {
    if (!advice.includes(words)) advice.push(words)
  }

  function attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      guard.addFault(adapter, error)
    }
  }

  const link: Link = {
    see(event) {
      if (event.type === 'turn-start') {
        link.turn++
        link.isCut = false
      }
      const verdict = attempt(() => ask(event)) ?? GO
      link.isCut ||= verdict.type === 'cut'
      return verdict
    },
    isCut: false,
    isUnguarded: false,
    turn: 0,
    calls: [],
    attempt,
    advise,
    takeAdvice: () =>
      attempt(() => {
        const words = advice.splice(0).join('\n')
        return words && !guard.disabled ? words : undefined
      }),
    get stopped() {
      return attempt(stopOf)
    },
    isAlone(run) {
      if (isShared || runs[0] === run) return !isShared
      // a run that spoke before another and speaks again: they run at the same time
      isShared = runs.includes(run)
      if (isShared) giveUp(link, 'two runs at once share this guard')
      runs.unshift(run)
      if (runs.length > MAX_RUNS) runs.pop()
      return !isShared
    },
  }
  return link
}

/** Calls and answers with the time: how long a call took tells a wait from a loop. */
const timed = (event: AgentEvent): AgentEvent =>
  event.at === undefined && event.type.startsWith('tool-') ? { ...event, at: Date.now() } : event

/** Reports that there is something here that nobody watches. */
export function giveUp(link: Link, why: string): void {
  link.isUnguarded = true
  link.attempt(() => {
    throw new Error(why)
  })
}

/** What a program gave, guarded; where that cannot be done, it is reported, and the program has what it gave. */
export function guardOr<Given>(link: Link, given: Given, work: () => Given): Given {
  try {
    return work()
  } catch (error) {
    giveUp(link, `not guarded, this version of the SDK is unknown: ${error}`)
    return given
  }
}

/** Throws where a program gives a function of ours something else than it takes. */
export function checkGiven(name: string, what: string, given: unknown, isRight = isRecord(given)) {
  const shown = typeof given === 'function' ? `function ${given.name}` : given
  if (!isRight) throw bad(name, `takes a guard and ${what}`, shown)
}

type CallEvent = AgentEvent & { type: 'tool-call' }
type ResultEvent = AgentEvent & { type: 'tool-result' }

// more calls than a run has in its last rounds; older ones do not come again
const REMEMBERED = 1000

/** Shows a call that nobody has shown. */
export function remember(link: Link, event: CallEvent): Verdict {
  const { calls, turn } = link
  const { id, name, args } = event
  const verdict = link.see(event)
  calls.push({ id, name, key: callKey(name, args), turn, verdict })
  if (calls.length > REMEMBERED) calls.shift()
  return verdict
}

/** Shows a call that another seam may have shown: in this turn, or else in the same sense as the last with its id. */
export function seeCall(
  link: Link,
  event: CallEvent,
  isSame = ({ turn }: Seen) => turn === link.turn,
): Verdict {
  const last = known(link, event.id)
  return last && isSame(last) ? last.verdict : remember(link, event)
}

/** Shows the answer to a call, once. */
export function seeResult(
  link: Link,
  event: ResultEvent,
  call = known(link, event.id) ?? ({} as Partial<Seen>),
): Verdict {
  call.answer ??= link.see(event)
  return call.answer
}

/** The last call with this id: some models begin to count anew in each turn. */
export const known = ({ calls }: Link, id: string | undefined): Seen | undefined =>
  id === undefined ? undefined : calls.findLast((call) => call.id === id)

/** The calls that the answers with these ids belong to; the last with an id is that of the last call with it. */
export function callsOf({ calls }: Link, ids: readonly string[]): (Seen | undefined)[] {
  const rest = [...calls]
  const take = (id: string) => {
    const at = rest.findLastIndex((call) => call.id === id)
    return at < 0 ? undefined : rest.splice(at, 1)[0]
  }
  // a call without an id may have been given one by the SDK
  const found = ids.toReversed().map((id) => take(id) ?? take(''))
  return found.reverse()
}

const isFinal = ({ action }: Finding) => action === 'ask' || action === 'stop'

/** In the place of a finding, where the person has stopped a run in which there was none. */
export const BY_PERSON = findingOf('person', 'person', 'the person ended the run', 'Do not go on.')

/** Why a call must not run, or its answer not be given. */
export const reasonOf = (verdict: Verdict | undefined): string | undefined =>
  verdict && 'reason' in verdict ? verdict.reason : undefined
