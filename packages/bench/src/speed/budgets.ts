import { atLeast, atMost, type Goal } from '../goal.js'
import type { SpeedResults } from './measure.js'
import type { Timing } from './stopwatch.js'

const preset = 'unloop, preset gemini-cli'
const defaults = 'unloop, all default detectors'

/** The budgets of the project; the absolute times are for a core like that of our build machine. */
export function checkBudgets({ texts, calls, state }: SpeedResults): Goal[] {
  const longest = texts.filter((row) => row.deltaSize === 20).at(-1)
  const shortest = texts.find((row) => row.deltaSize === 20)
  const reference = cost(shortest?.timings, 'gemini-cli-core')
  const small = calls.find((row) => row.argumentBytes === 200 && row.answerBytes > 0)
  const large = calls.find((row) => row.argumentBytes > 200 && row.answerBytes > 0)
  return [
    ...[defaults, preset].flatMap((name) => {
      const nanoseconds = cost(longest?.timings, name)
      return [
        atLeast(`text, deltas of 20, ${name}`, 1000 / nanoseconds, 40, 'M characters/s'),
        atLeast(
          'the same beside gemini-cli-core',
          reference / cost(shortest?.timings, name),
          // the package's own speed varies: between 428 and 2,051 were measured
          400,
          '× as fast',
        ),
      ]
    }),
    atMost('call of 200 B with answer of 500 B', cost(small?.timings, defaults) / 1000, 12, 'µs'),
    atMost('call of 20 KB with answer of 20 KB', cost(large?.timings, defaults) / 1000, 120, 'µs'),
    atMost('live state of one session', state.liveBytes / 1024, 256, 'KB'),
    atMost('snapshot of one session', state.snapshotBytes / 1024, 64, 'KB'),
    ...quietRows([...texts, ...calls]),
  ]
}

function cost(timings: readonly Timing[] | undefined, name: string): number {
  const timing = timings?.find((candidate) => candidate.name.startsWith(name))
  return timing?.nanosecondsPerUnit ?? Number.NaN
}

/** Speed on ordinary material means nothing if it raised an alarm. */
function quietRows(rows: readonly { alarms: string[] }[]): Goal[] {
  const alarms = new Set(rows.flatMap((row) => row.alarms).filter((name) => /^unloop/.test(name)))
  return [
    {
      what: 'quiet on the ordinary material above',
      measured: alarms.size === 0 ? 'quiet' : `alarm: ${[...alarms].join(', ')}`,
      wanted: 'no alarm',
      held: alarms.size === 0,
    },
  ]
}
