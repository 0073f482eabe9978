import { describe, expect, it } from 'vitest'
import { testDetector } from '../../test/detector.js'
import { call, failed, failure, prompt, retry, step, times, turn } from '../../test/events.js'
import { createGuard } from '../guard.js'
import { failing } from './failing.js'

const { outage } = failing().options as { outage: number }
const errors =
  'denied:permission missing:module invalid:json unknown:flag refused:scope unexpected:token'.split(
    ' ',
  )
const missing = (lap: number) =>
  failed('edit', { path: 'a.ts', old: `v${lap}` }, `Error: could not find the string "v${lap}"`)
const again = failed('edit', { path: 'a.ts', old: 'x' }, 'Error: could not find the string "x"')
const busy = (lap: number) =>
  failed('search', { query: `words ${lap}` }, '429 Too Many Requests, try again later')

testDetector(failing(), {
  trips: {
    'on the fifth time of one error': times(5, again),
    'when the host does not call it an error': times(
      5,
      step('bash', { command: 'make' }, 'Traceback (most recent call last):\n  KeyError: "a"'),
    ),
    'when a field of the answer says so': times(
      5,
      step('deploy', { to: 'web' }, { ok: false, reason: 'the name is taken' }),
    ),
    'when an exit code says so': times(5, step('bash', { command: 'make' }, 'make\nexit code: 2')),
    'whatever the numbers, the times and the quoted words in it': times(5, (lap) =>
      failed(
        lap % 2 === 0 ? 'edit' : 'patch',
        { path: 'a.ts' },
        `[10:0${lap}:00] Error at line ${lap}: bad argument "v${lap}", request 8f3c00${lap}a`,
      ),
    ),
    'whatever the tool is called': [
      ...times(6, (lap) => failed(`wri${'te'.repeat(lap)}`, {}, `Error: no tool "wri${lap}"`)),
      ...failed('wrote', {}, 'Error: no tool "wrote"'),
    ],
    'on the seventh if every call is another': times(7, (lap) =>
      failed(lap % 2 === 0 ? 'edit' : 'patch', { old: `v${lap}` }, `Error: no match for "v${lap}"`),
    ),
    'on the eighth of two errors in turn': times(4, (lap) => [
      ...missing(lap),
      ...failed('bash', { command: `make v${lap}` }, 'fatal: target is a directory'),
    ]),
    'on the twelfth failure of any kind': times(12, (lap) => {
      const [kind, what] = (errors[lap % 6] as string).split(':')
      return failed('bash', { command: `step ${lap}` }, `Error: ${kind} ${what}`)
    }),
    'on the eighth of one tool, whatever was read in between': times(8, (lap) => [
      ...step('read_file', { path: `${lap}.ts` }, `export const name${lap} = ${lap}`),
      ...again,
    ]),
    'on the twelfth try of a service that is out of reach': times(outage, busy),
    'when a parallel round fails as a whole': times(5, [
      turn(),
      call('edit', { path: 'a' }),
      call('edit', { path: 'b' }),
      failure('Error: the disk is full'),
      failure('Error: the disk is full'),
    ]),
    'once more than was asked for': [
      prompt('Make 6 attempts to log in'),
      ...times(7, failed('login', { as: 'me' }, 'Error: wrong password')),
    ],
  },
  quiet: {
    'for four': times(4, again),
    'when an edit was made before each failure': times(20, (lap) => [
      ...step('edit', { path: 'a.ts', new: `const a = ${lap}` }, 'ok'),
      ...failed('bash', { command: 'npm test' }, `${20 - lap} failed`),
    ]),
    'when something was learned in between': times(4, (lap) => [
      ...step('read_file', { path: `${lap}.ts` }, `export const name${lap} = ${lap}`),
      ...missing(lap),
    ]),
    'when a service comes back': times(3, (lap) => [
      ...times(outage - 1, busy),
      ...step('search', { query: 'words' }, `a page about the ${lap}th of May`),
    ]),
    'when the file that was read is about errors': times(12, (lap) =>
      step(
        'read_file',
        { path: `${lap}.md` },
        `# Chapter ${lap}\n${'What to do if an error comes that cannot be repaired. '.repeat(8)}`,
      ),
    ),
    'when it denies them': times(12, (lap) =>
      step('lint', { file: `${lap}.ts` }, 'Found 0 errors and no failures'),
    ),
    'for one round with many failures': [
      turn(),
      ...times(8, (lap) => [call('edit', { path: `${lap}` })]),
      ...times(8, [failure('Error: read-only')]),
    ],
    'when a retry sends it again': times(9, [turn(), ...again, retry()]),
    'on a new prompt': times(3, [prompt(), ...times(4, again)]),
  },
})

describe('failing', () => {
  const last = (events: ReturnType<typeof times>) => {
    const guard = createGuard({ detectors: [failing()] })
    return events.map(guard.observe).at(-1)
  }

  it('tells an outage from a loop and says to wait', () => {
    const finding = last(times(outage, busy))
    expect(finding?.kind).toBe('outage')
    expect(finding?.advice).toContain('Wait')
  })

  it('quotes the error', () => {
    expect(last(times(5, again))?.detail).toContain('could not find the string')
  })
})
