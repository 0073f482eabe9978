import { CITIES, PEOPLE, SERVICES, SYMBOLS } from './names.js'
import { bash, call, failed, noise, pick, type Step, type Story, times } from './story.js'

/** More work that other tools took for a loop: long outputs, waits, batches of programs. */
export const moreHonest: Story[] = [
  {
    name: 'a long output of a command, piece by piece',
    steps: times(50, (at) =>
      call(
        'read_output',
        { id: 4, offset: 8192 * at },
        times(12, (line) => ({
          output: `${pick(SYMBOLS, 12 * at + line)} by ${pick(PEOPLE, at + line)} in ${noise(12 * at + line, 9999)}`,
        }))
          .map(({ output }) => output)
          .join('\n'),
      ),
    ),
    expect: 'quiet',
  },
  {
    name: 'an empty input to a program that takes its time',
    steps: [
      ...times(9, () =>
        call('execute_bash', { command: '', is_input: true }, '[still running: no new output]', {
          seconds: 10,
        }),
      ),
      call('execute_bash', { command: '', is_input: true }, 'Finished: 40 passed', { seconds: 10 }),
    ],
    expect: 'no stop',
  },
  {
    name: 'fifteen samples that go through the same four programs',
    steps: times(15, (at) =>
      ['fastqc', 'trim_galore', 'hisat2', 'featureCounts'].map(
        (program): Step =>
          bash(
            `${program} sample_${pick(PEOPLE, at)}.fastq`,
            `${program}: ${noise(at, 99_999)} reads of ${pick(PEOPLE, at)}`,
          ),
      ),
    ),
    expect: 'quiet',
  },
  {
    name: 'one sample that goes through the same four programs again and again',
    steps: times(20, () =>
      ['fastqc', 'trim_galore', 'hisat2', 'featureCounts'].map(
        (program): Step => bash(`${program} sample_ada.fastq`, `${program}: 4711 reads of ada`),
      ),
    ),
    expect: { stoppedWithin: 40 },
  },
  {
    name: 'a job on a server that is asked for until it is done',
    steps: times(13, (at) =>
      call(
        'CheckStatus',
        { job: 'j-31' },
        at < 12 ? { state: 'RUNNING', done: `${8 * at} %` } : { state: 'DONE' },
      ),
    ),
    expect: 'quiet',
  },
  {
    name: 'a script that is run again after each edit',
    steps: times(12, (at) => [
      call('edit', { path: 'build.gradle', old: `version ${at}`, new: `version ${at + 1}` }, 'ok'),
      bash(
        './gradlew build',
        `BUILD FAILED\n${pick(SYMBOLS, at)} cannot be resolved in ${pick(CITIES, at)}`,
        { isError: true },
      ),
    ]),
    expect: 'no stop',
  },
  {
    name: 'a provider that is out of reach for a while, and comes back',
    steps: [
      ...times(5, () =>
        failed('web_search', { query: 'tax rates' }, '429 Too Many Requests', { seconds: 20 }),
      ),
      call('web_search', { query: 'tax rates' }, '19 percent in Germany, 20 in France', {
        seconds: 2,
      }),
    ],
    expect: 'no stop',
    words: ['same error'],
  },
  {
    name: 'forty distinct checks at night: read, edit, write, run',
    steps: times(25, (at) => [
      call(
        'read_file',
        { path: `checks/${pick(SERVICES, at)}.ts` },
        `check('${pick(SYMBOLS, at)}')`,
      ),
      call(
        'write_file',
        {
          path: `checks/${pick(SERVICES, at)}.ts`,
          content: `check('${pick(SYMBOLS, at)}', ${at})`,
        },
        'ok',
      ),
      bash(
        `node checks/${pick(SERVICES, at)}.ts`,
        `${pick(SYMBOLS, at)}: ok in ${noise(at, 90)} ms`,
      ),
      bash(`git commit -qm "check ${pick(SERVICES, at)}"`, ''),
    ]),
    expect: 'quiet',
  },
  {
    name: 'the same answer without line numbers, as the person asked',
    prompt: 'Give me the code without line numbers.',
    steps: [
      {
        says: '1 const total = 3\n2 const tax = 0.19\n3 export { total, tax }',
        answered: 'Again, without line numbers.',
      },
      { says: 'const total = 3\nconst tax = 0.19\nexport { total, tax }' },
    ],
    expect: 'quiet',
  },
]
