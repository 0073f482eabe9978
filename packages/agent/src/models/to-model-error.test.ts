import { expect, test } from 'vitest'
import { ModelError } from '../model.js'
import { toModelError } from './to-model-error.js'

const context = { name: 'openai/m', secrets: ['s3cret-s3cret', 'k'] }

test.each([
  [400, 'refused'],
  [401, 'refused'],
  [404, 'refused'],
  [408, 'overloaded'],
  [429, 'rate-limit'],
  [500, 'overloaded'],
  [529, 'overloaded'],
])('status %i is %s', (statusCode, kind) => {
  const error = Object.assign(new Error('because'), { statusCode })
  const told = toModelError(error, context)
  expect(told).toMatchObject({ kind, message: expect.stringContaining('because') })
  expect(told.advice).not.toBe('')
})

test.each([
  [{ type: 'overloaded_error', message: 'Overloaded' }, 'overloaded'],
  [{ type: 'rate_limit_error', message: 'slow' }, 'rate-limit'],
  [{ type: 'server_error', code: 'rate_limit_exceeded', message: 'slow' }, 'rate-limit'],
  [{ type: 'invalid_request_error', message: 'no' }, 'refused'],
  [{ type: 'never_heard_of', message: 'no' }, 'overloaded'],
  ['just words', 'overloaded'],
])('an error inside a stream, %j, is %s', (error, kind) => {
  expect(toModelError(error, context).kind).toBe(kind)
})

test('no credit is nothing that waiting helps', () => {
  const error = { statusCode: 429, responseBody: '{"code":"insufficient_quota"}', message: 'quota' }
  expect(toModelError(error, context)).toMatchObject({ kind: 'refused', isTemporary: false })
})

test('what the chat is about does not matter', () => {
  const requestBodyValues = { messages: ['what does insufficient_quota mean?'] }
  const error = { statusCode: 429, message: 'slow', requestBodyValues }
  expect(toModelError(error, context).kind).toBe('rate-limit')
})

test.each([
  'prompt is too long: 210000 tokens',
  'Your input exceeds the context window of this model',
  'the request exceeds the available context size',
])('a chat that is too long is told apart: %s', (message) => {
  expect(toModelError({ statusCode: 400, message }, context)).toMatchObject({
    kind: 'too-long',
    isTemporary: false,
    advice: 'Start a new chat, or use a model with a longer context.',
  })
})

test('a lost connection tells the deepest cause', () => {
  const cause = Object.assign(new Error(''), { code: 'ECONNREFUSED' })
  const told = toModelError(new TypeError('fetch failed', { cause }), {
    ...context,
    networkAdvice: 'Start it.',
  })
  expect(told).toMatchObject({ kind: 'network', advice: 'Start it.' })
  expect(told.message).toBe('no connection to openai/m: ECONNREFUSED')
})

test('a key is never shown, whole or in part, nor kept', () => {
  const message = 'Incorrect API key provided: sk-abc12********wxyz, s3cret-s3cret'
  const told = toModelError(Object.assign(new Error(message), { statusCode: 401 }), context)
  expect(told.message).toBe(
    'openai/m does not accept the key (401): Incorrect API key provided: [key], [key]',
  )
  expect(told.cause).toBeUndefined()
})

test('a wrong key is told apart from a bad request', () => {
  const error = { statusCode: 400, message: 'API key not valid. Please pass a valid API key.' }
  const told = toModelError(error, { ...context, keyAdvice: 'Check GEMINI_API_KEY.' })
  expect(told).toMatchObject({ kind: 'refused', advice: 'Check GEMINI_API_KEY.' })
})

test('words that only look like keys are shown', () => {
  const told = toModelError({ statusCode: 400, message: 'skipped key-value-pairs' }, context)
  expect(told.message).toContain('skipped key-value-pairs')
})

test('words are not shown at length', () => {
  const told = toModelError({ statusCode: 400, message: 'x y '.repeat(1000) }, context)
  expect(told.message.length).toBeLessThan(400)
})

test('an error of ours passes as it is', () => {
  const error = new ModelError('silence', 'nothing came')
  expect(toModelError(error, context)).toBe(error)
})

test('an error of nothing has words too', () => {
  expect(toModelError(undefined, context).message).toContain('no reason given')
})
