import { expect, test } from 'vitest'
import type { Message } from '../message.js'
import { toPrompt } from './to-prompt.js'

const call = (id: string, args: unknown = {}): Message => ({
  role: 'assistant',
  content: [{ type: 'tool-call', id, name: 'read_file', args }],
})
const result = (id: string, output: string, isError = false): Message => ({
  role: 'tool',
  content: [
    {
      type: 'tool-result',
      id,
      name: 'read_file',
      output,
      isError,
      outcome: isError ? 'failed' : 'done',
    },
  ],
})
const user = (content: string): Message => ({ role: 'user', content })
const note: Message = { role: 'user', content: 'You repeat yourself.', from: 'guard' }

const toText = (text: string) => [{ type: 'text', text }]
const promptOf = (...messages: Message[]) => toPrompt({ system: '', messages })

test('system, words, calls and results, in their order', () => {
  const messages = [
    user('Read a'),
    call('1', { path: 'a' }),
    result('1', 'AAA'),
    result('2', 'no', true),
  ]
  expect(toPrompt({ system: 'Be brief.', messages })).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: toText('Read a') },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: '1', toolName: 'read_file', input: { path: 'a' } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: '1',
          toolName: 'read_file',
          output: { type: 'text', value: 'AAA' },
        },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: '2',
          toolName: 'read_file',
          output: { type: 'error-text', value: 'no' },
        },
      ],
    },
  ])
})

test('words of the person in a row become one message with one text', () => {
  expect(promptOf(user('a'), user('b'), note)).toEqual([
    { role: 'user', content: toText('a\n\nb\n\nYou repeat yourself.') },
  ])
})

test('a note after results follows them', () => {
  const prompt = promptOf(user('a'), call('1'), result('1', 'A'), note)
  expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
})

test('where no word may follow results, a note is part of the last one and a word of the person is not', () => {
  const messages = [user('a'), call('1'), result('1', 'A'), note, user('stop')]
  const prompt = toPrompt({ system: '', messages }, { notesInResults: true })
  expect(prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'user'])
  expect(prompt[2]?.content[0]).toMatchObject({
    output: { type: 'text', value: 'A\n\nYou repeat yourself.' },
  })
  expect(prompt[3]?.content).toEqual(toText('stop'))
})

test('the messages themselves are never changed', () => {
  const messages = [user('a'), user('b'), call('1'), result('1', 'A'), note]
  const before = structuredClone(messages)
  toPrompt({ system: '', messages }, { notesInResults: true })
  expect(messages).toEqual(before)
})

test('what is empty is left out, unless the provider wants something of it back', () => {
  const meta = { anthropic: { redactedData: 'x' } }
  const prompt = promptOf(
    user('a'),
    { role: 'assistant', content: [{ type: 'text', text: '' }] },
    user(' '),
    { role: 'assistant', content: [{ type: 'reasoning', text: '', meta }] },
  )
  expect(prompt).toEqual([
    { role: 'user', content: toText('a') },
    { role: 'assistant', content: [{ type: 'reasoning', text: '', providerOptions: meta }] },
  ])
})

test('a chat never begins with the model', () => {
  expect(promptOf(call('1'), result('1', 'A')).map(({ role }) => role)).toEqual([
    'user',
    'assistant',
    'tool',
  ])
})

test.each([['{"path": "a'], [[1, 2]], ['text'], [null]])(
  'arguments %j go back as an object',
  (args) => {
    expect(promptOf(user('a'), call('1', args))[1]?.content[0]).toMatchObject({ input: {} })
  },
)

test('what the provider wants back goes back', () => {
  const meta = { google: { thoughtSignature: 's' } }
  const prompt = promptOf(user('a'), {
    role: 'assistant',
    content: [
      { type: 'text', text: 'b', meta },
      { type: 'tool-call', id: '1', name: 'x', args: {}, meta },
    ],
  })
  expect(prompt[1]?.content).toMatchObject([{ providerOptions: meta }, { providerOptions: meta }])
})
