import { testDetector } from '../../test/detector.js'
import {
  call,
  deltas,
  lasting,
  prompt,
  result,
  retry,
  step,
  text,
  times,
  turn,
} from '../../test/events.js'
import { repeatedMessage } from './repeated-message.js'

const announce = text('I will now run the tests to see what fails.')
const run = step('bash', { command: 'npm test' }, '3 failed')
const look = (lap: number) =>
  step('read_file', { path: `${lap}.ts` }, `export const name${lap} = 1`)
const change = (lap: number) =>
  step('edit', { path: `${lap}.ts`, new: `const a = ${lap}` }, 'Edit applied successfully.')
const nouns = 'parser router store cache model view guard hook'.split(' ')

/** One thing in other words each time. */
const waiting = [
  ['I am still blocked', ''],
  ['As I said', ', so I wait'],
  ['Once more', ', please tell me'],
  ['To be clear', ' of the shop'],
  ['Nothing has changed', ', whatever it is'],
].map(
  ([start, end]) =>
    `${start}: I cannot go on without your decision about the old table in the database${end}.`,
)

const explain = text(
  'The output is still the same as before, so the change did not reach the place where the value is made. I will change the function that merges both objects and then run the script again.',
)

const conclude = text(
  'The line was removed, but now the same definition appears twice in a row, which is not what I wanted. I will remove the second one and see whether the rest of the file is still as it should be.',
)

testDetector(repeatedMessage(), {
  trips: {
    'on the ninth of two long messages in turn, though something is changed each time': [
      ...times(4, (lap) => [explain, ...change(2 * lap), conclude, ...change(2 * lap + 1)]),
      explain,
      turn(),
    ],
    'on the fourth time, when its turn goes on to a call': [
      ...times(3, [announce, ...run]),
      announce,
      call('bash', { command: 'npm test' }),
    ],
    'at the end of a turn': [
      ...times(3, [turn(), announce, ...run]),
      turn(),
      announce,
      { type: 'turn-end' },
    ],
    'with other messages in between': [
      ...times(3, (lap) => [announce, ...run, text(`Hm, the ${nouns[lap]} it is.`), ...run]),
      announce,
      turn(),
    ],
    'but for its numbers, its case and its marks': [
      ...times(3, (lap) => [text(`Attempt ${lap}: Let me TRY that again!`), ...run]),
      text('Attempt 3: let me try that again'),
      turn(),
    ],
    'on the fifth that is nearly the same': [
      ...times(4, (lap) => [
        text(
          `I see the test in question still fails, so I will look at the code of the ${nouns[lap]}.`,
        ),
        ...run,
      ]),
      text('I see the test in question still fails, so I will look at the code of the view.'),
      turn(),
    ],
    'on the fourth in a row without a call': times(4, [
      text('I reiterate my blocked status and wait for your decision.'),
      turn(),
    ]),
    'on the sixth in a row without a call, in words that were all used before': [
      0, 1, 2, 0, 1, 2,
    ].flatMap((at) => [text(waiting[at] ?? ''), turn()]),
    'however the text was cut': [
      ...times(3, [...deltas('I will now run the tests to see what fails.', 7), ...run]),
      announce,
      turn(),
    ],
    'in a script without spaces': [
      ...times(3, [text('我现在再次运行测试。'), ...run]),
      text('我现在再次运行测试。'),
      turn(),
    ],
    'at length, when what was done in between led to the same answer each time': [
      ...run,
      ...times(3, (lap) => [explain, ...look(lap), ...run]),
      explain,
      turn(),
    ],
    'beyond what was asked for': [
      prompt('Ask me for a number five times'),
      ...times(6, [text('Which number do you want me to take?'), turn()]),
    ],
  },
  advises: {
    'on the third time, when its turn goes on to a call': [
      ...times(2, [announce, ...run]),
      announce,
      call('bash', { command: 'npm test' }),
    ],
    'on the fourth that is nearly the same': [
      ...times(3, (lap) => [
        text(
          `I see the test in question still fails, so I will look at the code of the ${nouns[lap]}.`,
        ),
        ...run,
      ]),
      text('I see the test in question still fails, so I will look at the code of the view.'),
      turn(),
    ],
    'on the third in a row without a call': times(3, [
      text('I reiterate my blocked status and wait for your decision.'),
      turn(),
    ]),
    'on the third in a row without a call, in other words each time': waiting
      .slice(0, 3)
      .flatMap((words) => [text(words), turn()]),
    'on the eighth of the last twelve, though something is changed each time': [
      ...times(7, (lap) => [announce, ...change(lap)]),
      announce,
      turn(),
    ],
    'on the seventh long message that was among the last, though something is changed each time': [
      ...times(3, (lap) => [explain, ...change(2 * lap), conclude, ...change(2 * lap + 1)]),
      explain,
      turn(),
    ],
  },
  quiet: {
    'for two': [...times(2, [announce, ...run]), turn()],
    'for three that are nearly the same': times(3, (lap) => [
      text(`I see the test still fails, so I will look at the code of the ${nouns[lap]}.`),
      ...run,
    ]),
    'for a title': times(9, (lap) => [text(`Step ${lap}:`), ...run]),
    'for a file that is shown': times(9, [text('Here it is:\n```\nlet a = 1\n```'), ...run]),
    'while it waits, which may be said each time': lasting(
      5,
      times(12, [
        text('Still running, I will check again.'),
        ...step('get_job', { id: 7 }, 'still running'),
      ]),
    ),
    'at length, when each comes with something new': times(12, (lap) => [explain, ...look(lap)]),
    'while the work goes on': times(7, (lap) => [text('Now the next file.'), ...look(lap)]),
    'for somebody who goes through a list, however little each item tells': times(12, (lap) => [
      text(`Now file ${lap}.`),
      ...step('read_file', { path: `src/part-${lap}.ts` }, `content of src/part-${lap}.ts`),
    ]),
    'when something is changed each time': times(7, (lap) => [
      text('Let me fix the next one.'),
      ...step('edit', { path: `${lap}.ts`, new: `${lap}` }, 'ok'),
    ]),
    'when each message is another': times(8, (lap) => [
      text(
        `The ${nouns[lap]} needs ${nouns[(lap + 3) % 8]}, the ${nouns[(lap + 5) % 8]} does not.`,
      ),
      turn(),
    ]),
    'for a word': times(12, [text('Yes.'), turn()]),
    'when they lie far apart': times(4, (lap) => [
      announce,
      turn(),
      ...times(12, (n) => [
        text(`${nouns[n % 8]} ${nouns[lap]} ${nouns[(n * lap) % 7]}`),
        ...look(n),
      ]),
    ]),
    'when one response has it before each of its calls': [
      turn(),
      ...times(6, (n) => [text('Now this one.'), call('read_file', { path: `${n}` })]),
      ...times(6, (n) => [result(`text number ${n}`)]),
    ],
    'when a retry sends it again': [turn(), ...times(6, [announce, retry()]), announce, turn()],
    'for as many as were asked for': [
      prompt('Say hello to me 6 times'),
      ...times(6, [text('Hello, my dear friend.'), turn()]),
    ],
    'on a new prompt': times(4, [prompt(), announce, turn()]),
  },
})
