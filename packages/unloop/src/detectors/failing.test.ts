import { describe, expect, it } from 'vitest'
import { testDetector } from '../../test/detector.js'
import {
  call,
  failed,
  failure,
  prompt,
  result,
  retry,
  step,
  text,
  times,
  turn,
} from '../../test/events.js'
import type { AgentEvent } from '../event.js'
import { createGuard } from '../guard.js'
import { failing } from './failing.js'

const limits = failing().options as Record<string, number>
const limit = (name: string) => limits[name] as number
const outage = limit('outage')
// where a list is gone through in silence
const LIKELY_BATCH = 8
const errors =
  'denied:permission missing:module invalid:json unknown:flag wrong:scope unexpected:token'.split(
    ' ',
  )
const words = 'user login session cookie token guard router store hook view model cache'.split(' ')
const word = (lap: number) => words[lap % words.length] as string
/** What the model says before it tries once more. */
const spoken = (lap: (n: number) => AgentEvent[]) => (n: number) => [
  text('Let me try it another way.'),
  ...lap(n),
]
const missing = (lap: number) =>
  failed('edit', { path: 'a.ts', old: `v${lap}` }, `Error: could not find the string "v${lap}"`)
const again = failed('edit', { path: 'a.ts', old: 'x' }, 'Error: could not find the string "x"')
const patched = (lap: number) =>
  failed(lap % 2 === 0 ? 'edit' : 'patch', { old: `v${lap}` }, `Error: no match for "v${lap}"`)
const absent = (lap: number) =>
  failed('read_file', { path: `src/${word(lap)}.ts` }, 'Error: no such file')
/** The same with one tool after the other. */
const absentAnywhere = (lap: number) =>
  failed(
    lap % 2 === 0 ? 'read_file' : 'view',
    { path: `src/${word(lap)}.ts` },
    'Error: no such file',
  )
const search = (lap: number) =>
  step('search', { query: `where is the ${word(lap)} ${lap}` }, 'No results found')
const inTurn = (lap: number) => [
  ...missing(lap),
  ...failed('bash', { command: `make v${lap}` }, 'fatal: target is a directory'),
]
const mixed = (tools: string[]) => (lap: number) => {
  const [kind, what] = (errors[lap % 6] as string).split(':')
  const tool = tools[lap % tools.length] as string
  return failed(tool, { command: `step ${lap}` }, `Error: ${kind} ${what}`)
}
const look = (lap: number) =>
  step('read_file', { path: `${lap}.ts` }, `export const name${lap} = ${lap}`)
/** A file is changed, and the build says what it said before. */
const unmoved = (lap: number) => [
  ...step('edit', { path: `${lap}.ts`, new: `const a = ${lap}` }, 'ok'),
  ...failed('bash', { command: 'npm run build' }, 'Error: cannot find module "left-pad"'),
]
const busy = (lap: number) =>
  failed('search', { query: `words ${lap}` }, '429 Too Many Requests, try again later')

testDetector(failing(), {
  trips: {
    'at `same` times of one error': times(limit('same'), again),
    'when the host does not call it an error': times(
      limit('same'),
      step('bash', { command: 'make' }, 'Traceback (most recent call last):\n  KeyError: "a"'),
    ),
    'when a field of the answer says so': times(
      limit('same'),
      step('deploy', { to: 'web' }, { ok: false, reason: 'the name is taken' }),
    ),
    'when an exit code says so': times(
      limit('same'),
      step('bash', { command: 'make' }, 'make\nexit code: 2'),
    ),
    'whatever the numbers, the times and the quoted words in it': times(limit('same'), (lap) =>
      failed(
        lap % 2 === 0 ? 'edit' : 'patch',
        { path: 'a.ts' },
        `[10:0${lap}:00] Error at line ${lap}: bad argument "v${lap}", request 8f3c00${lap}a`,
      ),
    ),
    'whatever the tool is called': [
      ...times(limit('new') - 1, (lap) =>
        failed(`wri${'te'.repeat(lap)}`, {}, `Error: no tool "wri${lap}"`),
      ),
      ...failed('wrote', {}, 'Error: no tool "wrote"'),
    ],
    'at `new` times if every call is another': times(limit('new'), patched),
    'at `new` times of one tool if the model speaks before each': times(
      limit('new'),
      spoken(missing),
    ),
    'at `newPlaces` times if every call is about another place': times(
      limit('newPlaces'),
      spoken(absent),
    ),
    'at `batch` times of one tool that goes through a list in silence': times(
      limit('batch'),
      missing,
    ),
    'at `batch` searches in silence that find nothing': times(limit('batch'), search),
    'at `alternating` of two errors in turn': times(limit('alternating'), inTurn).slice(
      0,
      2 * limit('alternating'),
    ),
    'at `any` failures of any kind': times(limit('any'), mixed(['bash', 'python'])),
    'at `batch` failures of any kind of one tool in silence': times(
      limit('batch'),
      mixed(['bash']),
    ),
    'at `scattered` of one tool, whatever was read in between': times(limit('scattered'), (lap) => [
      ...look(lap),
      ...again,
    ]),
    'at `unmoved` to the letter, whatever was changed in between': times(limit('unmoved'), unmoved),
    'at `outage` tries of a service that is out of reach': times(outage, busy),
    'when a parallel round fails as a whole': times(limit('same'), [
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
  advises: {
    'at `likelySame` times of one error': times(limit('likelySame'), again),
    'at `likelyNewSpoken` times if every call is another and the model speaks before each': times(
      limit('likelyNewSpoken'),
      spoken(missing),
    ),
    'at `likelyNew` times if every call is another': times(limit('likelyNew'), patched),
    'at `likelyNewPlaces` times if every call is about another place': times(
      limit('likelyNewPlaces'),
      absentAnywhere,
    ),
    'later of one tool that goes through a list in silence': times(LIKELY_BATCH, missing),
    'on searches in silence that find nothing': times(LIKELY_BATCH, search),
    'on empty answers of a tool that reads': times(LIKELY_BATCH, (lap) =>
      step('search', { query: `where is the ${word(lap)}` }, ''),
    ),
    'when the answer repeats the question': times(LIKELY_BATCH, (lap) =>
      step('search', { query: `${word(lap)} handler` }, `No matches for "${word(lap)} handler"`),
    ),
    'when the host calls a search without hits an error': times(LIKELY_BATCH, (lap) =>
      failed('find', { name: word(lap) }, 'exit code 1: no such file'),
    ),
    'at `likelyAlternating` of two errors in turn': times(limit('likelyAlternating'), inTurn).slice(
      0,
      2 * limit('likelyAlternating'),
    ),
    'at `likelyAnySpoken` failures of any kind if the model speaks before each': times(
      limit('likelyAnySpoken'),
      spoken(mixed(['bash'])),
    ),
    'at `likelyAny` failures of any kind': times(limit('likelyAny'), mixed(['bash', 'python'])),
    'at `likelyScattered` of one tool, whatever was read in between': times(
      limit('likelyScattered'),
      (lap) => [...look(lap), ...again],
    ),
    'at `likelyUnmoved` to the letter, whatever was changed in between': times(
      limit('likelyUnmoved'),
      unmoved,
    ),
  },
  quiet: {
    'for fewer': times(limit('likelySame') - 1, again),
    'for fewer, though the model speaks before each': times(
      limit('likelyNewSpoken') - 1,
      spoken(missing),
    ),
    'for a few searches that find nothing': times(LIKELY_BATCH - 1, search),
    'for a few errors of two kinds in turn': times(2, inTurn),
    'when an edit was made before each failure': times(20, (lap) => [
      ...step('edit', { path: 'a.ts', new: `const a = ${lap}` }, 'ok'),
      ...failed('bash', { command: 'npm test' }, `${20 - lap} failed`),
    ]),
    'when something was learned in between': times(4, (lap) => [...look(lap), ...missing(lap)]),
    'when a write is answered with silence': times(20, (lap) =>
      step('bash', { command: `cat > src/part${lap}.ts <<'E'\nexport {}\nE` }, ''),
    ),
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
    'when all searches were made at once': [
      turn(),
      ...times(8, (lap) => [call('search', { query: word(lap) })]),
      ...times(8, [result('No results found')]),
    ],
    'when a retry sends it again': times(9, [turn(), ...again, retry()]),
    'on a new prompt': times(3, [prompt(), ...times(limit('likelySame') - 1, again)]),
  },
})

describe('failing', () => {
  const last = (events: ReturnType<typeof times>) => {
    const guard = createGuard({ detectors: [failing()] })
    return events.map(guard.observe).at(-1)
  }

  it('reports an outage as such and says to wait', () => {
    const finding = last(times(outage, busy))
    expect(finding?.kind).toBe('outage')
    expect(finding?.advice).toContain('Wait')
  })

  it('quotes the error', () => {
    expect(last(times(limit('same'), again))?.detail).toContain('could not find the string')
  })
})
