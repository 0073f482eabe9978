import { medianOf } from '../accuracy/metrics.js'

/** One thing to be timed: `prepare` is not counted, `run` is; `units` is what one run handles. */
export interface Trial {
  name: string
  units: number
  prepare(): () => void
}

export interface Timing {
  name: string
  /** median of the rounds */
  nanosecondsPerUnit: number
  /** fastest and slowest round */
  spread: [number, number]
}

/**
 * Times all trials round by round, so that each of them meets the same state of the machine; the order rotates
 * with every round, so that none always comes first.
 */
export function timeInterleaved(trials: readonly Trial[], rounds: number, warmUps = 3): Timing[] {
  const times = trials.map((): number[] => [])
  for (let round = -warmUps; round < rounds; round++) {
    for (let step = 0; step < trials.length; step++) {
      const index = (step + round + warmUps) % trials.length
      const trial = trials[index] as Trial
      const run = trial.prepare()
      const start = process.hrtime.bigint()
      run()
      const nanoseconds = Number(process.hrtime.bigint() - start)
      if (round >= 0) times[index]?.push(nanoseconds / trial.units)
    }
  }
  return trials.map((trial, index) => summarise(trial.name, times[index] ?? []))
}

function summarise(name: string, times: number[]): Timing {
  return {
    name,
    nanosecondsPerUnit: medianOf(times),
    spread: [Math.min(...times), Math.max(...times)],
  }
}
