import { bash, call, type Step, type Story, times } from './story.js'

const LANGUAGES: [request: string, command: string, twin?: Partial<Story>][] = [
  ['Run ./flaky.sh 20 times', './flaky.sh'],
  ['Run python test.py 20 times', 'python test.py'],
  ['run node bench.js 20 times', 'node bench.js', { fails: true }],
  ['Run npm run test:unit 20 times', 'npm run test:unit'],
  ['Please run `cargo test` 20 times and count the failures.', 'cargo test'],
  ['Führe ./flaky.sh 20 Mal aus', './flaky.sh'],
  ['Lance python test.py 20 fois', 'python test.py'],
  ['Ejecuta node bench.js 20 veces', 'node bench.js', { fails: true }],
  ['运行 ./flaky.sh 20 次', './flaky.sh'],
]

/** A person may ask for the same thing many times. */
const counted = LANGUAGES.flatMap(([prompt, command, twin]): Story[] => [
  {
    name: `as often as the person said: ${prompt}`,
    prompt,
    steps: times(20, () => bash(command, 'ok, 14 passed')),
    expect: 'quiet',
  },
  {
    name: `far more often than the person said: ${prompt}`,
    prompt,
    steps: times(60, () => bash(command, 'ok, 14 passed')),
    expect: { stoppedWithin: 40 },
    ...twin,
  },
])

const WAITING = [
  'Fix the build and let me know when you are done.',
  'Read a.ts and tell me when nothing.txt was written.',
  'Tell me once you have found the bug.',
  'Find the bug, and ping me when it is fixed.',
  'The discount is wrong. Keep trying until it is right.',
  'Monitor the basket for bugs and fix them.',
  'Behebe den Fehler und sag mir Bescheid, wenn du fertig bist.',
  'Corrige le rabais et préviens-moi quand c’est fini.',
  'Arregla el descuento y avísame cuando termines.',
  '修复折扣,完成后告诉我。',
]

/** Polite words at the end of a request are no reason for patience with a call that cannot wait. */
const polite = WAITING.map(
  (prompt): Story => ({
    name: `the same file, after: ${prompt}`,
    prompt,
    steps: times(60, () =>
      call('read', { path: 'a.ts' }, 'export const discount = (price: number) => price'),
    ),
    expect: { stoppedWithin: 7 },
  }),
)

const DONE = 'Fix the build and let me know when you are done.'
const TOOLS: [tool: string, step: Step][] = [
  ['cat', bash('cat src/discount.ts', 'export const discount = 0.2')],
  ['a calculator', call('calculator', { expression: '17 * 23' }, '391')],
  ['a search', call('search', { query: 'discount' }, 'src/a.ts:4: discount')],
  ['a database', call('sql', { query: 'select max(id) from orders' }, 'max\n----\n4711')],
  ['a page', call('web_fetch', { url: 'https://docs.example/tax' }, 'The tax is 19 percent.')],
  ['a test', bash('npm test -- discount', '1 failed: expected 80 to be 100', { isError: true })],
]
const tools = TOOLS.map(
  ([tool, step]): Story => ({
    name: `${tool}, the same again and again, of an agent that was told to say when it is done`,
    prompt: DONE,
    steps: times(60, () => step),
    expect: { stoppedWithin: 8 },
  }),
)

const state = (at: number, last: number) => (at < last ? 'in progress' : 'completed')

const READY = [
  'Deploy the shop and let me know when it is ready.',
  'Start the build and tell me once it is green.',
  'Starte den Build und sag Bescheid, sobald er grün ist.',
  'Lance le build et préviens-moi dès qu’il est vert.',
  'Inicia la compilación y avísame cuando esté lista.',
  '启动构建,完成后告诉我。',
]

/** With the same words, a call that can wait may wait. */
const patient: Story[] = [
  ...READY.map(
    (prompt): Story => ({
      name: `a build that takes ten minutes, after: ${prompt}`,
      prompt,
      steps: times(31, (at) =>
        call('get_build_status', { id: 77 }, state(at, 30), { seconds: 20 }),
      ),
      expect: 'no stop',
    }),
  ),
  {
    name: 'a build that nobody is working on any more, of a person who wants to know when it is ready',
    prompt: 'Start the build and tell me when it is green.',
    steps: times(200, () => call('get_build_status', { id: 77 }, 'in progress', { seconds: 20 })),
    expect: { stoppedWithin: 120 },
  },
  {
    name: 'a question with "when" in it, answered by reading',
    prompt: 'Tell me when nothing.txt was written.',
    steps: [
      bash('ls -l nothing.txt', '-rw-r--r-- 1 ada ada 0 Mar  3 09:12 nothing.txt'),
      bash('git log --format=%ad -- nothing.txt', 'Tue Mar 3 09:12:44 2026 +0100'),
    ],
    expect: 'quiet',
  },
]

export const requests: Story[] = [...counted, ...polite, ...tools, ...patient]
