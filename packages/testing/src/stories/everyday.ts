import { CITIES, PEOPLE, SERVICES, SYMBOLS } from './names.js'
import { bash, call, noise, pick, type Story, times } from './story.js'

const pods = (ready: number) =>
  ['web', 'api', 'db']
    .map((name, at) => `${name}-0   ${at < ready ? '1/1   Running' : '0/1   Pending'}`)
    .join('\n')

/** What people have agents do all day. */
export const everyday: Story[] = [
  {
    name: 'pods that start one after the other',
    prompt: 'Roll out the shop.',
    steps: times(12, (at) => bash('kubectl get pods', pods(Math.floor(at / 4)))),
    expect: 'no stop',
  },
  {
    name: 'pods that never start',
    prompt: 'Roll out the shop.',
    steps: times(150, () => bash('kubectl get pods', pods(0))),
    expect: { stoppedWithin: 40 },
  },
  {
    name: 'a run of a pipeline, looked at after a pause each time',
    steps: [
      ...times(10, () => bash('sleep 30; gh run view 77', 'build: in_progress', { seconds: 31 })),
      bash('sleep 30; gh run view 77', 'build: success', { seconds: 31 }),
    ],
    expect: 'quiet',
  },
  {
    name: 'a key that is pressed to walk through a list',
    steps: times(14, (at) =>
      call('press_key', { key: 'ArrowDown' }, `selected: ${pick(CITIES, at)}`),
    ),
    expect: 'quiet',
  },
  {
    name: 'a key that does nothing',
    steps: times(60, () => call('press_key', { key: 'ArrowDown' }, 'selected: Paris')),
    expect: { stoppedWithin: 40 },
  },
  {
    name: 'a test, an edit, and the test again, until all is well',
    steps: times(10, (at) => [
      bash('npm test', at < 9 ? `1 failed: ${pick(SYMBOLS, at)}` : '40 passed', {
        isError: at < 9,
      }),
      call('edit', { path: `src/${pick(SERVICES, at)}.ts`, new: pick(SYMBOLS, at) }, 'ok'),
    ]),
    expect: 'quiet',
  },
  {
    name: 'a test that fails, with nothing done about it',
    steps: times(40, () => bash('npm test', '1 failed: parseHeader', { isError: true })),
    expect: { stoppedWithin: 6 },
  },
  {
    name: 'twenty messages to twenty people',
    steps: times(20, (at) =>
      call('send_message', { to: pick(PEOPLE, at), text: 'The meeting is at ten.' }, 'sent'),
    ),
    expect: 'quiet',
  },
  {
    name: 'twenty messages to one person',
    steps: times(20, () =>
      call('send_message', { to: 'ada', text: 'The meeting is at ten.' }, 'sent'),
    ),
    expect: { stoppedWithin: 7 },
  },
  {
    name: 'thirty rows that are inserted',
    steps: times(30, (at) =>
      call(
        'sql',
        { query: `insert into cities values (${at}, '${pick(CITIES, at)}')` },
        'INSERT 0 1',
      ),
    ),
    expect: 'quiet',
  },
  {
    name: 'one row that is inserted thirty times',
    steps: times(30, () =>
      call('sql', { query: "insert into cities values (1, 'Paris')" }, 'INSERT 0 1'),
    ),
    expect: { stoppedWithin: 8 },
  },
  {
    name: 'pages of a list, by number',
    steps: times(25, (at) =>
      call(
        'list_orders',
        { page: at + 1 },
        `${pick(PEOPLE, at)}: ${pick(CITIES, at)}\n${pick(PEOPLE, at + 9)}: ${pick(SERVICES, at)}`,
      ),
    ),
    expect: 'quiet',
  },
  {
    name: 'pages of a list, which are all the first',
    steps: times(60, (at) =>
      call(
        'list_orders',
        { page: at + 1 },
        'ada: Paris\ngrace: Lyon\nalan: Berlin\nedsger: Hamburg',
      ),
    ),
    expect: { stoppedWithin: 45 },
  },
  {
    name: 'notes about what was read',
    steps: times(12, (at) => [
      call(
        'read_file',
        { path: `docs/${pick(SERVICES, at)}.md` },
        `# ${pick(SERVICES, at)}\n${pick(PEOPLE, at)} wrote ${pick(SYMBOLS, at)}.`,
      ),
      call('write_note', { text: `${pick(SERVICES, at)}: ${pick(PEOPLE, at)}` }, 'ok'),
    ]),
    expect: 'quiet',
  },
  {
    name: 'a button that leads from page to page and says no more than ok',
    prompt: 'Click through the tour to its end.',
    steps: times(10, () => call('click', { selector: '#next' }, 'ok')),
    expect: 'no stop',
  },
  {
    name: 'a button that says no more than ok, clicked without end',
    prompt: 'Click through the tour to its end.',
    steps: times(100, () => call('click', { selector: '#next' }, 'ok')),
    expect: { stoppedWithin: 60 },
  },
  {
    name: 'a die that is rolled until it shows a six',
    prompt: 'Roll the die until you get a six.',
    steps: times(12, (at) =>
      call('roll_dice', { sides: 6 }, at < 11 ? `${1 + noise(at, 5)}` : '6'),
    ),
    expect: 'no stop',
  },
  {
    name: 'the weather of many places',
    steps: times(20, (at) =>
      call(
        'get_weather',
        { city: pick(CITIES, at) },
        `${noise(at, 30)} degrees in ${pick(CITIES, at)}`,
      ),
    ),
    expect: 'quiet',
  },
  {
    name: 'the weather of one place, again and again',
    steps: times(40, () => call('get_weather', { city: 'Paris' }, '21 degrees in Paris')),
    expect: { stoppedWithin: 6 },
  },
  {
    name: 'a test that is repeated to see whether it is flaky',
    prompt: 'Repeat the login test 15 times. Is it flaky?',
    steps: times(15, (at) =>
      bash('npx vitest run login.test.ts', `1 passed (${900 + noise(at, 90)} ms)`),
    ),
    expect: 'quiet',
  },
  {
    name: 'a test that is repeated for no reason',
    prompt: 'Is the login test flaky?',
    steps: times(60, (at) =>
      bash('npx vitest run login.test.ts', `1 passed (${900 + noise(at, 90)} ms)`),
    ),
    expect: { stoppedWithin: 25 },
  },
]
