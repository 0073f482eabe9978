import { testDetector } from '../../test/detector.js'
import { handoff, prompt, step, text, times } from '../../test/events.js'
import { pingPong } from './ping-pong.js'

const down = handoff('planner', 'coder', 'Please fix the failing login test and report back')
const back = handoff('coder', 'planner', 'I cannot fix the login test, please plan it again')
const agents = ['planner', 'coder', 'tester', 'writer', 'reader']
const round = (count: number) =>
  times(count, (n) => [
    handoff(agents[n] as string, agents[(n + 1) % count] as string, 'Your turn on the login test'),
  ])

testDetector(pingPong(), {
  trips: {
    'on the sixth handoff between two': times(3, [down, back]),
    'between three': times(2, round(3)),
    'between four': times(2, round(4)).slice(0, 6),
    'without any words': times(3, [handoff('a', 'b'), handoff('b', 'a')]),
    'with words and numbers that change a little': times(3, (lap) => [
      handoff('planner', 'coder', `Attempt ${lap}: please fix the failing login test and report`),
      back,
    ]),
    'with talk in between': times(3, [down, text('Let me see.'), back]),
    'when what was read in between is known': [
      ...step('read_file', { path: 'login.ts' }, 'export const login = 1'),
      ...times(3, [
        down,
        ...step('read_file', { path: 'login.ts' }, 'export const login = 1'),
        back,
      ]),
    ],
    'after handoffs of other things': [
      handoff('planner', 'writer', 'Write the page about the settings of the server'),
      ...times(3, [down, back]),
    ],
  },
  quiet: {
    'for five': [...times(2, [down, back]), down],
    'when each task is another': times(8, (n) => [
      handoff(
        'planner',
        'coder',
        `${agents[n % 5]} ${'abcdefgh'[n]}x: write module ${'stuvwxyz'[n]}o`,
      ),
      handoff('coder', 'planner', `${'hgfedcba'[n]}y works, ${agents[(n + 2) % 5]} may go on`),
    ]),
    'when something was learned in between': times(8, (lap) => [
      down,
      ...step('read_file', { path: `${lap}.ts` }, `export const name${lap} = ${lap}`),
      back,
    ]),
    'when something was changed in between': times(8, (lap) => [
      down,
      ...step('edit', { path: 'login.ts', new: `${lap}` }, 'ok'),
      back,
    ]),
    'when one agent hands out work to many': times(12, (n) => [
      handoff('planner', `coder${n}`, 'Please fix the failing test and report back'),
    ]),
    'between five, which is a line of production': times(2, round(5)),
    'on a new prompt': times(3, [prompt(), ...times(2, [down, back])]),
  },
})
