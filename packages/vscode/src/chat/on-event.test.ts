import type { ClientEvent, ClientEventType } from '@unloop/agent'
import type { Finding } from 'unloop'
import { expect, it } from 'vitest'
import { inEnglish } from '../translate.js'
import { createChat } from './chat.js'
import { onEvent } from './on-event.js'

const finding: Finding = {
  ...{ detector: 'failing', kind: 'errors', detail: 'it failed', advice: '', identity: 'x' },
  ...{ count: 4, period: 1, since: 0, at: 9, sample: '', strike: 1, action: 'stop' },
  wasted: { events: 4, characters: 0 },
}
const usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, judgeTokens: 0 }

/** One event of each type, and what the chat has after it. */
const shown: { [Type in ClientEventType]: [Extract<ClientEvent, { type: Type }>, string[]] } = {
  prompt: [{ type: 'prompt', id: 'p', text: '', model: '' }, []],
  'turn-start': [{ type: 'turn-start', turn: 1 }, []],
  text: [{ type: 'text', text: 'hello' }, ['answer']],
  reasoning: [{ type: 'reasoning', text: 'hm' }, ['thought']],
  'tool-call': [{ type: 'tool-call', id: 'c', name: 'read', args: { path: 'a' } }, ['call']],
  'tool-result': [{ type: 'tool-result', id: 'c', name: 'read', output: '', isError: false }, []],
  usage: [{ type: 'usage', model: '' }, []],
  'turn-end': [{ type: 'turn-end' }, []],
  retry: [{ type: 'retry', reason: 'overloaded', afterMs: 1 }, ['notice']],
  handoff: [{ type: 'handoff', to: 'coder', text: 'do it' }, ['notice']],
  compaction: [{ type: 'compaction', messages: 9, kept: 3 }, ['notice']],
  fault: [{ type: 'fault', part: 'chanting', message: 'it threw' }, ['notice']],
  loop_warning: [{ type: 'loop_warning', finding }, ['warning']],
  loop_detected: [{ type: 'loop_detected', finding }, ['loop']],
  'turn-limit': [{ type: 'turn-limit', turns: 9 }, ['notice']],
  error: [{ type: 'error', kind: 'network', message: 'gone', advice: '' }, ['error']],
  finished: [{ type: 'finished', reason: 'aborted', usage }, ['notice']],
}

it.each(Object.entries(shown))('handles %s', (_, [event, expected]) => {
  const chat = createChat(() => {})
  onEvent(event, {
    ...{ chat, t: inEnglish, number: 1, now: 1, agent: undefined },
    onWarning: () => {},
    onError: () => {},
    onFault: () => {},
    onLoop: (found) => chat.add({ type: 'loop', id: 'l', finding: found, at: 1 }),
  })
  expect(chat.items.map(({ type }) => type)).toEqual(expected)
})

it('joins deltas of one message, and marks a call as done, failed or refused', () => {
  const chat = createChat(() => {})
  const see = (event: ClientEvent) =>
    onEvent(event, {
      ...{ chat, t: inEnglish, number: 1, now: 1, agent: undefined },
      ...{ onWarning: () => {}, onError: () => {}, onFault: () => {}, onLoop: () => {} },
    })
  see({ type: 'text', text: 'one ' })
  see({ type: 'text', text: 'two' })
  for (const [id, output, isError] of [
    ['a', 'fine', false],
    ['b', 'no such file', true],
    ['c', 'Not run. You did this before.', true],
  ] as const) {
    see({ type: 'tool-call', id, name: 'read', args: { path: id, lines: [1, 2] } })
    see({ type: 'tool-result', id, name: 'read', output, isError })
  }
  expect(chat.items).toMatchObject([
    { text: 'one two' },
    { state: 'done', args: 'path: a\nlines: [1,2]' },
    { state: 'failed' },
    { state: 'refused' },
  ])
})
