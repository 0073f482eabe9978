import { testDetector } from '../../test/detector.js'
import {
  call,
  failed,
  lasting,
  prompt,
  result,
  retry,
  step,
  times,
  turn,
} from '../../test/events.js'
import { sameAnswer } from './same-answer.js'

const words = 'user login session cookie token guard router store hook view model cache'.split(' ')
const word = (lap: number) => words[lap % words.length] as string
const search = (output: unknown) => (lap: number) =>
  step('search', { query: `where is the ${word(lap)}` }, output)
const page = (lap: number) =>
  step('read_file', { path: `${word(lap)}.ts` }, `export const ${word(lap)} = make()`)

testDetector(sameAnswer(), {
  trips: {
    'when the same verdict comes six times as often': times(42, (lap) =>
      step(
        'http_get',
        { url: `https://shop-${'abcdefghijklmnopqrstu'[lap % 21]}${lap > 20 ? 'x' : ''}.test` },
        { state: 'ok' },
      ),
    ),
    'on the seventh search that finds nothing': times(7, search('No results found')),
    'on the seventh empty answer of a tool that reads': times(7, search('')),
    'on the seventh search that finds the same': times(
      7,
      search('docs/setup.md: how to set it up\ndocs/index.md: the first page'),
    ),
    'when the answer repeats the question': times(7, (lap) =>
      step('search', { query: `${word(lap)} handler` }, `No matches for "${word(lap)} handler"`),
    ),
    'when the host calls it an error': times(7, (lap) =>
      failed('find', { name: word(lap) }, 'exit code 1: no such file'),
    ),
    'when only ids and times of the answer differ': times(7, (lap) =>
      step(
        'search',
        { query: word(lap) },
        { request_id: `r${lap}`, took_ms: lap, hits: ['docs/setup.md'] },
      ),
    ),
    'on the twelfth look at what was seen twice': times(4, times(6, page)),
    'on the fourth note to itself': times(4, (lap) =>
      step(
        'bash',
        { command: `echo "I should ${word(lap)} first"` },
        `I should ${word(lap)} first`,
      ),
    ),
    'on the fourth print of what it was given': times(4, (lap) =>
      step('python', { code: `print("the ${word(lap)} is fine")` }, `the ${word(lap)} is fine`),
    ),
    'beyond what was asked for': [
      prompt('Make 10 attempts to find it'),
      ...times(11, search('No results found')),
    ],
  },
  quiet: {
    'when forty files are checked and nothing is wrong with them': times(40, (lap) =>
      step('bash', { command: `npx eslint src/file${lap}.ts` }, 'No problems found'),
    ),
    'when one place after the other gets the same short verdict': times(20, (lap) =>
      step(
        'http_get',
        { url: `https://shop-${'abcdefghijklmnopqrst'[lap]}.test` },
        { state: 'ok' },
      ),
    ),
    'for six': times(6, search('No results found')),
    'when something was found in between': times(4, (lap) => [
      ...times(4, search('No results found')),
      ...step('read_file', { path: `${lap}` }, `a text about ${word(lap)} and ${word(lap + 1)}`),
    ]),
    'when each finds something else': times(20, (lap) =>
      step('search', { query: word(lap) }, `src/${word(lap)}.ts: export const ${lap}`),
    ),
    'when edits only say that it went well': times(20, (lap) =>
      step('edit', { path: `${word(lap)}.ts`, new: `const a = ${lap}` }, 'File updated'),
    ),
    'when a program only says that it went well': times(20, (lap) =>
      step('bash', { command: `make ${word(lap)}${lap}` }, 'done'),
    ),
    'while it waits': times(20, (lap) => step('wait', { seconds: lap }, 'nothing yet')),
    'when something still goes on': lasting(
      5,
      times(20, (lap) => step('get_job', { number: lap }, 'still running')),
    ),
    'while it scrolls': times(20, (lap) => step('scroll', { by: lap }, 'scrolled')),
    'for one call again and again, which is a repeated call': times(
      12,
      step('read_file', { path: 'a' }, 'the same'),
    ),
    'when everything is looked at once more': [...times(12, page), ...times(12, page)],
    'when all searches were made at once': [
      turn(),
      ...times(8, (lap) => [call('search', { query: word(lap) })]),
      ...times(8, [result('No results found')]),
    ],
    'when a retry sends them again': times(9, [turn(), ...search('No results found')(1), retry()]),
  },
})
