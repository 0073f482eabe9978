import { testDetector } from '../../test/detector.js'
import {
  call,
  failed,
  lasting,
  prompt,
  result,
  retry,
  step,
  text,
  times,
  turn,
} from '../../test/events.js'
import { repeatedCall } from './repeated-call.js'

const read = call('read_file', { path: 'src/app.ts' })
const shown = result('import { run } from "./run.js"\nrun()\n')
const status = (output: unknown) => step('get_build', { build: 'main' }, output)
const edit = call('edit_file', { path: 'a.ts', old: 'let', new: 'const' })
const tests = call('bash', { command: 'npm test' })
const click = call('browser_click', { element: 'Next' })
const page = (shown: string, first = 0) =>
  `Page URL: https://shop.test/\n- button "Next" [ref=e${first}]\n- list [ref=e${first + 1}]: ${shown}`

testDetector(repeatedCall(), {
  trips: {
    'when what was waited for has failed': times(4, [
      call('wait_for_job', { job: 1 }),
      result('Error: the job was killed'),
    ]).slice(0, -1),
    'on the fourth call of a tool that reads, before its answer': [
      ...times(3, [read, shown]),
      read,
    ],
    'with words and announced turns in between': [
      ...times(3, [turn(), text('Let me look once more.'), read, shown]),
      turn(),
      read,
    ],
    'on the fifth answer of a program, for it may do something else each time': times(5, [
      tests,
      result('12 passed'),
    ]),
    'whatever the order of keys': [
      ...times(3, step('grep', { query: 'x', in: 'src' }, 'src/a.ts: x')),
      call('grep', { in: 'src', query: 'x' }),
    ],
    'whatever the words for the reader say': [
      ...times(3, (lap) =>
        step('bash', { command: 'git status', description: `Look, part ${lap}` }, 'clean tree'),
      ),
      call('bash', { command: 'git status', description: 'Look at last' }),
    ],
    'when only times, ids and durations of the answer differ': [
      ...times(3, (lap) =>
        status(
          `[12:0${lap}:41] build 7f3a9c0${lap}e1 failed after ${lap}.3s on 2026-04-0${lap + 1}`,
        ),
      ),
      call('get_build', { build: 'main' }),
    ],
    'when the same error comes in other words': [
      ...times(3, (lap) => failed('read_file', { path: 'x' }, `Error: no file x (try ${lap})`)),
      call('read_file', { path: 'x' }),
    ],
    'on the fourth of the same edits that change nothing': [
      ...times(3, [edit, result('No changes detected')]),
      edit,
    ],
    'on the fourth of the same edits, though each is said to be made': [
      ...times(3, [edit, result('ok')]),
      edit,
    ],
    'on the fourth click that leaves the page as it was, however it numbers its elements': [
      ...times(3, (lap) => [click, result(page('', 10 * lap))]),
      click,
    ],
    'when a parallel round comes again, its calls in any order': [
      ...times(3, [turn(), read, call('ls', { path: '.' }), shown, result('app.ts')]),
      turn(),
      call('ls', { path: '.' }),
      read,
      result('app.ts'),
      shown,
    ],
    'when ids tell which answer is whose': [
      ...times(3, [
        turn(),
        call('read_file', { path: 'a' }, '1'),
        call('read_file', { path: 'b' }, '2'),
        result('text of b', '2'),
        result('text of a', '1'),
      ]),
      turn(),
      call('read_file', { path: 'a' }, '1'),
      call('read_file', { path: 'b' }, '2'),
      result('text of a', '1'),
      result('text of b', '2'),
    ],
    'on the fifth call where no answers are seen': times(5, [turn(), read]),
    'on the eighth where no turns are seen either': times(8, [read]),
    'when some answers were lost': [...times(3, [turn(), read, shown]), turn(), read],
    'on the fortieth look at something that goes on': lasting(5, [
      ...times(39, status('The build is still running')),
      call('get_build', { build: 'main' }),
    ]),
    'on the forty-eighth look at something that takes its time': lasting(30, [
      ...times(47, status('The build is still running')),
      call('get_build', { build: 'main' }),
    ]),
    'on the sixteenth look where nobody knows the time': [
      ...times(15, status('The build is still running')),
      call('get_build', { build: 'main' }),
    ],
    'when nobody waits, though there are times': lasting(0.1, [
      ...times(3, status('The build is still running')),
      call('get_build', { build: 'main' }),
    ]),
    'when a wait takes no time': [
      ...times(3, step('bash', { command: 'sleep 0; make' }, 'nothing to be done')),
      call('bash', { command: 'sleep 0; make' }),
    ],
    'on the twenty-fifth try of a service that is out of reach': [
      ...times(24, failed('fetch', { url: 'https://a.b' }, '503 Service Unavailable')),
      call('fetch', { url: 'https://a.b' }),
    ],
    'on the thirtieth move to the same place': [
      ...times(29, step('scroll_down', {}, 'You are at the bottom of the page')),
      call('scroll_down', {}),
    ],
    'on the sixtieth poll, even if the answer changes': [
      ...times(59, (lap) =>
        step('get_price', { of: 'gold' }, `The price is ${1000 + lap} dollars`),
      ),
      call('get_price', { of: 'gold' }),
    ],
    'once more than was asked for': [
      prompt('Please run the tests 8 times'),
      ...times(9, [tests, result('ok')]),
    ],
    'as ever if the person asked for something else': [
      prompt('Please run the benchmark 8 times'),
      ...times(5, [tests, result('ok')]),
    ],
    'across a compaction': [...times(3, [read, shown]), { type: 'compaction' }, read],
  },
  advises: {
    'on the third call of a tool that reads, before its answer': [...times(2, [read, shown]), read],
    'on the third call of a program that fails': [
      ...times(2, [tests, result('Error: 3 failed')]),
      tests,
    ],
    'on the fourth answer of a program that works': times(4, [tests, result('12 passed')]),
    'on the third of the same rounds': times(3, [
      turn(),
      read,
      call('ls', { path: '.' }),
      shown,
      result('app.ts'),
    ]),
    'whatever a shell line is commented with': [
      ...times(2, (lap) => step('bash', { command: `git status # try ${lap}` }, 'clean tree')),
      call('bash', { command: 'git status # once more' }),
    ],
    'one sub-agent only': [
      ...times(2, [
        { ...read, agent: 'one' },
        { ...shown, agent: 'one' },
      ]),
      { ...read, agent: 'one' },
    ],
  },
  quiet: {
    'when a page differs after each click': times(9, (lap) => [
      click,
      result(page(`item ${'abcdefghi'[lap]}`)),
    ]),
    'when a number on the page differs after each click': times(9, (lap) => [
      click,
      result(page(`page ${lap} of 9`)),
    ]),
    'when nobody recorded what was asked for': times(9, [call('refresh'), result('ok')]),
    'for three of the same edits': times(3, [edit, result('ok')]),
    'for three runs of a program that works': times(3, [tests, result('12 passed')]),
    'when a page shows a little more after each click': times(9, (lap) => [
      call('click', { text: 'Next' }),
      result(`Home\nShop\nCart\nthe words of page ${'abcdefghi'[lap]}`),
    ]),
    'for two': times(2, [read, shown]),
    'when another call comes in between': times(6, [
      ...times(2, [read, shown]),
      ...step('ls', {}, 'app.ts'),
    ]),
    'when a build is run again after each edit': times(9, (lap) => [
      ...step('edit_file', { path: 'a.ts', new: `const a = ${lap}` }, 'ok'),
      tests,
      result('1 failed'),
    ]),
    'when a poll brings new lines': times(50, (lap) =>
      step('read_output', { shell: 1 }, `compiled module number ${lap} of the list`),
    ),
    'when a count falls': times(12, (lap) => [tests, result(`${12 - lap} items left`)]),
    'while a long process is waited for': lasting(3, times(24, step('bash', { command: '' }, ''))),
    'while a job is queued': lasting(9, times(24, status({ state: 'queued', job_id: 3 }))),
    'while it sleeps, as long as it says': times(
      24,
      step('bash', { command: 'sleep 5 && cat log' }, 'not yet'),
    ),
    'while somebody scrolls': times(20, step('scroll_down', {}, 'ok')),
    'when a debugger steps': times(20, (lap) => step('gdb_next', {}, `${lap + 1} x = f(x)`)),
    'for a round of many identical calls': [
      turn(),
      ...times(6, [read]),
      ...times(6, [shown]),
      turn(),
      ...times(6, [read]),
      ...times(6, [shown]),
    ],
    'for as many as the person asked for': [
      prompt('Generate this audio chunk eight times'),
      ...times(8, step('generate_audio', { text: 'hello' }, 'saved')),
    ],
    'when the person asked to wait until it is done': [
      prompt('Check the deployment until it is done'),
      ...times(30, step('get_deployment', { name: 'web' }, 'not yet')),
    ],
    'when a retry sends the same call again': [
      ...[turn(), read, shown],
      ...times(4, [turn(), read, retry()]),
    ],
    'on a new prompt': [...times(2, [read, shown]), prompt('again'), ...times(2, [read, shown])],
    'when two sub-agents do the same': times(2, [
      { ...read, agent: 'one' },
      { ...shown, agent: 'one' },
      { ...read, agent: 'two' },
      { ...shown, agent: 'two' },
    ]),
  },
})
