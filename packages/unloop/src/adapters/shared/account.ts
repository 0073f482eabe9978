import type { AgentEvent } from '../../event.js'
import type { Guard } from '../../guard.js'
import { type Guards, isGuards } from '../../host/guards.js'
import { createLineage, type Lineage, placeOf } from '../../host/lineage.js'
import { resume } from '../../host/resume.js'
import { type Run, runOf } from '../../host/run.js'
import { isAlone } from './alone.js'

/** The guard of one conversation, for as long as a program goes on with it. */
export interface Account {
  readonly run: Run
  /** Notes that the model is asked; false where two conversations share one guard. */
  enter(): boolean
  /** whether its guard watches this conversation, and no other */
  readonly isOwn: boolean
  /** Notes that the model has answered: from now on the conversation is known by this name. */
  leave(name: string): Promise<void>
}

/**
 * Opens the account of the conversation with this history: by its id, where the SDK has one, or by its content. A guard that knows
 * nothing yet is told the history first.
 */
export async function openAccount(
  guard: Guard | Guards,
  host: string,
  history: readonly AgentEvent[],
  id?: string,
  { last } = placeOf(history),
): Promise<Account> {
  if (!isGuards(guard)) return join(rebuild(runOf(guard, host), history), last)
  // under a name that no other request has meanwhile
  let name = id ?? `new ${crypto.randomUUID()}`
  const known = id ? guard.open(id) : last === undefined ? undefined : guard.take(last, name)
  const run = rebuild(runOf((await known) ?? guard.of(name), host), history)
  return {
    run,
    isOwn: true,
    enter: () => true,
    async leave(place) {
      const as = id ?? place
      await guard.save(name, as)
      name = as
    },
  }
}

/** A guard that knows nothing yet is told the history. */
export function rebuild(run: Run, history: readonly AgentEvent[]): Run {
  if (run.guard.events === 0 && !run.stopped) resume(run, history)
  return run
}

const lineages = new WeakMap<Run, Lineage>()

/** An account of the only guard there is. */
function join(run: Run, last: string | undefined): Account {
  const lineage = lineages.get(run) ?? createLineage()
  lineages.set(run, lineage)
  let place = last
  const account: Account = {
    run,
    get isOwn() {
      return run.outcome !== 'unguarded' && isAlone(run, account)
    },
    enter() {
      if (!account.isOwn) return false
      const isSame = lineage.enter(place) !== 'shared'
      if (!isSame)
        run.giveUp('two conversations share this guard; createGuards() gives each its own')
      return isSame
    },
    async leave(name) {
      lineage.leave(name)
      place = name
    },
  }
  return account
}

/** Reports that something cannot be guarded, whoever's it is. */
export function giveUp(guard: Guard | Guards, host: string, why: string): void {
  if (isGuards(guard)) guard.addFault(host, new Error(why))
  else runOf(guard, host).giveUp(why)
}
