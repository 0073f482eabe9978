import { expect, it } from 'vitest'
import { testDetector } from '../../test/detector.js'
import { call, prompt, times } from '../../test/events.js'
import { callFlood } from './call-flood.js'

const preview = prompt('look', { model: 'gemini-3-pro-preview' })
const reads = (count: number) => times(count, (lap) => [call('read_file', { path: `${lap}.ts` })])
const runs = (count: number) => times(count, (lap) => [call('run', { command: `make ${lap}` })])

testDetector(callFlood({ models: 'preview' }), {
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

it('refuses a pattern that is none', () => {
  expect(() => callFlood({ models: '(' })).toThrow(
    new RangeError('call-flood.models must be a regular expression, got "("'),
  )
})
