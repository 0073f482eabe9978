import type { Guard } from '../../guard.js'
import { type Guards, isGuards } from '../../host/guards.js'
import { runOf } from '../../host/run.js'
import { bad, isRecord } from '../../options.js'

/** What a program gave, guarded; where that is not possible, it is reported, and the program keeps what it gave. */
export function guardOr<Given>(
  guard: Guard | Guards,
  adapter: string,
  given: Given,
  work: () => Given,
): Given {
  const run = isGuards(guard) ? undefined : runOf(guard, adapter)
  try {
    return work()
  } catch (error) {
    const why = `not guarded, this version of the SDK is unknown: ${error}`
    if (isGuards(guard)) guard.addFault(adapter, new Error(why))
    run?.giveUp(why)
    return given
  }
}

/** Throws if a program gives no guard. */
export function checkGuard(guard: Guard | Guards, adapter: string): void {
  if (!isGuards(guard)) runOf(guard, adapter)
}

/** Throws if a program gives one of our functions something else than it takes. */
export function checkGiven(name: string, what: string, given: unknown, isRight = isRecord(given)) {
  const shown = typeof given === 'function' ? `function ${given.name}` : given
  if (!isRight) throw bad(name, `takes a guard and ${what}`, shown)
}
