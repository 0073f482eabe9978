import { createRandom } from '../random.js'
import type { Contender } from './contenders.js'
import { makeAnswers, makeCalls } from './material.js'
import { type Timing, type Trial, timeInterleaved } from './stopwatch.js'

export interface CallSpeed {
  argumentBytes: number
  /** 0: the call alone, without its answer */
  answerBytes: number
  timings: Timing[]
  alarms: string[]
}

// many small calls and few large ones, so that each round takes about ten milliseconds
const shapes = [
  { argumentBytes: 200, answerBytes: 0, count: 4_000 },
  { argumentBytes: 200, answerBytes: 500, count: 4_000 },
  { argumentBytes: 20_000, answerBytes: 0, count: 160 },
  { argumentBytes: 20_000, answerBytes: 20_000, count: 160 },
]

export function measureCalls(contenders: readonly Contender[], seed: number): CallSpeed[] {
  return shapes.map(({ argumentBytes, answerBytes, count }) => {
    const random = createRandom(seed)
    const calls = makeCalls(random, count, argumentBytes)
    const answers = makeAnswers(random, answerBytes > 0 ? count : 0, answerBytes)
    const alarms = new Set<string>()
    const trials = contenders.flatMap((contender): Trial[] => {
      if (answerBytes > 0 && !contender.callsAndAnswers) return []
      const run = () =>
        answerBytes > 0 ? contender.callsAndAnswers?.(calls, answers) : contender.calls(calls)
      const prepare = () => () => {
        if (run()) alarms.add(contender.name)
      }
      return [{ name: contender.name, units: count, prepare }]
    })
    return {
      argumentBytes,
      answerBytes,
      timings: timeInterleaved(trials, 9, 3),
      alarms: [...alarms],
    }
  })
}
