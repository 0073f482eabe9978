import { expect, it } from 'vitest'
import type { AgentEvent } from '../event.js'
import { withoutPlaceholders } from './cleared.js'

const outputsOf = (...outputs: unknown[]) =>
  withoutPlaceholders(
    outputs.map((output, at): AgentEvent => ({ type: 'tool-result', id: `${at}`, output })),
  ).map((event) => (event as { output: unknown }).output)

it.each([
  '[Old tool result content cleared]',
  '[Old tool result cleared]',
  '[cleared]',
  '<output omitted>',
  'Tool output truncated to save space',
  'Previous result removed',
  'Tool output omitted',
  '(content truncated to save space)',
  '[... truncated ...]',
  '[tool_result omitted]',
  '[Tool result cleared: call the tool again if you need it]',
  'Previous tool results were removed from the conversation history.',
  '*Output hidden*',
])('%s says nothing about the answer', (text) => {
  const outputs = outputsOf(text, 'real', text, [{ type: 'text', text }])
  expect(new Set(outputs).size).toBe(4)
  expect(outputs[1]).toBe('real')
})

it.each([
  'No such file',
  'ok',
  'The file was removed',
  'true',
  "removed 'a.txt'",
  "[removed 'a.txt']",
  'removed a.txt',
  'removed',
  'truncated table users',
  'hidden: 3 files',
  'cleared 0 entries',
  'omitted 3 lines',
  'Message removed.',
  'Old index removed',
  'Tool removed from registry',
  'Output truncated: /tmp/log',
])('%s is an answer', (text) => {
  expect(outputsOf(text, text)).toEqual([text, text])
})

it('leaves one alone', () => {
  expect(outputsOf('[Old tool result cleared]')).toEqual(['[Old tool result cleared]'])
})
