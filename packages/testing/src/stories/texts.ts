import { CITIES, PEOPLE, SERVICES, SYMBOLS } from './names.js'
import { call, noise, pick, type Story, times } from './story.js'

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at)).join('\n')

const LOOPS: [what: string, text: string, more?: Partial<Story>][] = [
  ['a plan', "I'll do it. I'll execute. ".repeat(400)],
  ['two words', 'I\'ll send.\n"Yes."\n'.repeat(400)],
  ['two letters', 'ny'.repeat(3000)],
  ['calls that are text', lines(300, () => "I'll execute.\nreplace\nrun_shell_command")],
  ['words that say it will stop', 'I will stop looping. Replace. Run. '.repeat(300)],
  [
    'a click with ever new numbers',
    lines(300, (at) => `Wait, I'll try to click on index ${3090 + at}.`),
  ],
  ['one word', 'court '.repeat(2000)],
  ['an agreement', 'yes agree '.repeat(1500)],
  ['a list', lines(400, () => '- check the discount of the basket')],
  ['a chant of a database', 'SELECT * FROM orders; '.repeat(400)],
  ['a chant of digits', '12345'.repeat(1500)],
]

const ORDINARY: [what: string, text: string, more?: Partial<Story>][] = [
  [
    'names with a long beginning in common',
    lines(
      60,
      (at) =>
        `com.example.enterprise.platform.integration.adapters.${pick(SERVICES, at)}.${pick(SYMBOLS, at)}`,
    ),
  ],
  [
    'a hundred functions',
    `\`\`\`ts\n${lines(100, (at) => `export function ${pick(SYMBOLS, at)}${at}(value: number): number {\n  return value + ${noise(at, 900)}\n}`)}\n\`\`\``,
  ],
  [
    'a table',
    lines(80, (at) => `| ${pick(CITIES, at)} | ${pick(PEOPLE, at)} | ${noise(at, 9999)} |`),
  ],
  ['a divider', `${'─'.repeat(80)}\n${lines(6, (at) => pick(CITIES, at))}\n${'─'.repeat(80)}`],
  [
    'a box',
    lines(20, (at) => `│ ${pick(SERVICES, at).padEnd(20)} │ ${pick(CITIES, at).padEnd(20)} │`),
  ],
  ['a list of tasks', lines(60, (at) => `- [ ] move ${pick(SERVICES, at)} to ${pick(CITIES, at)}`)],
  [
    'a translated list',
    `[\n${lines(80, (at) => `  { "id": ${at}, "en": "${pick(SERVICES, at)}", "owner": "${pick(PEOPLE, at + 5)}" },`)}\n]`,
  ],
]

const chants = LOOPS.map(
  ([what, text, more]): Story => ({
    name: `a message without end: ${what}`,
    steps: [{ says: text }],
    expect: { stoppedWithin: 1 },
    ...more,
  }),
)

const ordinary = ORDINARY.map(
  ([what, text, more]): Story => ({
    name: `a message that repeats itself for a reason: ${what}`,
    steps: [{ says: text }],
    expect: 'quiet',
    ...more,
  }),
)

export const texts: Story[] = [
  ...chants,
  ...ordinary,
  {
    name: 'a thought without end',
    steps: [{ thinks: '(Ok). Replace. Run. '.repeat(400), says: 'Ok.' }],
    expect: { stoppedWithin: 1 },
  },
  {
    name: 'a line that is thought hundreds of times',
    steps: [
      { thinks: lines(400, () => 'The file is read-only, so I cannot change it.'), says: 'Ok.' },
    ],
    expect: { stoppedWithin: 1 },
  },
  {
    name: 'a long thought about many things',
    steps: [
      {
        thinks: lines(
          120,
          (at) =>
            `${pick(SERVICES, at)} may call ${pick(SYMBOLS, at * 3)} before ${pick(CITIES, at * 7)} is known.`,
        ),
        says: 'Ok.',
      },
    ],
    expect: 'quiet',
  },
  {
    name: 'the same thought before the same call',
    steps: times(40, () =>
      call('read_file', { path: 'a.ts' }, 'const a = 1', {
        thinks: 'I need to read the file before I can change it.',
      }),
    ),
    expect: { stoppedWithin: 8 },
  },
  {
    name: 'the same text six times, with nothing in between',
    prompt: 'Why does the build fail?',
    steps: times(30, () => ({
      says: 'The build fails because the module shop is missing. I will add it to the list of modules and build again.',
      answered: 'continue',
    })),
    expect: { stoppedWithin: 10 },
  },
]
