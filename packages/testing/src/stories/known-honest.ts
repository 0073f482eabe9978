import { CITIES, PEOPLE, SERVICES, SYMBOLS } from './names.js'
import { bash, call, noise, pick, type Story, times } from './story.js'

const block = (at: number) =>
  `rows ${100 * at} to ${100 * at + 99}: most from ${pick(CITIES, at)}, mean ${noise(at, 900)}, owner ${pick(PEOPLE, at)}`

/** Work that other tools took for a loop. */
export const knownHonest: Story[] = [
  {
    name: 'components that are renamed one by one: search, move, fix the imports',
    steps: times(15, (at) => [
      call(
        'search',
        { query: pick(SERVICES, at) },
        `src/${pick(CITIES, at)}.tsx uses ${pick(SERVICES, at)}`,
      ),
      bash(`git mv src/${pick(SERVICES, at)}.tsx src/parts/${pick(SERVICES, at)}.tsx`, ''),
      call(
        'edit',
        {
          path: `src/${pick(CITIES, at)}.tsx`,
          old: `./${pick(SERVICES, at)}`,
          new: `./parts/${pick(SERVICES, at)}`,
        },
        'ok',
      ),
    ]),
    expect: 'quiet',
  },
  {
    name: 'one component that is moved to and fro',
    steps: times(20, (at) => [
      bash(
        at % 2
          ? 'git mv src/parts/mail.tsx src/mail.tsx'
          : 'git mv src/mail.tsx src/parts/mail.tsx',
        '',
      ),
      call('search', { query: 'mail' }, 'src/Paris.tsx uses mail'),
    ]),
    expect: { stoppedWithin: 40 },
  },
  {
    name: 'data that is loaded and analysed block by block',
    steps: times(30, (at) => [
      call('load_block', { file: 'sales.parquet', block: at }, block(at)),
      call(
        'edit',
        { path: 'report.md', old: '<!-- next -->', new: `${block(at)}\n<!-- next -->` },
        'ok',
      ),
    ]),
    expect: 'quiet',
  },
  {
    name: 'one block of data that is loaded again and again',
    steps: times(40, () => call('load_block', { file: 'sales.parquet', block: 3 }, block(3))),
    expect: { stoppedWithin: 6 },
  },
  {
    name: 'the same piece of audio eight times, as the person asked',
    prompt: 'Generate the same jingle 8 times, I want to choose one.',
    steps: times(8, () => call('generate_audio', { text: 'Welcome home' }, 'saved jingle.wav')),
    expect: 'no stop',
  },
  {
    name: 'the same piece of audio without end',
    prompt: 'Generate a jingle.',
    steps: times(40, () => call('generate_audio', { text: 'Welcome home' }, 'saved jingle.wav')),
    expect: { stoppedWithin: 7 },
  },
  {
    name: 'a debugger that goes step by step',
    steps: times(25, (at) =>
      call('mcp__gdb__next', {}, `${40 + at}\t${pick(SYMBOLS, at)}(${pick(SERVICES, at)});`),
    ),
    expect: 'quiet',
  },
  {
    name: 'a debugger whose program does not go on',
    steps: times(80, () => call('mcp__gdb__next', {}, 'The program is not being run.')),
    expect: { stoppedWithin: 40 },
  },
  {
    name: 'forty files of a refactoring, each read and changed',
    steps: times(40, (at) => [
      call(
        'read_file',
        { path: `src/${pick(SERVICES, at)}.ts` },
        `import { ${pick(SYMBOLS, at)} } from '${pick(CITIES, at)}'`,
      ),
      call(
        'edit',
        {
          path: `src/${pick(SERVICES, at)}.ts`,
          old: pick(SYMBOLS, at),
          new: `${pick(SYMBOLS, at)}Of`,
        },
        'ok',
      ),
    ]),
    expect: 'quiet',
  },
  {
    name: 'five files that are read at once',
    prompt: 'Summarize this project.',
    steps: times(5, (at) =>
      call(
        'read_file',
        { path: `${pick(SERVICES, at)}.md` },
        `# ${pick(SERVICES, at)}\nby ${pick(PEOPLE, at)}`,
        { together: at > 0 },
      ),
    ),
    expect: 'quiet',
  },
  {
    name: 'the same five files at once, again and again',
    steps: times(15, () =>
      times(5, (at) =>
        call(
          'read_file',
          { path: `${pick(SERVICES, at)}.md` },
          `# ${pick(SERVICES, at)}\nby ${pick(PEOPLE, at)}`,
          { together: at > 0 },
        ),
      ),
    ),
    expect: { stoppedWithin: 40 },
  },
]
