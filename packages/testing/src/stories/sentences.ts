import { PEOPLE, SERVICES, SYMBOLS } from './names.js'
import { call, pick, type Story, times } from './story.js'

const SENTENCES: [language: string, sentence: string][] = [
  ['English', 'Not used. Next symbol.'],
  ['English, in other words', 'No hits for this one, so I move on to the next name.'],
  ['German', 'Wird nicht benutzt. Nächstes Symbol.'],
  ['French', 'Pas utilisé. Au suivant.'],
  ['Spanish', 'No se usa. Siguiente símbolo.'],
  ['Chinese', '没有使用。下一个符号。'],
]

const symbols = SENTENCES.flatMap(([language, says]): Story[] => [
  {
    name: `the same words before ever new searches that find nothing, in ${language}`,
    prompt: 'Which of the exported symbols are not used?',
    steps: times(14, (at) =>
      call('grep', { pattern: pick(SYMBOLS, at), path: 'src' }, 'No matches found', { says }),
    ),
    expect: 'no stop',
  },
  {
    name: `the same words before the same search, in ${language}`,
    prompt: 'Which of the exported symbols are not used?',
    steps: times(40, () =>
      call('grep', { pattern: 'slugify', path: 'src' }, 'No matches found', { says }),
    ),
    expect: { stoppedWithin: 8 },
  },
])

export const sentences: Story[] = [
  ...symbols,
  {
    name: 'the same words before ever new files, which are as they should be',
    prompt: 'Check every module for the license header.',
    steps: times(30, (at) =>
      call(
        'read_file',
        { path: `src/${pick(SERVICES, at)}.ts` },
        `// Apache-2.0\nexport const ${pick(SYMBOLS, at)} = '${pick(PEOPLE, at)}'\n`,
        { says: 'This one has the header. On to the next.' },
      ),
    ),
    expect: 'quiet',
  },
  {
    name: 'thoughts from a template before ever new files',
    steps: times(10, (at) =>
      call(
        'read_file',
        { path: `parts/${pick(SERVICES, at)}.md` },
        `# ${pick(SERVICES, at)}\n${pick(PEOPLE, at)} looks after ${pick(SYMBOLS, at)}.\n`,
        { thinks: `Step ${at + 3} is to look at part ${at + 9}` },
      ),
    ),
    expect: 'quiet',
  },
  {
    name: 'thoughts from a template before the same file',
    steps: times(40, (at) =>
      call('read_file', { path: 'parts/basket.md' }, '# basket\nada looks after it.\n', {
        thinks: `Step ${at + 3} is to look at part ${at + 9}`,
      }),
    ),
    expect: { stoppedWithin: 8 },
  },
  {
    name: 'the same plan again and again, and never a call',
    prompt: 'Fix the discount.',
    steps: times(30, () => ({
      says: 'I will now open the file and fix the discount.',
      answered: 'Please continue.',
    })),
    expect: { stoppedWithin: 10 },
  },
]
