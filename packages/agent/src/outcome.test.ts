import { expect, it } from 'vitest'
import { withOutcome } from './outcome.js'

it.each([
  ['fine', false, 'done'],
  ['exit code 1', true, 'failed'],
  ['This call was not run.', true, 'skipped'],
  ['This call was started and interrupted; what it did is not known.', true, 'stopped'],
  ['Whether this call was run is not known: it was interrupted.', true, 'stopped'],
  ['Not run: the person said no to this call.', true, 'declined'],
  ['Not run: this needs permission, and nobody is there to ask.', true, 'declined'],
  ['Not run. You already made this exact call.', true, 'refused'],
  // a tool may say what it likes
  ['This call was not run.', false, 'done'],
])('a result without an outcome: %s', (output, isError, outcome) => {
  const result = { type: 'tool-result' as const, id: '1', name: 'look', output, isError }
  expect(withOutcome(result)).toEqual({ ...result, outcome })
})

it('a result whose answer was withheld', () => {
  const output = 'This call was run; its answer is left out. You already have it.'
  const result = { type: 'tool-result' as const, id: '1', name: 'look', output, isError: true }
  expect(withOutcome(result)).toEqual({ ...result, outcome: 'done', isWithheld: true })
})

it('an outcome that was saved is kept', () => {
  const result = {
    ...{ type: 'tool-result' as const, id: '1', name: 'look', output: 'Not run. No.' },
    ...{ isError: true, outcome: 'failed' as const },
  }
  expect(withOutcome(result)).toEqual(result)
})
