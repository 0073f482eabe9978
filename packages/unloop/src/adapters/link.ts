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

/** One run of an agent and its guard, whichever seams of the SDK it is seen through. */
export interface Link {
  /** Shows the guard an event; one that has a name is shown once, and asked about again it has the same verdict. */
  see(event: AgentEvent, name?: string): Verdict
  /** The verdict on an event that was shown under this name. */
  known(name: string): Verdict | undefined
  /** Does some of our own work; if it fails, that is reported, and the agent goes on without. */
  attempt<Result>(work: () => Result): Result | undefined
  /** Words for the model that it has not been told yet. */
  takeAdvice(): string | undefined
  /** The finding that ended the run, unless the person let it go on. */
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
  const verdicts = new Map<string, Verdict>()
  const advice: string[] = []
  const runs: unknown[] = []
  let stopped: Finding | undefined
  let isShared = false

  function ask(event: AgentEvent): Verdict {
    if (event.type === 'prompt') {
      stopped = undefined
      advice.length = 0
    }
    const finding = guard.observe(event)
    if (!finding) {
      const end = event.type === 'tool-call' && stopOf()
      return end ? ended(end) : GO
    }
    switch (finding.action) {
      case 'warn':
        advise(finding)
        return GO
      case 'block':
        if (event.type === 'tool-call' || event.type === 'tool-result') {
          return { type: 'deny', reason: finding.advice, finding }
        }
        advise(finding)
        return GO
      case 'cut':
        advise(finding)
        return { type: 'cut', finding }
      case 'ask':
      case 'stop':
        stopped = finding
        return ended(finding)
    }
  }

  const stopOf = () => (guard.stopped ? stopped : undefined)

  function advise({ advice: words }: Finding) {
    if (!advice.includes(words)) advice.push(words)
  }

  function attempt<Result>(work: () => Result): Result | undefined {
    try {
      return work()
    } catch (error) {
      report(guard, adapter, error)
    }
  }

  return {
    see(event, name) {
      const known = name && verdicts.get(name)
      if (known) return known
      const verdict = attempt(() => ask(event)) ?? GO
      if (name !== undefined) {
        verdicts.set(name, verdict)
        if (verdicts.size > REMEMBERED) verdicts.delete(verdicts.keys().next().value as string)
      }
      return verdict
    },
    known: (name) => verdicts.get(name),
    attempt,
    takeAdvice() {
      return advice.splice(0).join('\n') || undefined
    },
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
