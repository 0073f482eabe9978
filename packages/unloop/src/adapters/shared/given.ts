import type { Guard } from '../../guard.js'
import { type Guards, isGuards } from '../../host/guards.js'
import { runOf } from '../../host/run.js'
import { bad, isRecord } from '../../options.js'
import type { Any } from './any.js'

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

/** What is guarded, and by whom. */
const owners = new WeakMap<object, Set<Guard | Guards>>()

/** Whether something is guarded already: by this guard, which once is enough for, or by any. */
export const isGuarded = (made: unknown, guard?: Guard | Guards): boolean => {
  const known = owners.get(Object(made))
  return guard ? (known?.has(guard) ?? false) : known !== undefined
}

/** Notes that what was made of something is guarded, beside the guards that the latter had. */
export function noteGuarded<Made extends object>(guard: Guard | Guards, made: Made, of?: unknown) {
  owners.set(made, new Set([...(owners.get(Object(of)) ?? []), guard]))
  return made
}

/** Notes that a request is guarded for as long as it takes: it belongs to the program, which may send it again. */
export function whileGuarded(guard: Guard | Guards, sent: Any, work: () => Promise<Any>) {
  if (sent) noteGuarded(guard, sent, sent)
  return work().finally(() => owners.delete(sent))
}

/** Throws if a program gives no guard. */
export function checkGuard(guard: Guard | Guards, adapter: string): void {
  if (!isGuards(guard)) runOf(guard, adapter)
}

/** Throws if a program gives one of our functions something else than it takes. */
export function checkGiven(name: string, what: string, given: unknown, isRight = isRecord(given)) {
  if (!isRight) throw bad(name, `takes a guard and ${what}`, toShown(given))
}

/** What a person knows it by. */
function toShown(given: unknown): unknown {
  if (typeof given === 'function') return `function ${given.name}`
  const { name } = (isRecord(given) && given.constructor) || Object
  return name && name !== 'Object' ? name : given
}

/** Whether it has all of these members, as every version of what is meant has. */
export const has = (given: unknown, ...members: string[]): boolean =>
  isRecord(given) && members.every((member) => member in given)
