import { CITIES, PEOPLE, SERVICES } from './names.js'
import { call, pick, type Story, times } from './story.js'

/** Work on a list, told by an argument that elsewhere only explains a call: the tool, what each call has, and its answer. */
const LISTS: [
  tool: string,
  fixed: object,
  key: string,
  item: (at: number) => unknown,
  answer: unknown,
][] = [
  ['deactivate_user', { tenant: 'acme' }, 'uid', (at) => `u${17 + 9 * at}`, { ok: true }],
  ['delete_user', { tenant: 'acme' }, 'uid', (at) => pick(PEOPLE, at), { ok: true }],
  ['send_email', { template: 'renewal' }, 'uid', (at) => pick(PEOPLE, at), 'queued for delivery'],
  ['add_comment', { issue: 41 }, 'comment', (at) => `${pick(CITIES, at)} is covered`, 'ok'],
  ['save_note', { customer: 'c-9' }, 'note', (at) => `likes ${pick(SERVICES, at)}`, 'saved'],
  [
    'create_event',
    { calendar: 'team' },
    'timestamp',
    (at) => `2026-03-${10 + at}T09:00:00Z`,
    { created: true },
  ],
  ['git_cherry_pick', { repo: 'shop' }, 'ref', (at) => `release/${pick(CITIES, at)}`, 'applied'],
  ['set_delay', { device: 'pump' }, 'delay_ms', (at) => 100 * (at + 1), 'ok'],
  ['grant_access', { project: 'atlas' }, 'reason', (at) => `audit of ${pick(CITIES, at)}`, 'ok'],
  ['book_room', { room: 'Turing' }, 'purpose', (at) => `talk of ${pick(PEOPLE, at)}`, 'booked'],
  ['export_rows', { table: 'orders' }, 'since', (at) => `2026-03-${10 + at}`, 'exported'],
  [
    'create_ticket',
    { project: 'OPS' },
    'description',
    (at) => `Rotate the key of ${pick(SERVICES, at)}`,
    { created: true },
  ],
  [
    'task',
    { subagent_type: 'general-purpose' },
    'description',
    (at) => `Write the page about ${pick(CITIES, at)}`,
    'Done.',
  ],
]

const batches = LISTS.map(
  ([tool, fixed, key, item, answer]): Story => ({
    name: `${tool}: ten items, told by ${key}`,
    prompt: `Go through the list and use ${tool} for each item.`,
    steps: times(10, (at) => call(tool, { ...fixed, [key]: item(at) }, answer)),
    expect: 'quiet',
    words: ['same arguments'],
  }),
)

const stuck = LISTS.filter((_, at) => at % 3 === 0).map(
  ([tool, fixed, key, item, answer]): Story => ({
    name: `${tool}: one item again and again, told by ${key}`,
    prompt: `Go through the list and use ${tool} for each item.`,
    steps: times(30, () => call(tool, { ...fixed, [key]: item(0) }, answer)),
    expect: { stoppedWithin: 8 },
  }),
)

/** The same call in truth: only an explanation, a limit or a number of the request differs. */
const EXPLAINED: [tool: string, fixed: object, aside: (at: number) => object, answer: string][] = [
  [
    'bash',
    { command: 'cat package.json' },
    (at) => ({ description: `Look at the package for the ${at + 1}. time` }),
    '{ "name": "shop", "version": "1.4.0" }',
  ],
  [
    'read_file',
    { path: 'src/basket.ts' },
    (at) => ({ explanation: `I need to see the basket, as ${pick(PEOPLE, at)} said` }),
    'export const basket = []',
  ],
  [
    'grep',
    { pattern: 'discount', path: 'src' },
    (at) => ({ timeout_ms: 1000 + at }),
    'src/basket.ts:3: discount = 0',
  ],
  [
    'query',
    { sql: 'select count(*) from orders' },
    (at) => ({ request_id: `r-${at}${at}7` }),
    'count\n-----\n 1204',
  ],
]

const explained = EXPLAINED.map(
  ([tool, fixed, aside, answer]): Story => ({
    name: `${tool}: the same call with new words beside it`,
    steps: times(30, (at) => call(tool, { ...fixed, ...aside(at) }, answer)),
    expect: { stoppedWithin: 8 },
  }),
)

export const identifying: Story[] = [
  ...batches,
  ...stuck,
  ...explained,
  {
    name: 'deactivate_user: ten items, told by user',
    prompt: 'Deactivate these users of acme.',
    steps: times(10, (at) =>
      call('deactivate_user', { tenant: 'acme', user: pick(PEOPLE, at) }, { ok: true }),
    ),
    expect: 'quiet',
  },
  {
    name: 'get_record: ten records, told by uid, none of which exists',
    prompt: 'Which of these ten people are in the table?',
    steps: times(10, (at) => call('get_record', { table: 'staff', uid: pick(PEOPLE, at) }, [])),
    expect: 'no stop',
    words: ['same arguments', 'same error'],
  },
  {
    name: 'get_record: one record that does not exist, again and again',
    steps: times(30, () => call('get_record', { table: 'staff', uid: 'ada' }, [])),
    expect: { stoppedWithin: 8 },
    words: ['same error'],
  },
]
