import { testDetector } from '../../test/detector.js'
import {
  call,
  failed,
  lasting,
  prompt,
  result,
  retry,
  step,
  times,
  turn,
} from '../../test/events.js'
import { callCycle } from './call-cycle.js'

const list = step('ls', { path: 'src' }, 'app.ts\nrun.ts')
const read = step('read_file', { path: 'src/app.ts' }, 'import "./run.js"')
const look = (file: number) => step('read_file', { path: `${file}.ts` }, `the text of ${file}`)

testDetector(callCycle(), {
  trips: {
    'on the third lap of two calls': times(3, [...list, ...read]),
    'on the third lap of seven': times(3, times(7, look)),
    'on the third lap of forty': times(3, times(40, look)),
    'when the lap has one call twice': times(3, [...list, ...list, ...read]),
    'after honest work': [...times(9, look), ...times(3, [...list, ...read])],
    'on a file that is read and an edit that fails': times(3, (lap) => [
      ...read,
      ...failed(
        'edit',
        { path: 'src/app.ts', old: 'foo' },
        `Error ${lap}: could not find the string "foo"`,
      ),
    ]),
    'when only times and ids in the answers differ': times(3, (lap) => [
      ...step('get_job', { name: 'a' }, `failed at 10:4${lap}:00, run 00c0ffee${lap}${lap}`),
      ...step('get_log', { name: 'a' }, `2026-04-0${lap + 1} exit in ${lap}ms`),
    ]),
    'on the fourth lap if something is changed in it': times(4, [
      ...step('edit', { path: 'a', old: 'x', new: 'y' }, 'ok'),
      ...step('edit', { path: 'a', old: 'y', new: 'x' }, 'ok'),
    ]),
    'on the fortieth lap if it waits': times(40, [
      ...step('sleep', { seconds: 5 }, ''),
      ...step('get_job', { name: 'a' }, 'still running'),
    ]),
    'of parallel rounds': times(3, [
      turn(),
      call('ls', {}),
      call('glob', {}),
      result('a'),
      result('b'),
      turn(),
      ...read,
    ]),
    'on the fifth lap where no answers are seen': [
      ...times(5, [call('ls', {}), call('pwd', {})]),
      turn(),
    ],
    'once more than was asked for': [
      prompt('Call reach for both servers 5 times'),
      ...times(6, [...step('reach', { host: 'a' }, 'up'), ...step('reach', { host: 'b' }, 'up')]),
    ],
    'on the sixteenth lap if it seems to wait and nobody knows the time': times(16, [
      ...list,
      ...step('get_job', { name: 'a' }, 'still running'),
    ]),
    'on the forty-eighth lap if each takes its time': lasting(
      30,
      times(48, [...list, ...step('get_job', { name: 'a' }, 'still running')]),
    ),
  },
  advises: {
    'on the second lap of three calls': times(2, [...list, ...read, ...look(1)]),
    'on the second lap of forty': times(2, times(40, look)),
    'when a call that fails is one of three': times(2, [
      ...list,
      ...read,
      ...failed('edit', { path: 'src/app.ts', old: 'foo' }, 'Error: could not find "foo"'),
    ]),
  },
  quiet: {
    'for two laps and a half of two calls': [...times(2, [...list, ...read]), ...list],
    'before the second lap of three calls is over': times(2, [...list, ...read, ...look(1)]).slice(
      0,
      -2,
    ),
    'on the second and third lap if something is changed in them': times(3, [
      ...list,
      ...read,
      ...step('edit', { path: 'a', old: 'x', new: 'y' }, 'ok'),
    ]),
    'for one call again and again, which is a repeated call': times(12, list),
    'when an answer changes with every lap': times(9, (lap) => [
      ...list,
      ...step('count', { queue: 'a' }, `${20 - lap} left`),
    ]),
    'when every edit is another': times(9, (lap) => [
      ...read,
      ...step('edit', { path: 'src/app.ts', new: `line ${lap}` }, 'ok'),
      ...step('bash', { command: 'npm test' }, '3 failed'),
    ]),
    'when something is switched to and fro and measured': times(3, [
      ...step('set_flag', { on: true }, 'ok'),
      ...step('measure', {}, '12 requests'),
      ...step('set_flag', { on: false }, 'ok'),
      ...step('measure', {}, '19 requests'),
    ]),
    'while a job is waited for': times(15, [
      ...step('sleep', { seconds: 5 }, ''),
      ...step('get_job', { name: 'a' }, 'still running'),
    ]),
    'when the person asked to watch until it is done': [
      prompt('Keep watching both queues until they are empty'),
      ...times(20, [
        ...step('count', { queue: 'a' }, '1 left'),
        ...step('count', { queue: 'b' }, '2 left'),
      ]),
    ],
    'when the same round is made in parallel twice': times(2, [
      turn(),
      ...times(4, [call('ls', {}), call('pwd', {})]),
      ...times(8, [result('x')]),
    ]),
    'when a retry sends a lap again': times(5, [turn(), ...list, ...read, retry()]),
    'on a new prompt': times(3, [prompt(), ...times(2, [...list, ...read])]),
  },
})
