import { CITIES, PEOPLE, SERVICES, SYMBOLS } from './names.js'
import { bash, call, failed, noise, pick, type Story, times } from './story.js'

const edit = (at: number) =>
  call(
    'edit',
    { path: 'src/cache.ts', old: `ttl = ${at}`, new: `ttl = ${at + 1}` },
    'The file was edited.',
  )
const log = (at: number) =>
  Array.from(
    { length: 30 },
    (_, line) =>
      `${pick(PEOPLE, noise(at, 97) + line)} took ${noise(at * 31 + line, 9000)} ms for ${pick(CITIES, noise(at + line, 89))}`,
  ).join('\n')
const missing =
  'Traceback (most recent call last):\n  File "fix.py", line 1, in <module>\nModuleNotFoundError: No module named \'lxml\''
/** Twelve lines of a file, as a tool shows them that could not change it. */
const quoted = (from: number) =>
  Array.from(
    { length: 12 },
    (_, line) =>
      `  ${from + line}: export const ${pick(SYMBOLS, from + line)} = '${pick(CITIES, from + 2 * line)}'`,
  ).join('\n')

/** Loops that a model gets into by itself: what it does in a lap. */
export const byItself: Story[] = [
  {
    name: 'an edit, and a test that fails as before but for a number',
    steps: times(40, (at) => [
      edit(at),
      bash('npm test', `AssertionError: expected ${noise(at, 5000)} to be 3600`, { isError: true }),
    ]),
    expect: { stoppedWithin: 60 },
  },
  {
    name: 'an edit, and a test that fails in a new way',
    steps: times(12, (at) => [
      edit(at),
      bash(
        'npm test',
        `FAIL test/${pick(SERVICES, at)}.test.ts\n${pick(SYMBOLS, at)} is not a function`,
        { isError: true },
      ),
    ]),
    expect: 'no stop',
  },
  {
    name: 'an edit, and a test that fails as before at the end of a long log of random lines',
    steps: times(40, (at) => [
      edit(at),
      bash('npm test', `${log(at)}\nAssertionError: expected 1 to be 2`, { isError: true }),
    ]),
    expect: { stoppedWithin: 60 },
    fails: true,
  },
  {
    name: 'a test that fails as before at the end of a long log of random lines, and no edit',
    steps: times(60, (at) =>
      bash('npm test', `${log(at)}\nAssertionError: expected 1 to be 2`, { isError: true }),
    ),
    expect: { stoppedWithin: 30 },
  },
  {
    name: 'a new script each time, and the same module is missing',
    steps: times(40, (at) => [
      call(
        'write_file',
        { path: `fix_${at}.py`, content: `import lxml\n# try ${pick(PEOPLE, at)}` },
        `Wrote fix_${at}.py`,
      ),
      bash(`python fix_${at}.py`, missing, { isError: true }),
    ]),
    expect: { stoppedWithin: 60 },
  },
  {
    name: 'a new script each time, and each finds something else',
    steps: times(20, (at) => [
      call(
        'write_file',
        { path: `probe_${at}.py`, content: `import ${pick(SERVICES, at)}` },
        `Wrote probe_${at}.py`,
      ),
      bash(
        `python probe_${at}.py`,
        `${pick(SERVICES, at)} has ${noise(at, 90)} rows by ${pick(PEOPLE, at)}`,
      ),
    ]),
    expect: 'quiet',
  },
  {
    name: 'a patch that does not apply, with twelve lines of the file',
    steps: times(60, (at) =>
      failed(
        'apply_patch',
        { patch: `@@ -${40 + at} @@\n-const a = ${at}` },
        `patch does not apply near line ${40 + at}. The file has:\n${quoted(40 + at)}`,
      ),
    ),
    expect: { stoppedWithin: 60 },
    fails: ['core', 'gateway'],
  },
  {
    name: 'patches that apply',
    steps: times(30, (at) =>
      call(
        'apply_patch',
        { patch: `@@ -${40 + at} @@\n-const ${pick(SYMBOLS, at)} = ${at}` },
        'Done.',
      ),
    ),
    expect: 'quiet',
  },
  {
    name: 'new settings each time, and the loss is no number',
    steps: times(40, (at) => [
      call('edit', { path: 'train.yml', old: `rate: 0.${at}`, new: `rate: 0.${at + 1}` }, 'ok'),
      bash('python train.py', `epoch 1: loss: nan (${noise(at, 900)} ms)`),
    ]),
    expect: { stoppedWithin: 60 },
    fails: true,
  },
  {
    name: 'new settings each time, and the loss falls',
    steps: times(15, (at) => [
      call('edit', { path: 'train.yml', old: `rate: 0.${at}`, new: `rate: 0.${at + 1}` }, 'ok'),
      bash('python train.py', `epoch 1: loss: ${(2.4 / (at + 1)).toFixed(4)}`),
    ]),
    expect: 'no stop',
  },
]
