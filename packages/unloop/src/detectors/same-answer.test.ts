import { testDetector } from '../../test/detector.js'
import { call, lasting, prompt, result, retry, step, text, times, turn } from '../../test/events.js'
import { sameAnswer } from './same-answer.js'

const { likely, limit, batch, barren } = sameAnswer().options as Record<string, number> as {
  likely: number
  limit: number
  batch: number
  barren: number
}
// how often a wait may repeat if nobody knows the time, and if time passes
const UNPROVEN = 16
const WATCHING = 40
// where a list is gone through in silence
const LIKELY_BATCH = 8
const words = 'user login session cookie token guard router store hook view model cache'.split(' ')
const word = (lap: number) => words[lap % words.length] as string
/** A name that comes once and does not count. */
const name = (lap: number) => `${word(lap)}-${word(Math.floor(lap / words.length))}`
const hits = 'docs/setup.md: how to set it up\ndocs/index.md: the first page'
const search = (lap: number) => step('search', { query: `where is the ${word(lap)} ${lap}` }, hits)
/** The same with one tool after the other. */
const anywhere = (lap: number) =>
  step(lap % 2 === 0 ? 'search' : 'grep', { query: `where is the ${word(lap)}` }, hits)
const spoken = (lap: number) => [text('Let me look for it elsewhere.'), ...search(lap)]
const stamped = (lap: number) =>
  step(
    lap % 2 === 0 ? 'search' : 'find',
    { query: word(lap) },
    { request_id: `r${lap}`, took_ms: lap, hits: ['docs/setup.md'] },
  )
const page = (lap: number) =>
  step('read_file', { path: `${word(lap)}.ts` }, `export const ${word(lap)} = make()`)
/** So many more looks at six files. */
const looks = (count: number) => times(count, (lap) => page(lap % 6))
const shop = (lap: number) =>
  step('http_get', { url: `https://${name(lap)}.test` }, { state: 'ok' })
/** A change and what takes it back. */
const toAndFro = [
  ...step('edit', { path: 'a.ts', old: 'let', new: 'const' }, 'ok'),
  ...step('edit', { path: 'a.ts', old: 'const', new: 'let' }, 'ok'),
]
const changes = (count: number) => times(count, toAndFro).slice(0, 2 * count)
const note = (lap: number) => step('write_file', { path: `notes-${lap}.md`, text: word(lap) }, 'ok')
const job = (lap: number) => step('get_job', { number: lap }, 'still running')

testDetector(sameAnswer(), {
  trips: {
    'at `limit` searches that find the same': times(limit, anywhere),
    'at `limit` of one tool if the model speaks before each': times(limit, spoken),
    'at `batch` of one tool in silence': times(batch, search),
    'at `batch` places with the same short verdict': times(batch, shop),
    'when only ids and times of the answer differ': times(limit, stamped),
    'at `barren` looks at what was seen twice': [...times(2, times(6, page)), ...looks(barren)],
    'at `barren` changes that were taken back or take one back': changes(barren),
    'at `barren` rounds of notes and of looks at what is known': [
      ...note(9),
      ...times(2, page(1)),
      ...times(barren, (lap) => (lap % 2 === 0 ? note(lap) : page(1))),
    ],
    'on the fourth of the notes to itself': times(4, (lap) =>
      step(
        'bash',
        { command: `echo "I should ${word(lap)} first"` },
        `I should ${word(lap)} first`,
      ),
    ),
    'on the fourth print of what it was given': times(4, (lap) =>
      step('python', { code: `print("the ${word(lap)} is fine")` }, `the ${word(lap)} is fine`),
    ),
    'on the sixteenth wait that brings nothing, where nobody knows the time': times(
      UNPROVEN + 1,
      job,
    ),
    'on the fortieth wait that takes its time': lasting(5, times(WATCHING + 1, job)),
    'beyond what was asked for': [prompt('Make 10 search attempts'), ...times(11, spoken)],
  },
  advises: {
    'at `likely` times if the model speaks before each': times(likely, spoken),
    'one later on searches that find the same': times(likely + 1, anywhere),
    'later on searches of one tool in silence': times(LIKELY_BATCH, search),
    'one later when only ids and times of the answer differ': times(likely + 1, stamped),
    'two before `barren`: looks at what was seen twice': [
      ...times(2, times(6, page)),
      ...looks(barren - 2),
    ],
    'two before `barren`: changes that were taken back or take one back': changes(barren - 2),
    'two before `barren`: notes after the first': times(barren - 2 + 1, note),
  },
  quiet: {
    'when forty files are checked and nothing is wrong with them': times(40, (lap) =>
      step('bash', { command: `npx eslint src/file${lap}.ts` }, 'No problems found'),
    ),
    'when one place after the other gets the same short verdict': times(batch - 1, shop),
    'for fewer': times(likely, anywhere),
    'for fewer, though the model speaks before each': times(likely - 1, spoken),
    'for a few notes': times(barren - 2, note),
    'when a change is tried, measured and taken back': times(3, (lap) => [
      ...toAndFro.slice(0, 2),
      ...step(
        'bash',
        { command: `npm run bench -- ${word(lap)}` },
        `${word(lap)}: ${lap + 3} per second`,
      ),
      ...toAndFro.slice(2),
    ]),
    'when every edit is accepted in the same words': times(20, (lap) =>
      step(
        'Edit',
        { file_path: 'a.ts', old_string: `x${lap}`, new_string: `y${lap}` },
        'The file a.ts has been updated successfully.',
      ),
    ),
    'when something was found in between': times(4, (lap) => [
      ...times(4, search),
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
    'for one call a few times, which is a repeated call': times(
      9,
      step('read_file', { path: 'a' }, 'the same'),
    ),
    'when everything is looked at once more': [...times(12, page), ...times(12, page)],
    'when all searches were made at once': [
      turn(),
      ...times(8, (lap) => [call('search', { query: word(lap) })]),
      ...times(8, [result(hits)]),
    ],
    'when a retry sends them again': times(9, [turn(), ...search(1), retry()]),
  },
})
