import type { Guard } from '../../guard.js'
import { type Guards, isGuards } from '../../host/guards.js'
import { type CallEvent, type Run, reasonOf, runOf } from '../../host/run.js'
import { callKey } from '../../reading/call-key.js'

/** What to answer instead of running a call of the last turn; where calls have no id, name and arguments tell which it is. */
export function refusalOf(
  guard: Guard | Guards,
  id: string | undefined,
  name?: string,
  args?: unknown,
): string | undefined {
  if (!isGuards(guard)) return refusalIn(runOf(guard, 'tools'), id, name, args)
  const runs = ownersOf(guard, id, name, args)
  const reasons = runs.map((run) => refusalIn(run, id, name, args))
  // where nothing tells whose call it is, it runs unless all would be refused
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined
}

function refusalIn(run: Run, id: string | undefined, name?: string, args?: unknown) {
  return run.attempt(() => {
    if (!run.turn && !run.guard.events && run.outcome !== 'unguarded')
      run.giveUp('tools are run, but no request was seen')
    const calls = lastCalls(run).filter((call) =>
      id && call.id ? call.id === id : !name || call.name === name,
    )
    // arguments may have been parsed into others: then it is any of these, and runs unless all are refused
    const call =
      calls.find(({ key }) => name && key === callKey(name, args)) ??
      calls.find(({ verdict }) => !reasonOf(verdict)) ??
      calls[0]
    return reasonOf(call?.verdict)
  })
}

/**
 * Whether a request without tools, and of nothing that we know, is none of the run: a tool asks for itself while its call waits for
 * the answer, or somebody for a title after a stop.
 */
export function isBusy(run: Run): boolean {
  const calls = run.stopped ? run.calls : lastCalls(run).filter(({ answer }) => !answer)
  return calls.length > 0
}

const lastCalls = ({ calls, turn }: Run) => calls.filter((call) => call.turn === turn)

interface Waiting {
  /** the runs whose calls may be waiting, by what the calls are known by; nothing keeps them from being forgotten */
  runs: Map<string, WeakRef<Run>[]>
  /** where conversations stand */
  places: Map<string, WeakRef<Run>>
  /** runs whose conversation was read from the store since, and goes on as another run */
  gone: WeakSet<Run>
}

const waiting = new WeakMap<Guards, Waiting>()

function waitingOf(guards: Guards): Waiting {
  const known = waiting.get(guards) ?? { runs: new Map(), places: new Map(), gone: new WeakSet() }
  waiting.set(guards, known)
  return known
}

// more than are waiting at a time in a busy server, and more conversations than make the same call at a time
const MAX_KEYS = 20_000
const MAX_RUNS = 100

/** Notes whose call this is, for tools that run without telling. */
export function noteOwner(guards: Guards, run: Run, { id, name, args }: CallEvent): void {
  const { runs, gone } = waitingOf(guards)
  for (const key of keysOf(id, name, args)) {
    const others = (runs.get(key) ?? []).filter((one) => {
      const other = one.deref()
      return other && other !== run && !gone.has(other) && isBusy(other)
    })
    keep(runs, key, [new WeakRef(run), ...others].slice(0, MAX_RUNS))
  }
}

/** Notes where a conversation stands. */
export function standsAt(guards: Guards, run: Run, place: string): void {
  keep(waitingOf(guards).places, place, new WeakRef(run))
}

/** Notes that the conversation at this place goes on as this run. */
export function goesOnAs(guards: Guards, place: string, run: Run): void {
  const { places, gone } = waitingOf(guards)
  const before = places.get(place)?.deref()
  if (before && before !== run) gone.add(before)
}

/** Keeps a value under a name, and the latest of all. */
export function keep<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  const oldest = map.keys().next().value
  if (map.size > MAX_KEYS && oldest !== undefined) map.delete(oldest)
}

function ownersOf(guards: Guards, id: string | undefined, name?: string, args?: unknown): Run[] {
  const { runs, gone } = waitingOf(guards)
  for (const key of keysOf(id, name, args)) {
    const alive = (runs.get(key) ?? []).map((one) => one.deref())
    const known = alive.filter((run): run is Run => run !== undefined && !gone.has(run))
    if (known.length > 0) return known
  }
  return []
}

const keysOf = (id: string | undefined, name?: string, args?: unknown): string[] => [
  ...(id ? [`id ${id}`] : []),
  ...(name ? [`call ${callKey(name, args)}`] : []),
]
