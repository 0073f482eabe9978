import { describe, expect, it } from 'vitest'
import { testDetector } from '../../test/detector.js'
import { call, prompt, step, times, turn } from '../../test/events.js'
import { createGuard } from '../guard.js'
import { presets } from '../presets/index.js'
import { TABLE } from '../prices/table.js'
import { callFlood } from './call-flood.js'

const preview = prompt('look', { model: 'gemini-3-pro-preview' })
const reads = (count: number) => times(count, (lap) => [call('read_file', { path: `${lap}.ts` })])
const runs = (count: number) => times(count, (lap) => [call('run', { command: `make ${lap}` })])

testDetector(callFlood({ models: '*preview*' }), {
  trips: {
    'on the fourth call of a tool that reads': [preview, ...reads(4)],
    'on the fifth call of any other': [preview, ...runs(5)],
    'with other tools in between': [
      preview,
      ...times(3, (lap) => [...reads(1), call(`t${lap}`)]),
      ...reads(1),
    ],
    'for a name of any case': [prompt('x', { model: 'gemini-2.0-flash-PREVIEW' }), ...reads(4)],
    'for a tool with a strange name': [preview, ...times(5, [call('__proto__')])],
  },
  quiet: {
    'for three and four': [preview, ...reads(3), ...runs(4)],
    'for a model that is no preview': [prompt('x', { model: 'gemini-2.0-flash' }), ...reads(20)],
    'when nothing is known of the model': [...reads(20)],
    'when the next prompt is for another model': [
      preview,
      ...reads(3),
      prompt('y', { model: 'claude-3-opus' }),
      ...reads(9),
    ],
  },
})

/** One of so many files, each of which is like no other. */
const look = (lap: number, files: number) =>
  step('read_file', { path: `${lap % files}.ts` }, `the file ${'abcdefghijk'[lap % files]}`)

testDetector(callFlood({ calls: 60, hard: 80 }), {
  trips: {
    'on the sixtieth call of one response': reads(60),
    'on the sixtieth call of a prompt if the last ones brought nothing': times(60, (lap) =>
      look(lap, 5),
    ).slice(0, -1),
    'on the eightieth anyway': times(80, (lap) =>
      step('edit', { path: 'a.ts', new: `const a = ${lap}` }, 'ok'),
    ).slice(0, -1),
  },
  quiet: {
    'for fifty-nine calls of one response': reads(59),
    'for a few long responses': times(3, [turn(), ...reads(25)]),
    'for fifty-nine calls, whatever they brought': times(59, (lap) => look(lap, 5)),
    'for seventy-nine calls that bring something': times(79, (lap) =>
      step('edit', { path: 'a.ts', new: `const a = ${lap}` }, 'ok'),
    ),
    'on a new prompt': times(3, [prompt(), ...reads(59)]),
  },
})

it.each([
  '(',
  '^(([a-z]|[a-z-])+)+!$',
  'preview$',
  'a|b',
  'gemini.*preview',
  '.*',
  'gpt-[45]',
  '\\d',
])('says what to write instead of the regular expression %s', (models) => {
  expect(() => callFlood({ models })).toThrow(
    new RangeError(
      `call-flood.models must be names of models, not a regular expression: write "*preview*", with * for anything and commas between names, got ${JSON.stringify(models)}`,
    ),
  )
})

it.each([
  '*preview*',
  'gemini-2.*',
  'us.anthropic.claude-opus-4-1:0, openrouter/@x/*_exp',
  '',
  '*',
])('takes %j', (models) => expect(callFlood({ models }).options).toMatchObject({ models }))

describe('the preset deepv', () => {
  const isStrict = (model: string) => {
    const guard = createGuard({ preset: presets.deepv })
    return [prompt('look', { model }), ...reads(4)].some((event) => guard.observe(event))
  }

  it('is strict for the models whose name says preview, and no others', () => {
    const known = TABLE.trim()
      .split('\n')
      .map((line) => line.split(' ')[0] ?? '')
    expect(known.filter((model) => /preview/i.test(model)).length).toBeGreaterThan(10)
    expect(known.filter(isStrict)).toEqual(known.filter((model) => /preview/i.test(model)))
  })
})
