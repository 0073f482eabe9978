import { callKey } from '../call-key.js'
import type { AgentEvent } from '../event.js'
import type { Finding } from '../finding.js'
import type { Fault, Guard } from '../guard.js'

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
  /**
   * Shows the guard an event. A call with an id is shown once a turn, and its answer once: asked about again they have the same
   * verdict. Where a seam knows better which call it is, it says so; `null` is one that nobody has seen.
   */
  see(event: AgentEvent, call?: Seen | null): Verdict
  /** The last call with this id: some models begin to count anew in each turn. */
  known(id: string): Seen | undefined
  /** The calls that the answers with these ids belong to; the last with an id is that of the last call with it. */
  callsOf(ids: readonly string[]): (Seen | undefined)[]
  /** The calls of this turn. */
  calls(): Seen[]
  /** Does some of our own work; if it fails, that is reported, and the agent goes on without. */
  attempt<Result>(work: () => Result): Result | undefined
  /** Words for the model that it has not been told yet. */
  takeAdvice(): string | undefined
  /** Words for the model, also those that it was to be told and was not. */
  advise(words: string): void
  /** Why the run has to end, unless the person let it go on. */
  readonly stopped: Finding | undefined
  /** Notes which run is speaking; false if two take turns, which one guard cannot tell apart. */
  isAlone(run: unknown): boolean
}

const links = new WeakMap<Guard, Link>()

/** The link of a guard; all seams of one guard share it. */
export function linkOf(guard: Guard, adapter: string): Link {
  const known = links.get(guard)
  if (known) return known
  const link = createLink(guard, adapter)
  links.set(guard, link)
  return link
}

const GO: Verdict = { type: 'go' }

// more calls than a run has in its last rounds; older ones do not come again
const REMEMBERED = 1000

function createLink(guard: Guard, adapter: string): Link {
  const calls: Seen[] = []
  const advice: string[] = []
  const runs: unknown[] = []
  let turn = 0
  let isShared = false

  function ask(event: AgentEvent): Verdict {
    if (event.type === 'prompt') advice.length = 0
    const finding = guard.observe(event)
    if (!finding) {
      const end = event.type === 'tool-call' && stopOf()
      return end ? ended(end) : GO
    }
    switch (finding.action) {
      case 'warn':
        advise(finding.advice)
        return GO
      case 'block':
        if (event.type === 'tool-call' || event.type === 'tool-result') {
          return { type: 'deny', reason: finding.advice, finding }
        }
        advise(finding.advice)
        return GO
      case 'cut':
        advise(finding.advice)
        return { type: 'cut', finding }
      case 'ask':
      case 'stop':
        return ended(finding)
    }
  }

  const stopOf = () => (guard.stopped ? (guard.findings.findLast(isFinal) ?? BY_PERSON) : undefined)

  function advise(words: string): void {
    if (!advice.includes(words)) advice.push(words)
  }

  function attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      report(guard, adapter, error)
    }
  }

  const tell = (event: AgentEvent) => attempt(() => ask(event)) ?? GO

  const known = (id: string | undefined) =>
    id === undefined ? undefined : calls.findLast((call) => call.id === id)

  function seeCall(event: AgentEvent & { type: 'tool-call' }, call: Seen | null | undefined) {
    const { id, name, args } = event
    const last = call === undefined ? known(id) : call
    if (last && (call || last.turn === turn)) return last.verdict
    const verdict = tell(event)
    calls.push({ id, name, key: callKey(name, args), turn, verdict })
    if (calls.length > REMEMBERED) calls.shift()
    return verdict
  }

  return {
    see(event, call) {
      if (event.type === 'turn-start') turn++
      if (event.type === 'tool-call') return seeCall(event, call)
      const seen = event.type === 'tool-result' && (call ?? known(event.id))
      if (!seen) return tell(event)
      seen.answer ??= tell(event)
      return seen.answer
    },
    known,
    callsOf(ids) {
      const rest = [...calls]
      const take = (id: string) => {
        const at = rest.findLastIndex((call) => call.id === id)
        return at < 0 ? undefined : rest.splice(at, 1)[0]
      }
      // a call without an id may have been given one by the SDK
      const found = ids.toReversed().map((id) => take(id) ?? take(''))
      return found.reverse()
    },
    calls: () => calls.filter((call) => call.turn === turn),
    attempt,
    advise,
    takeAdvice: () =>
      attempt(() => {
        const words = advice.splice(0).join('\n')
        // a guard that was disabled explains nothing, and has nothing more to say
        return words && guard.explain().length > 0 ? words : undefined
      }),
    get stopped() {
      return attempt(stopOf)
    },
    isAlone(run) {
      if (isShared || runs[0] === run) return !isShared
      // a run that spoke before another and speaks again: they run at the same time
      if (runs.includes(run)) {
        isShared = true
        report(guard, adapter, new Error('two runs at once have this guard; give each its own'))
        return false
      }
      runs.unshift(run)
      if (runs.length > 8) runs.pop()
      return true
    },
  }
}

const isFinal = ({ action }: Finding) => action === 'ask' || action === 'stop'

/** In the place of a finding, where the person has stopped a run in which there was none. */
export const BY_PERSON: Finding = {
  detector: 'person',
  kind: 'person',
  detail: 'the person ended the run',
  advice: 'Do not go on.',
  identity: 'person',
  count: 1,
  period: 0,
  since: 0,
  at: 0,
  sample: '',
  strike: 1,
  action: 'stop',
  wasted: { events: 0, characters: 0 },
}

/** Why a call must not run, or its answer not be given. */
export const reasonOf = (verdict: Verdict | undefined): string | undefined =>
  verdict && 'reason' in verdict ? verdict.reason : undefined

const ended = (finding: Finding): Verdict => ({
  type: 'stop',
  reason: `Stopped: ${finding.detail}. ${finding.advice}`,
  finding,
})

/** Puts a failure of ours where the host can find it, and nowhere else. */
function report(guard: Guard, part: string, error: unknown): void {
  try {
    const faults = guard.faults as Fault[]
    if (!faults.some((fault) => fault.part === part)) faults.push({ part, error })
  } catch {
    // a guard that cannot even be asked for its faults has nobody to tell
  }
}
