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

const { likely, limit, places, batch } = failing().options as Record<string, number> as {
  likely: number
  limit: number
  places: number
  batch: number
}
// where a list is gone through in silence
const LIKELY_BATCH = 8
const errors =
  'denied:permission missing:module invalid:json unknown:flag wrong:scope unexpected:token'.split(
    ' ',
  )
const words = 'user login session cookie token guard router store hook view model cache'.split(' ')
const word = (lap: number) => words[lap % words.length] as string
/** A name that comes once and does not count. */
const name = (lap: number) => `${word(lap)} of the ${word(Math.floor(lap / words.length))}`
/** What the model says before it tries once more. */
const spoken = (lap: (n: number) => AgentEvent[]) => (n: number) => [
  text('Let me try it another way.'),
  ...lap(n),
]
/** One edit of a file after another is rejected. */
const missing = (lap: number) =>
  failed('edit', { path: 'a.ts', old: `v${lap}` }, `Error: could not find the string "v${lap}"`)
const again = failed('edit', { path: 'a.ts', old: 'x' }, 'Error: could not find the string "x"')
/** The same in many files, which may be a list. */
const replaced = (lap: number) =>
  failed(
    'edit',
    { path: `${word(lap)}${lap}.ts`, old: 'v1' },
    'Error: could not find the string "v1"',
  )
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
  step('search', { query: `where is the ${name(lap)}` }, 'No results found')
const inTurn = (lap: number) => [
  ...missing(lap),
  ...failed('bash', { command: `make v${lap}` }, 'fatal: target is a directory'),
]
const mixed = (tools: string[], kinds: number) => (lap: number) => {
  const [kind, what] = (errors[lap % kinds] as string).split(':')
  const tool = tools[lap % tools.length] as string
  return failed(tool, { command: `make the ${name(lap)}` }, `Error: ${kind} ${what}`)
}
const look = (lap: number) =>
  step('read_file', { path: `${lap}.ts` }, `export const name${lap} = ${lap}`)
/** A file is changed, and the build says what it said before. */
const unmoved = (lap: number) => [
  ...step('edit', { path: `${lap}.ts`, new: `const a = ${lap}` }, 'ok'),
  ...failed('bash', { command: 'npm run build' }, 'Error: cannot find module "left-pad"'),
]
/** After each edit the build fails in the other of two ways. */
const returning = (lap: number) => [
  ...step('edit', { path: `${lap}.ts`, new: `const b = ${lap}` }, 'ok'),
  ...failed(
    'bash',
    { command: 'npm run build' },
    lap % 2 === 0 ? 'Error: cannot find module "left-pad"' : 'TypeError: pad is not a function',
  ),
]
/** A new script each time, and all of them fail alike. */
const script = (lap: number) => {
  const file = `${name(lap).replaceAll(' ', '_')}.py`
  return [
    ...step('write_file', { path: file, content: `import lxml # ${word(lap)}` }, 'ok'),
    ...failed('bash', { command: `python ${file}` }, "ModuleNotFoundError: No module named 'lxml'"),
  ]
}
/** The same, in a line of its own each time. */
const reader = (lap: number) => {
  const file = `plot_${lap}.py`
  return [
    ...step('write_file', { path: file, content: `import h5 # ${word(lap)}` }, 'ok'),
    ...failed(
      'bash',
      { command: `python ${file}` },
      `Traceback (most recent call last):\n  File "${file}", line 4, in <module>\n    data = ${word(5 * lap)}.open(path)\nOSError: unable to open file (truncated file)`,
    ),
  ]
}
/** One program that fails in another file after each edit. */
const repaired = (lap: number) => [
  ...step('edit', { path: `${word(lap)}${lap}.py`, new: `import b # ${lap}` }, 'ok'),
  ...failed(
    'bash',
    { command: 'python app.py' },
    `Traceback (most recent call last):\n  File "${word(lap)}${lap}.py", line 4, in <module>\nImportError: cannot import name B`,
  ),
]
const busy = (lap: number) =>
  failed('search', { query: `words ${lap}` }, '429 Too Many Requests, try again later')

testDetector(failing(), {
  trips: {
    'at `limit` times of one error': times(limit, again),
    'when the host does not call it an error': times(
      limit,
      step('bash', { command: 'make' }, 'Traceback (most recent call last):\n  KeyError: "a"'),
    ),
    'when a field of the answer says so': times(
      limit,
      step('deploy', { to: 'web' }, { ok: false, reason: 'the name is taken' }),
    ),
    'when an exit code says so': times(
      limit,
      step('bash', { command: 'make' }, 'make\nexit code: 2'),
    ),
    'whatever the numbers, the times and the quoted words in it': times(limit, (lap) =>
      failed(
        lap % 2 === 0 ? 'edit' : 'patch',
        { path: 'a.ts' },
        `[10:0${lap}:00] Error at line ${lap}: bad argument "v${lap}", request 8f3c00${lap}a`,
      ),
    ),
    'two later if every call is to another tool': [
      ...times(limit + 1, (lap) =>
        failed(`wri${'te'.repeat(lap)}`, {}, `Error: no tool "wri${lap}"`),
      ),
      ...failed('wrote', {}, 'Error: no tool "wrote"'),
    ],
    'two later if every call is another': times(limit + 2, patched),
    'two later if edits of one file are rejected in silence': times(limit + 2, missing),
    'two later of one tool if the model speaks before each': times(limit + 2, spoken(missing)),
    'two later if the tool does not take such arguments, though each is for another item': times(
      limit + 2,
      (lap) =>
        failed('enrich', { sku: word(lap) }, 'InputValidationError: missing required `region`'),
    ),
    'at `places` times if every call is about another place': times(places, spoken(absent)),
    'at `batch` times of one tool that goes through a list in silence': times(batch, replaced),
    'at `batch` searches in silence that find nothing': times(batch, search),
    'three later if two errors come in turn': times(limit, inTurn).slice(0, 2 * (limit + 3)),
    'at `places` failures of any kind': times(places, mixed(['bash', 'python'], 6)),
    'at 100 of them if they are counted': times(100, (lap) =>
      step('lookup', { number: lap + 1 }, 'No results found'),
    ),
    'at `batch` failures of any kind of one tool in silence': times(batch, mixed(['bash'], 6)),
    'three later of one tool, whatever was read in between': times(limit + 3, (lap) => [
      ...look(lap),
      ...again,
    ]),
    'twice as late to the letter, whatever was changed in between': times(2 * limit, unmoved),
    'three later if two errors come in turn, with edits in between': times(limit + 3, returning),
    'at twice `places` if a new script fails alike each time': times(2 * places, script),
    'at `places` tries of a service that is out of reach': times(places, busy),
    'when a parallel round fails as a whole': times(limit, [
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
    'once more than was asked for by name': [
      prompt('Try the login 9 times'),
      ...times(10, failed('login', { as: 'me' }, 'Error: wrong password')),
    ],
  },
  advises: {
    'at `likely` times of one error': times(likely, again),
    'one later if every call is another and the model speaks before each': times(
      likely + 1,
      spoken(missing),
    ),
    'two later if every call is another': times(likely + 2, patched),
    'at twice `likely` times if every call is about another place': times(
      2 * likely,
      absentAnywhere,
    ),
    'later of one tool that goes through a list in silence': times(LIKELY_BATCH, replaced),
    'on searches in silence that find nothing': times(LIKELY_BATCH, search),
    'on empty answers of a tool that reads': times(LIKELY_BATCH, (lap) =>
      step('search', { query: `where is the ${word(lap)}` }, ''),
    ),
    'on lists without items': times(LIKELY_BATCH, (lap) =>
      step('search', { query: `where is the ${word(lap)}` }, { results: [], total: 0 }),
    ),
    'when the answer repeats the question': times(LIKELY_BATCH, (lap) =>
      step('search', { query: `${word(lap)} handler` }, `No matches for "${word(lap)} handler"`),
    ),
    'when the host calls a search without hits an error': times(LIKELY_BATCH, (lap) =>
      failed('find', { name: word(lap) }, 'exit code 1: no such file'),
    ),
    'two later if two errors come in turn': times(likely, inTurn).slice(0, 2 * (likely + 2)),
    'two later on failures of any kind if the model speaks before each': times(
      likely + 2,
      spoken(mixed(['bash'], 3)),
    ),
    'at twice `likely` failures of any kind': times(2 * likely, mixed(['bash', 'python'], 4)),
    'two later of one tool, whatever was read in between': times(likely + 2, (lap) => [
      ...look(lap),
      ...missing(lap),
    ]),
    'two later of one call, whatever was read in between': times(likely + 2, (lap) => [
      ...look(lap),
      ...again,
    ]),
    'on new scripts that fail alike each time': times(2 * limit - 1, script),
    'later to the letter, whatever was changed in between': times(limit + 3, unmoved),
  },
  quiet: {
    'for fewer': times(likely - 1, again),
    'for fewer, though the model speaks before each': times(likely, spoken(missing)),
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
      ...times(places - 1, busy),
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
    'on a new prompt': times(3, [prompt(), ...times(likely - 1, again)]),
  },
})

it('ends a run of ever new scripts, though each fails in a line of its own', () => {
  const guard = createGuard({ detectors: [failing()] })
  for (const event of times(40, reader)) guard.observe(event)
  expect(guard.stopped).toBe(true)
})

it('does not call an empty answer an error', () => {
  const guard = createGuard({ detectors: [failing()] })
  const found = times(4, (lap) => [
    ...step('bash', { command: `javac ${lap}` }, 'javac: command not found'),
    ...step('bash', { command: `ls lib${lap}` }, ''),
  ]).flatMap((event) => guard.observe(event) ?? [])
  expect(found[0]?.detail).toContain('two kinds of errors or empty results came')
})

it('never ends a run in which a program fails in the next file after each repair', () => {
  const guard = createGuard({ detectors: [failing()] })
  const found = times(3 * places, repaired).flatMap((event) => guard.observe(event) ?? [])
  expect(found.map(({ action }) => action)).toEqual(['warn'])
})

describe('failing', () => {
  const last = (events: ReturnType<typeof times>) => {
    const guard = createGuard({ detectors: [failing()] })
    return events.map(guard.observe).at(-1)
  }

  it('reports an outage as such and says to wait', () => {
    const finding = last(times(places, busy))
    expect(finding?.kind).toBe('outage')
    expect(finding?.advice).toContain('Wait')
  })

  it('quotes the error', () => {
    expect(last(times(limit, again))?.detail).toContain('could not find the string')
  })
})
