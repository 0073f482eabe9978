import { testDetector } from '../../test/detector.js'
import { call, lasting, prompt, result, retry, step, times, turn } from '../../test/events.js'
import { paging } from './paging.js'

const syllables = 'ka lo mi ne su ta ro vi'.split(' ')
/** A line of a file that is like no other. */
const line = (n: number) =>
  `${n}\t${[n >> 9, n >> 6, n >> 3, n].map((part) => syllables[part & 7]).join('')} = load()`
const lines = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => line(from + n)).join('\n')
/** Some lines of a file, as a tool shows them. */
const page = (path: string, offset: number, count = 40) =>
  step('read_file', { path, offset, limit: count }, lines(offset, count))
const sweep = (path: string, pages: number) => times(pages, (n) => page(path, 40 * n))

testDetector(paging(), {
  trips: {
    'on the tenth page that slides by a line': times(11, (n) => page('a.log', n)),
    'in the third sweep, page by page': [
      ...times(2, sweep('a.log', 12)),
      ...sweep('a.log', 12).slice(0, 20),
    ],
    'in the second sweep if its pages are cut elsewhere': [
      ...sweep('a.log', 12),
      ...times(10, (n) => page('a.log', 40 * n + 20, 36)),
    ],
    'when a shell shows the pages': times(11, (n) =>
      step('bash', { command: `sed -n ${n},${n + 40}p src/a.log` }, lines(n, 40)),
    ),
    'when each answer carries its time': times(11, (n) =>
      step('read_file', { path: 'a', offset: n }, `at 10:00:${10 + n}\n${lines(n, 40)}`),
    ),
    'once more than was asked for': [
      prompt('Take 12 samples of the log'),
      ...times(14, (n) => page('a.log', n)),
    ],
  },
  quiet: {
    'when a long file is read once': sweep('a.log', 60),
    'when it is read once more': times(2, sweep('a.log', 30)),
    'for nine pages that slide': times(10, (n) => page('a.log', n)),
    'when pages overlap by half': times(30, (n) => page('a.log', 20 * n)),
    'when each page is of another file': times(30, (n) => page(`${n}.log`, 0)),
    'when something else is done in between': times(30, (n) => [
      ...page('a.log', n),
      ...step('edit', { path: 'a.log', line: n }, 'ok'),
    ]),
    'when the answers are a few lines': times(30, (n) => page('a.log', n % 4, 3)),
    'when it waits for more of it': lasting(
      5,
      times(20, () => step('read_output', { shell: 1 }, `still running\n${lines(0, 4)}`)),
    ),
    'for one round of many pages': [
      turn(),
      ...times(8, (n) => [call('read_file', { path: 'a', offset: n })]),
      ...times(8, (n) => [result(lines(n, 40))]),
    ],
    'when a retry sends the page again': times(20, [turn(), ...page('a.log', 0), retry()]),
    'on a new prompt': times(4, [prompt(), ...times(9, (n) => page('a.log', n))]),
  },
})
