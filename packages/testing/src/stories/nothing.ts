import { PEOPLE, SERVICES, SYMBOLS } from './names.js'
import { bash, call, pick, type Story, times } from './story.js'

/** How tools say that they found nothing, which is no error. */
const NOTHING: [what: string, answer: unknown][] = [
  ['an empty list', []],
  ['an empty list as text', '[]'],
  ['an empty record', {}],
  ['nothing at all', ''],
  ['no rows', '(0 rows)'],
  ['a list of no results', { results: [] }],
  ['a sentence', 'No matches found'],
  ['a sentence in German', 'Keine Treffer'],
]

const ERRORS = [/same error/i, /error: *$/m, /failed \d+ times/]

const searches = NOTHING.flatMap(([what, answer]): Story[] => [
  {
    name: `eight searches that find ${what}`,
    prompt: 'Which of these functions are not used?',
    steps: times(8, (at) => call('search_code', { query: pick(SYMBOLS, at) }, answer)),
    expect: 'no stop',
    words: ERRORS,
  },
  {
    name: `ever new searches that find ${what}, with words before each`,
    prompt: 'Find out who wrote the login.',
    steps: times(60, (at) =>
      call('search_code', { query: `${pick(SERVICES, at)} by ${pick(PEOPLE, at)}` }, answer, {
        says: `Let me try ${pick(SERVICES, at)} instead.`,
      }),
    ),
    expect: { stoppedWithin: 45 },
    words: ERRORS,
  },
])

export const nothing: Story[] = [
  ...searches,
  {
    name: 'eight greps without a match',
    steps: times(8, (at) => bash(`grep -rn ${pick(SYMBOLS, at)} src`, '')),
    expect: 'no stop',
    words: ERRORS,
  },
  {
    name: 'the same grep without a match, again and again',
    steps: times(40, () => bash('grep -rn parseHeader src', '')),
    expect: { stoppedWithin: 10 },
    words: ERRORS,
  },
  {
    name: 'an empty mailbox that is watched, as the person asked',
    prompt: 'Wait for the mail from the bank and tell me when it is there.',
    steps: [
      ...times(10, () => call('check_email', { folder: 'inbox' }, [], { seconds: 30 })),
      call('check_email', { folder: 'inbox' }, [{ from: 'bank' }], { seconds: 30 }),
    ],
    expect: 'no stop',
    words: ERRORS,
  },
  {
    name: 'an empty mailbox that is looked into for no reason',
    prompt: 'Answer the mail from the bank.',
    steps: times(40, () => call('check_email', { folder: 'inbox' }, [])),
    expect: { stoppedWithin: 20 },
    words: ERRORS,
  },
  {
    name: 'eight different thoughts of a tool for thinking',
    steps: times(8, (at) =>
      call('think', { thought: `${pick(SERVICES, at)} needs ${pick(SYMBOLS, at)} first` }, ''),
    ),
    expect: 'quiet',
    words: ERRORS,
  },
  {
    name: 'one thought of a tool for thinking, again and again',
    steps: times(40, () => call('think', { thought: 'The basket needs the price first.' }, '')),
    expect: { stoppedWithin: 12 },
  },
]
