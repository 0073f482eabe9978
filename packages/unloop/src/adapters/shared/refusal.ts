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

/** The runs whose calls may be waiting, by what the calls are known by. */
const owners = new WeakMap<Guards, Map<string, Run[]>>()

// more than are waiting at a time in a busy server
const MAX_OWNERS = 20_000

/** Notes whose call this is, for tools that are run without telling. */
export function noteOwner(guards: Guards, run: Run, { id, name, args }: CallEvent): void {
  const known = owners.get(guards) ?? new Map<string, Run[]>()
  owners.set(guards, known)
  for (const key of keysOf(id, name, args)) {
    const others = (known.get(key) ?? []).filter((other) => other !== run && isBusy(other))
    known.delete(key)
    known.set(key, [run, ...others])
  }
  for (const key of known.keys()) {
    if (known.size <= MAX_OWNERS) break
    known.delete(key)
  }
}

function ownersOf(guards: Guards, id: string | undefined, name?: string, args?: unknown): Run[] {
  const known = owners.get(guards)
  for (const key of keysOf(id, name, args)) {
    const runs = known?.get(key)
    if (runs) return runs
  }
  return []
}

const keysOf = (id: string | undefined, name?: string, args?: unknown): string[] => [
  ...(id ? [`id ${id}`] : []),
  ...(name ? [`call ${callKey(name, args)}`] : []),
]
