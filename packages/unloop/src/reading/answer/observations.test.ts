import { describe, expect, it } from 'vitest'
import { observationExamples } from '../../../test/observation-examples.js'
import { actionIn, isObservation, observations } from './observations.js'

describe('an observation', () => {
  it.each(observationExamples.map(([program, example], at) => [program, example, at] as const))(
    'is known by how it begins: %s',
    (_, example, at) => {
      expect(observations[at]?.test(example)).toBe(true)
      expect(isObservation(example)).toBe(true)
      expect(isObservation(`\n  ${example}`)).toBe(true)
      // a person who talks about it
      expect(isObservation(`Why does it say this? ${example}`)).toBe(false)
    },
  )

  it('has an example of each', () => {
    expect(observationExamples.length).toBe(observations.length)
  })

  it.each([
    'Observe how the parser recovers.',
    'Observations are stored in the table; add a column.',
    'See [read_file] Result: above',
    'The return code is <returncode>1</returncode>, why?',
    'Error: cannot find module. Please fix it.',
    'You did not use the helper that I asked for.',
    'I ran this command and it failed',
    'continue',
    'yes',
    '',
  ])('is none: %s', (text) => expect(isObservation(text)).toBe(false))
})

describe('the action in a message', () => {
  it.each([
    ['Thought: Hm\nAction: search\nAction Input: who?', 'search', { input: 'who?' }],
    ['THOUGHT: Hm\n\n```bash\ncat a.txt\n```\n', 'bash', { command: 'cat a.txt' }],
    ['Code:\n```py\nprint(1)\n```<end_code>', 'py', { code: 'print(1)' }],
    [
      '<thinking>Hm</thinking>\n<read_file>\n<path>a</path>\n</read_file>',
      'read_file',
      { input: '<path>a</path>' },
    ],
    ['Thought\n<code>\nprint(1)\n</code>', 'code', { input: 'print(1)' }],
    ['I go north. a < b', 'message', { text: 'I go north. a < b' }],
  ])('of %j', (text, name, args) => expect(actionIn(text)).toEqual({ name, args }))
})
