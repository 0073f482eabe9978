import { bash, call, noise, type Story, times } from './story.js'

const residual = (at: number) => (0.927_418_365 * 0.71 ** at).toFixed(12)

/** The same call with an answer that differs in a number only, which gets better each time. */
const BETTER: [what: string, count: number, answer: (at: number) => string][] = [
  ['a residual of twelve digits', 30, (at) => `{"residual": ${residual(at)}}`],
  ['a residual in a sentence', 30, (at) => `The residual is now ${residual(at)}.`],
  ['a gradient', 30, (at) => `norm of the gradient: ${(83.123_456_789 / (at + 1)).toFixed(9)}`],
  ['a loss', 30, (at) => `epoch ${at}: loss ${(2.312_585_093 / (at + 2)).toFixed(9)}`],
  ['a share that is done', 30, (at) => `progress: ${(0.031_415_926 * (at + 1)).toFixed(9)}`],
  ['a few digits', 30, (at) => `cost ${400 - 11 * at}`],
]

const better = BETTER.map(
  ([what, count, answer]): Story => ({
    name: `a solver that gets on, which says so by ${what}`,
    prompt: 'Let the solver converge.',
    steps: times(count, (at) => bash('python solve.py --resume', answer(at))),
    expect: 'quiet',
  }),
)

export const numbers: Story[] = [
  ...better,
  {
    name: 'a solver that has stalled: the residual stays the same',
    steps: times(40, () => bash('python solve.py --resume', `{"residual": ${residual(9)}}`)),
    expect: { stoppedWithin: 10 },
  },
  {
    name: 'a solver that has failed: the residual is no number',
    steps: times(40, () => bash('python solve.py --resume', '{"residual": NaN}')),
    expect: { stoppedWithin: 10 },
  },
  {
    name: 'fewer failures each time, with an edit before each test',
    steps: times(14, (at) => [
      call('edit', { path: 'src/tax.ts', old: `rate ${at}`, new: `rate ${at + 1}` }, 'ok'),
      bash('npm test', `${14 - at} failed, ${30 + at} passed`, { isError: true }),
    ]),
    expect: 'no stop',
  },
  {
    name: 'as many failures each time, and only the time they took differs',
    steps: times(60, (at) =>
      bash('npm test', `3 failed, 30 passed (${noise(at, 900)} ms)`, { isError: true }),
    ),
    expect: { stoppedWithin: 10 },
  },
]
