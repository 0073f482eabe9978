import { testDetector } from '../../test/detector.js'
import { call, lasting, prompt, result, retry, step, times, turn } from '../../test/events.js'
import { scatteredCall } from './scattered-call.js'

const status = step('bash', { command: 'git status' }, 'On branch main\nnothing to commit')
const other = (lap: number) => step('read_file', { path: `${lap}.ts` }, `the text of ${lap}`)

testDetector(scatteredCall(), {
  trips: {
    'on the fifth time, whatever was read in between': [
      ...times(4, (lap) => [...status, ...other(lap), ...other(lap + 10)]),
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
    ],
    'when the last change lies before': [
      ...step('edit', { path: 'a', new: 'x' }, 'ok'),
      ...times(4, (lap) => [...status, ...other(lap)]),
      ...status,
    ],
    'when an edit in between failed': [
      ...times(4, (lap) => [
        ...status,
        ...step('edit', { path: 'a', new: `${lap}` }, `Error: no match for ${lap}`),
      ]),
      ...status,
    ],
    'when only times and durations differ': times(5, (lap) => [
      ...other(lap),
      ...step('get_job', { name: 'a' }, `failed at 10:4${lap}:00 after ${lap}ms`),
    ]),
    'later if the same change is made each time, which may be there to be measured': [
      ...times(8, [...step('set_flag', { on: true }, 'ok'), ...status]),
    ],
    'as a parallel round': times(5, (lap) => [
      turn(),
      call('ls', {}),
      call('pwd', {}),
      result('a'),
      result('/b'),
      turn(),
      ...other(lap),
    ]).slice(0, -3),
    'once more than was asked for': times(8, (lap) => [
      ...(lap === 0 ? [prompt('Take seven samples')] : []),
      ...other(lap),
      ...status,
    ]),
  },
  quiet: {
    'for four': times(4, (lap) => [...status, ...other(lap)]),
    'when something was changed in between': times(12, (lap) => [
      ...status,
      ...step('edit', { path: 'a', new: `line ${lap}` }, 'ok'),
    ]),
    'when a shell line changed something': times(12, (lap) => [
      ...status,
      ...step('bash', { command: `echo ${lap} >> notes.md` }, ''),
    ]),
    'when other programs ran, who knows what they do': times(12, (lap) => [
      ...status,
      ...step('bash', { command: `helm upgrade shop --set cpu=${lap}` }, 'upgraded'),
    ]),
    'while the service is out of reach': times(12, (lap) => [
      ...other(lap),
      ...step('fetch', { url: 'a' }, 'Error 503: the service is unavailable'),
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
