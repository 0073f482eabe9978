import { expect, it } from 'vitest'
import { testDetector } from '../../test/detector.js'
import { call, lasting, prompt, result, retry, step, times, turn } from '../../test/events.js'
import { createGuard } from '../guard.js'
import { scatteredCall } from './scattered-call.js'

const status = step('bash', { command: 'git status' }, 'On branch main\nnothing to commit')
const other = (lap: number) => step('read_file', { path: `${lap}.ts` }, `the text of ${lap}`)

const job = step('get_job', { name: 'a' }, 'still running')
/** Looks of which each is followed by a look elsewhere. */
const looks = (count: number) => times(count, (lap) => [...status, ...other(lap)])
/** A look after each change, with an answer that no change moves. */
const unmoved = (lap: number) => [
  ...step('edit', { path: 'a.ts', new: `line ${lap}` }, 'ok'),
  ...step('read_file', { path: 'build.log' }, 'the last line of the build is red'),
]

/** Attempts with a few settings in an order of their own, each of which seems to change something. */
const attempts = (count: number) =>
  times(count, (lap) => [
    ...step('configure_pump', { flow: [5, 9, 5, 7, 9, 7][lap % 6] }, `set, revision ${lap % 4}`),
    ...step(
      'run_pump',
      { seconds: [30, 60, 30, 90, 60][lap % 5] },
      `stopped after the start: no solvent in line A, pressure 0.${(7 * lap) % 5}`,
    ),
  ])

testDetector(scatteredCall(), {
  trips: {
    'when nearly all of a long stretch was known before, in no order': attempts(18),
    'on the sixth time, whatever was read in between': [
      ...times(5, (lap) => [...status, ...other(lap), ...other(lap + 10)]),
      ...status,
    ],
    'at uneven distances': [
      ...status,
      ...times(9, other),
      ...status,
      ...other(10),
      ...times(2, status),
      ...other(11),
      ...status,
      ...other(12),
      ...status,
    ],
    'when the last change lies before': [
      ...step('edit', { path: 'a', new: 'x' }, 'ok'),
      ...looks(5),
      ...status,
    ],
    'when an edit in between failed': [
      ...times(5, (lap) => [
        ...status,
        ...step('edit', { path: 'a', new: `${lap}` }, `Error: no match for ${lap}`),
      ]),
      ...status,
    ],
    'when only times and durations differ': times(6, (lap) => [
      ...other(lap),
      ...step('get_job', { name: 'a' }, `the build of main failed at 10:4${lap}:00 after ${lap}ms`),
    ]),
    'later if the same change is made each time, which may be there to be measured': times(9, [
      ...step('set_flag', { on: true }, 'ok'),
      ...status,
    ]),
    'later if only notes are written in between': [
      ...times(8, (lap) => [
        ...status,
        ...step('bash', { command: `echo ${lap} >> notes.md` }, ''),
      ]),
      ...status,
    ],
    'as a parallel round': times(6, (lap) => [
      turn(),
      call('ls', {}),
      call('pwd', {}),
      result('app.ts, run.ts, view.ts'),
      result('/home/me/src/app'),
      turn(),
      ...other(lap),
    ]).slice(0, -3),
    'on the eighteenth time that brings nothing, whatever was changed in between': times(
      19,
      unmoved,
    ),
    'on the sixteenth look that brought nothing, where nobody knows the time': times(17, [
      ...step('pwd', {}, '/home/me'),
      ...job,
    ]),
    'on the fortieth sleep after a look that brought something': lasting(
      5,
      times(41, [...step('bash', { command: 'sleep 5' }, ''), ...job]).slice(0, -2),
    ),
    'on the forty-eighth if each takes its time': lasting(
      30,
      times(49, [...step('bash', { command: 'sleep 30' }, ''), ...job]).slice(0, -2),
    ),
    'once more than was asked for': times(8, (lap) => [
      ...(lap === 0 ? [prompt('Take seven samples')] : []),
      ...other(lap),
      ...status,
    ]),
  },
  advises: {
    'on the fifth time, whatever was read in between': [...looks(4), ...status],
    'on the eighth time if the same change is made each time': times(8, [
      ...step('set_flag', { on: true }, 'ok'),
      ...status,
    ]),
    'on the twelfth time that brings nothing, whatever was changed in between': times(13, unmoved),
  },
  quiet: {
    'while settings are tried for the first time': attempts(8),
    'for a check after each new change, which makes up half of all calls': times(30, (lap) => [
      ...step('bash', { command: 'npm run lint' }, 'no problems found'),
      ...step('edit', { path: 'a', new: `line ${lap}` }, 'ok'),
    ]),
    'for measurements that were asked for': [
      prompt('Run the benchmark 30 times and give me the median'),
      ...times(30, (lap) =>
        step('bash', { command: './bench --once' }, `elapsed ${400 + (lap % 7)} ms`),
      ),
    ],
    'for four': looks(4),
    'for a few looks at what no change has moved yet': times(12, unmoved),
    'when something was changed in between': times(12, (lap) => [
      ...status,
      ...step('edit', { path: 'a', new: `line ${lap}` }, 'ok'),
    ]),
    'when a shell line changed something': times(12, (lap) => [
      ...status,
      ...step('bash', { command: `echo ${lap} >> config.ini` }, ''),
    ]),
    'when other programs ran, who knows what they do': times(12, (lap) => [
      ...status,
      ...step('bash', { command: `helm upgrade shop --set cpu=${lap}` }, 'upgraded'),
    ]),
    'while the service is out of reach': times(12, (lap) => [
      ...other(lap),
      ...step('fetch', { url: 'a' }, 'Error 503: the service is unavailable'),
    ]),
    'when it only says that all is well, while other looks bring news': times(12, (lap) => [
      ...step('get_job', { name: 'a' }, 'ok'),
      ...other(lap),
    ]),
    'when the answers differ': times(12, (lap) => [
      ...other(lap),
      ...step('get_job', { name: 'a' }, `${lap} of 12 done`),
    ]),
    'when the laps lie too far apart': times(6, (lap) => [
      ...status,
      ...times(12, (n) => other(20 * lap + n)),
    ]),
    'while it waits': lasting(
      5,
      times(12, (lap) => [...other(lap), ...step('get_job', { name: 'a' }, 'still running')]),
    ),
    'while it sleeps between its looks': times(18, () => [
      ...step('bash', { command: 'sleep 30' }, ''),
      ...step('bash', { command: 'kubectl get pods' }, 'web-1 Pending'),
    ]),
    'when it moves on': times(12, (lap) => [...step('next_page', {}, 'ok'), ...other(lap)]),
    'when one round makes the call many times': [
      turn(),
      ...times(8, [call('pwd', {})]),
      ...times(8, [result('/a')]),
    ],
    'without answers': times(12, (lap) => [call('pwd', {}), call('ls', { path: `${lap}` })]),
    'when the person asked to watch': [
      prompt('Watch the queue and tell me as soon as it is empty'),
      ...times(12, (lap) => [...step('count', { queue: 'a' }, '1 left'), ...other(lap)]),
    ],
    'when a retry sends it again': [
      ...times(3, (lap) => [turn(), ...status, turn(), ...other(lap)]),
      ...times(4, [turn(), ...status, retry()]),
    ],
  },
})

it('ends a run that only makes calls whose answers it knows', () => {
  const guard = createGuard({ detectors: [scatteredCall()] })
  const found = attempts(30).flatMap((event) => guard.observe(event) ?? [])
  expect(found.map(({ kind }) => kind)).toContain('nothing-but-known')
  expect(guard.stopped).toBe(true)
})

it('does not say that nothing was changed if a change was made again', () => {
  const guard = createGuard({ detectors: [scatteredCall()] })
  const again = times(8, [...step('set_flag', { on: true }, 'ok'), ...status])
  const [finding] = again.flatMap((event) => guard.observe(event) ?? [])
  expect(finding?.detail).toContain('and nothing new was changed in between')
})

it('advises differently where changes were made and did not matter', () => {
  const guard = createGuard({ detectors: [scatteredCall()] })
  const found = times(16, unmoved).flatMap((event) => guard.observe(event) ?? [])
  expect(found[0]?.advice).toContain('Whatever you try')
})
