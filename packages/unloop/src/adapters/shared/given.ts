import type { Run } from '../../host/run.js'
import { bad, isRecord } from '../../options.js'

/** What a program gave, guarded; where that is not possible, it is reported, and the program keeps what it gave. */
export function guardOr<Given>(run: Run, given: Given, work: () => Given): Given {
  try {
    return work()
  } catch (error) {
    run.giveUp(`not guarded, this version of the SDK is unknown: ${error}`)
    return given
  }
}

/** Throws if a program gives one of our functions something else than it takes. */
export function checkGiven(name: string, what: string, given: unknown, isRight = isRecord(given)) {
  const shown = typeof given === 'function' ? `function ${given.name}` : given
  if (!isRight) throw bad(name, `takes a guard and ${what}`, shown)
}
