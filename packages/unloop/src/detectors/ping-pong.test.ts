import { testDetector } from '../../test/detector.js'
import { call, handoff, prompt, result, step, text, times } from '../../test/events.js'
import type { AgentEvent } from '../event.js'
import { pingPong } from './ping-pong.js'

const down = handoff('planner', 'coder', 'Please fix the failing login test and report back')
const back = handoff('coder', 'planner', 'I cannot fix the login test, please plan it again')
const agents = ['planner', 'coder', 'tester', 'writer', 'reader']
const round = (count: number) =>
  times(count, (n) => [
    handoff(agents[n] as string, agents[(n + 1) % count] as string, 'Your turn on the login test'),
  ])

/** The same events of a sub-agent. */
const by = (agent: string, events: AgentEvent[]) =>
  events.map((event) => ({ ...event, agent }) as AgentEvent)
/** What each helper does: the same two calls with the same two answers. */
const errand = (lap: number) =>
  by(`helper-${lap}`, [
    ...step('grep', { for: 'login' }, 'src/login.ts: export const login = 1'),
    ...step('read_file', { path: 'src/login.ts' }, 'export const login = 1'),
  ])

testDetector(pingPong(), {
  trips: {
    'on the sixth handoff between two': times(3, [down, back]),
    'between three': times(2, round(3)),
    'between four': times(2, round(4)).slice(0, 6),
    'on the eighth without any words': times(4, [handoff('a', 'b'), handoff('b', 'a')]),
    'with words that change a little': times(3, (lap) => [
      handoff(
        'planner',
        'coder',
        `Please fix the failing login test and report ${['back', 'to me', 'soon'][lap]}`,
      ),
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
    'on the sixth agent that is sent for the same and finds the same': times(6, errand),
    'whatever the agent is told by the one who sends it': times(6, (lap) => [
      call('task', { prompt: `Find the ${agents[lap % 5]} once more, try ${lap}` }),
      ...errand(lap),
      result(`Nobody found it, try ${lap}.`),
    ]).slice(0, -1),
    'on the twelfth if each makes a single call': times(12, (lap) => errand(lap).slice(0, 2)),
  },
  advises: {
    'on the fourth handoff between two': times(2, [down, back]),
    'on the fourth between three': times(2, round(3)).slice(0, 4),
    'on the fourth agent that is sent for the same and finds the same': times(4, errand),
    'on the eighth if each makes a single call': times(8, (lap) => errand(lap).slice(0, 2)),
  },
  quiet: {
    'for three': [down, back, down],
    'for three agents that find the same': times(3, errand),
    'when each agent finds something else': times(8, (lap) => [
      ...errand(lap).slice(0, 2),
      ...by(`helper-${lap}`, step('grep', { for: 'login' }, `src/${lap}.ts: login`)),
    ]),
    'when each agent does something else': times(8, (lap) => [
      ...errand(lap).slice(0, 2),
      ...by(`helper-${lap}`, step('read_file', { path: `${lap}.ts` }, 'export {}')),
    ]),
    'when something is changed before the next agent is sent': times(8, (lap) => [
      ...step('edit', { path: 'login.ts', new: `${lap}` }, 'ok'),
      ...errand(lap),
    ]),
    'when agents work side by side': [
      ...times(6, (lap) => errand(lap).slice(0, 2)),
      ...times(6, (lap) => errand(lap).slice(2)),
      ...times(6, (lap) => errand(lap).slice(0, 2)),
    ],
    'when one agent does it again and again, which is a repeated call': times(8, () => errand(0)),
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
    'while the numbers in it move': times(7, (lap) => [
      handoff('buyer', 'seller', `I offer ${100 + 5 * lap} for the old bicycle, do you agree?`),
      handoff('seller', 'buyer', `I want ${200 - 5 * lap} for the old bicycle, do you agree?`),
    ]),
    'on a new prompt': times(3, [prompt(), down, back, down]),
  },
})
