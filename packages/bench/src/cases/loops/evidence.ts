import type { Evidence } from '../case.js'
import type { Step } from '../trace.js'

/** Evident at the answer of the `count`-th time; the second repeat is the third time. */
export function evidentAfter(steps: readonly Step[], count: number): Evidence {
  const evident = steps[count - 1]
  const third = steps[2]
  if (!evident || !third)
    throw new RangeError(`a loop of ${count} needs more than ${steps.length} steps`)
  return { evidentAt: evident.resultAt, secondRepeatAt: third.startAt }
}

/** The same for laps of several steps: evident when lap `count` is complete. */
export function evidentAfterLaps(laps: readonly (readonly Step[])[], count: number): Evidence {
  const evident = laps[count - 1]?.at(-1)
  const third = laps[2]?.[0]
  if (!evident || !third)
    throw new RangeError(`a loop of ${count} laps needs more than ${laps.length}`)
  return { evidentAt: evident.resultAt, secondRepeatAt: third.startAt }
}
