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
  '<MASKED>',
  '[Tool output masked]',
  '[screenshot removed]',
  '[Image omitted]',
  '[previous result no longer available]',
  'Result cleared (context management).',
  '[Truncated: 1200 tokens]',
  '[dropped]',
  '[archived]',
  '[evicted]',
  '[expired]',
  '[snip]',
  '<context-trimmed>',
  '<persisted-output>',
  '[tool output was archived]',
  'Tool output offloaded',
  '[Content from earlier turn dropped]',
  '[redacted to save tokens]',
  'Output omitted, 5132 characters',
  'Old environment output: (25 lines omitted)',
  '[[NOTE] This file read has been removed to save space in the context window. Refer to the latest file read.]',
  '…',
  '***',
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
  'dropped table users',
  '[3 images]',
  'image removed from registry',
  'expired',
  'Session expired',
  '{}',
  '[]',
  '- ok',
  '',
])('%s is an answer', (text) => {
  expect(outputsOf(text, text)).toEqual([text, text])
})

it('leaves one alone', () => {
  expect(outputsOf('[Old tool result cleared]')).toEqual(['[Old tool result cleared]'])
})
