import { PEOPLE, SERVICES } from './names.js'
import { bash, call, failed, pick, type Story, times } from './story.js'

/** What programs answer to a call of a tool that they do not have. */
const UNKNOWN: [program: string, name: string, answer: (name: string) => string][] = [
  ['an editor', 'launch_rocket', (name) => `There is no tool ${name}.`],
  [
    'Claude Code',
    'Frobnicate',
    (name) => `<tool_use_error>Error: No such tool available: ${name}</tool_use_error>`,
  ],
  ['Gemini CLI', 'edit_notebook', (name) => `Tool "${name}" not found in registry.`],
  ['an MCP client', 'mcp__shop__pay', (name) => `MCP error -32602: Tool ${name} not found`],
  ['the AI SDK', 'sendMail', (name) => `Model tried to call unavailable tool '${name}'.`],
]

const unknown = UNKNOWN.flatMap(([program, name, answer]): Story[] => [
  {
    name: `a tool that does not exist, with arguments that count up, in ${program}`,
    steps: times(40, (at) => failed(name, { n: at }, answer(name))),
    expect: { stoppedWithin: 16 },
  },
  {
    name: `a tool that does not exist, and then one that does, in ${program}`,
    steps: times(12, (at) => [
      ...(at % 6 === 2 ? [failed(name, { n: at }, answer(name))] : []),
      call(
        'read_file',
        { path: `src/${pick(SERVICES, at)}.ts` },
        `export const owner = '${pick(PEOPLE, at)}'`,
      ),
    ]),
    expect: 'quiet',
  },
])

const CUT = [
  'wri',
  'ed',
  'ba',
  'rea',
  'gre',
  'wr',
  'edi',
  'bas',
  're',
  'gr',
  'fin',
  'ls_',
  'cat_',
  'write_',
]

const install = (name: string, answer: string) =>
  bash(
    `sudo apt-get install -y ${name}`,
    `Reading package lists...\nBuilding dependency tree...\n${answer}`,
  )
const BROKEN =
  'Some packages could not be installed.\nThe following packages have unmet dependencies:\n libcuda-dev : Depends: libcuda1 (= 550.1) but it is not going to be installed\nE: Unable to correct problems, you have held broken packages.'

const preview = (at: number) =>
  Array.from(
    { length: 12 },
    (_, line) => `${at + line} | const ${pick(SERVICES, at + line)} = ${line}`,
  ).join('\n')

const rejected = (at: number, shown: number) =>
  call(
    'edit_file',
    { path: 'src/basket.ts', old: `const total = ${at}`, new: `const sum = ${at}` },
    `The edit was rejected: the old text was not found. The file has:\n${preview(shown)}`,
  )

export const mistakes: Story[] = [
  ...unknown,
  {
    name: 'names of tools that are cut, ever new ones',
    steps: times(40, (at) =>
      failed(pick(CUT, at), { path: 'a.ts' }, `Unknown tool: ${pick(CUT, at)}`),
    ),
    expect: { stoppedWithin: 20 },
  },
  {
    name: 'a call without the arguments it needs, a hundred times',
    steps: times(60, () => failed('gateway', {}, 'validation failed: "action" is required')),
    expect: { stoppedWithin: 7 },
  },
  {
    name: 'invalid arguments, with ever new words of the error',
    steps: times(60, (at) =>
      failed(
        'write_file',
        { content: `export const ${pick(SERVICES, at)} = 1` },
        `params must have required property 'file_path' (request ${pick(PEOPLE, at)}-${at})`,
      ),
    ),
    expect: { stoppedWithin: 20 },
  },
  {
    name: 'a package that cannot be installed, again and again',
    steps: times(40, () => install('libcuda-dev', BROKEN)),
    expect: { stoppedWithin: 8 },
    words: ['same change'],
  },
  {
    name: 'ever new packages that cannot be installed',
    steps: times(40, (at) =>
      install(
        `lib${pick(SERVICES, at)}-dev`,
        `E: Package 'lib${pick(SERVICES, at)}-dev' has no installation candidate`,
      ),
    ),
    expect: { advisedWithin: 12 },
    words: ['same change'],
    fails: true,
  },
  {
    name: 'ever new packages, each of which is installed',
    steps: times(20, (at) =>
      install(
        `lib${pick(SERVICES, at)}-dev`,
        `Setting up lib${pick(SERVICES, at)}-dev (1.${at}-2) ...`,
      ),
    ),
    expect: 'quiet',
  },
  {
    name: 'the same edit, rejected with a look at the file',
    steps: times(40, () => rejected(0, 40)),
    expect: { stoppedWithin: 7 },
  },
  {
    name: 'ever new edits, rejected with the same look at the file',
    steps: times(40, (at) => rejected(at, 40)),
    expect: { stoppedWithin: 20 },
  },
  {
    name: 'an edit that is rejected, a look at the file, and an edit that is accepted',
    steps: times(8, (at) => [
      rejected(at, 20 * at),
      call('read_file', { path: 'src/basket.ts', offset: 20 * at }, preview(20 * at)),
      call(
        'edit_file',
        {
          path: 'src/basket.ts',
          old: `const ${pick(SERVICES, 20 * at)} = 0`,
          new: `const n = ${at}`,
        },
        `Edited: line ${20 * at} of src/basket.ts is "const n = ${at}" now.`,
      ),
    ]),
    expect: 'no stop',
  },
]
