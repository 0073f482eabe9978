import { describe, expect, it } from 'vitest'
import { testDetector } from '../../test/detector.js'
import { call, reasoning, result, retry, step, text, times, turn } from '../../test/events.js'
import { createGuard } from '../guard.js'
import { repeatedThought } from './repeated-thought.js'

const thought = reasoning('The test still fails, so I should look at the parser again.')
const run = step('bash', { command: 'npm test' }, '3 failed')
const change = (lap: number) =>
  step('edit', { path: `${lap}.ts`, new: `const a = ${lap}` }, 'Edit applied successfully.')
const look = (lap: number) =>
  step('read_file', { path: `${lap}.ts` }, `export const name${lap} = 1`)
const nouns = 'parser router store cache model view guard hook'.split(' ')
const mutter = 'Wait, I will try to click on it instead. '
const count = (from: number, to: number) =>
  reasoning(
    Array.from(
      { length: to - from },
      (_, n) => `Wait, I will try to click on index ${from + n}. `,
    ).join(''),
  )

testDetector(repeatedThought(), {
  trips: {
    'on the fourth time of one thought': [
      ...times(3, [thought, ...run]),
      thought,
      call('bash', { command: 'npm test' }),
    ],
    'when it is followed by words, at the call or turn after them': [
      ...times(3, [thought, text('Let me see.'), ...run]),
      thought,
      text('Let me see.'),
      turn(),
    ],
    'on the fifth that is nearly the same': [
      ...times(4, (lap) => [
        reasoning(`The last test in the list still fails, so I should look at the ${nouns[lap]}.`),
        ...run,
      ]),
      reasoning('The last test in the list still fails, so I should look at the view.'),
      turn(),
    ],
    'without any call': times(4, [thought, turn()]),
    'while it is thought, if it repeats itself': [
      reasoning(mutter.repeat(5)),
      reasoning(mutter.repeat(2)),
    ],
    'while it counts': [count(3090, 3098), count(3098, 3110)],
  },
  advises: {
    'on the third time of one thought': [
      ...times(2, [thought, ...run]),
      thought,
      call('bash', { command: 'npm test' }),
    ],
    'on the fourth that is nearly the same': [
      ...times(3, (lap) => [
        reasoning(`The last test in the list still fails, so I should look at the ${nouns[lap]}.`),
        ...run,
      ]),
      reasoning('The last test in the list still fails, so I should look at the view.'),
      turn(),
    ],
    'on the third without any call': times(3, [thought, turn()]),
    'on the eighth of the last twelve, though something is changed each time': [
      ...times(7, (lap) => [thought, ...change(lap)]),
      thought,
      turn(),
    ],
  },
  quiet: {
    'when each comes with something new': times(12, (lap) => [thought, ...look(lap)]),
    'for two': [...times(2, [thought, ...run]), turn()],
    'for three that are nearly the same': times(3, (lap) => [
      reasoning(`The last test in the list still fails, so I should look at the ${nouns[lap]}.`),
      ...run,
    ]),
    'while the work goes on': times(7, (lap) => [
      reasoning('Now I should read the next file.'),
      ...look(lap),
    ]),
    'when every thought is another': times(8, (lap) => [
      reasoning(`The ${nouns[lap]} needs ${nouns[(lap + 3) % 8]}, not ${nouns[(lap + 5) % 8]}.`),
      turn(),
    ]),
    'for the same words in the visible text': times(6, [text('The test fails again. '), turn()]),
    'when one thought is recorded for each call of a round': [
      turn(),
      ...times(6, (n) => [thought, call('read_file', { path: `${n}` })]),
      ...times(6, (n) => [result(`text number ${n}`)]),
    ],
    'when a retry thinks it again': [turn(), ...times(6, [thought, retry()]), thought, turn()],
    'when a chant is broken by a call': times(2, [reasoning(mutter.repeat(4)), ...run]),
  },
})

describe('repeated-thought', () => {
  const actions = (events: ReturnType<typeof times>) => {
    const guard = createGuard({ detectors: [repeatedThought()] })
    return events.flatMap((event) => guard.observe(event)?.action ?? [])
  }

  it('cuts a thought in progress and answers one that is over', () => {
    expect(actions([reasoning(mutter.repeat(7))])).toEqual(['cut'])
    expect(actions(times(4, [thought, turn()]))).toEqual(['warn', 'block'])
  })
})
