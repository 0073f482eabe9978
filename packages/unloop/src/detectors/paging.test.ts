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

const slide = (pages: number) => times(pages, (n) => page('a.log', n))
/** The whole file, and then once more with its pages cut elsewhere. */
const recut = (pages: number) => [
  ...sweep('a.log', 24),
  ...times(pages, (n) => page('a.log', 40 * n + 20, 36)),
]
const shell = (pages: number) =>
  times(pages, (n) => step('bash', { command: `sed -n ${n},${n + 40}p src/a.log` }, lines(n, 40)))
const stamped = (pages: number) =>
  times(pages, (n) =>
    step('read_file', { path: 'a', offset: n }, `at 10:00:${10 + n}\n${lines(n, 40)}`),
  )

testDetector(paging(), {
  trips: {
    'on the twentieth page that slides by a line': slide(21),
    'in the fourth sweep, page by page': [...times(3, sweep('a.log', 12)), ...sweep('a.log', 8)],
    'in the second sweep if its pages are cut elsewhere': recut(20),
    'when a shell shows the pages': shell(21),
    'when each answer carries its time': stamped(21),
    'once more than was asked for': [prompt('Take 25 samples of the log'), ...slide(27)],
  },
  advises: {
    'on the tenth page that slides by a line': slide(11),
    'in the third sweep, page by page': [...times(2, sweep('a.log', 12)), ...sweep('a.log', 10)],
    'in the second sweep if its pages are cut elsewhere': recut(10),
    'when a shell shows the pages': shell(11),
    'when each answer carries its time': stamped(11),
    'once more than was asked for': [prompt('Take 12 samples of the log'), ...slide(14)],
  },
  quiet: {
    'when a long file is read once': sweep('a.log', 60),
    'when it is read once more': times(2, sweep('a.log', 30)),
    'for nine pages that slide': slide(10),
    'when records of one kind are fetched by their ids': times(30, (n) =>
      step(
        'get_record',
        { record_id: n },
        `name: ${line(n)}\nstate: open\nowner: none\ntags: none`,
      ),
    ),
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
