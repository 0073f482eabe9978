import type { CallOutcome, ClientEvent, ClientEventType } from '@unloop/agent'
import type { Finding } from 'unloop'
import { inEnglish } from 'unloop/words'
import { describe, expect, it } from 'vitest'
import { type Chat, createChat } from './chat.js'
import { loopWordsOf } from './loop-words.js'
import { type Handling, onEvent } from './on-event.js'

const finding: Finding = {
  ...{
    detector: 'failing',
    kind: 'errors',
    certainty: 'certain',
    detail: 'it failed',
    advice: '',
    identity: 'x',
  },
  ...{ count: 4, period: 1, firstEvent: 0, lastEvent: 9, sample: '', strike: 1, action: 'stop' },
  wasted: { events: 4, characters: 0 },
}
const usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, judgeTokens: 0 }

function resultOf(id: string, outcome: CallOutcome, isWithheld = false) {
  const common = { type: 'tool-result', id, name: 'read', output: outcome, outcome } as const
  return {
    ...common,
    isError: outcome !== 'done',
    ...(isWithheld && { isWithheld: true as const }),
  }
}

/** One event of each type, and what the chat has after it. */
const shown: { [Type in ClientEventType]: [Extract<ClientEvent, { type: Type }>, string[]] } = {
  prompt: [{ type: 'prompt', id: 'p', text: '', model: '' }, []],
  'turn-start': [{ type: 'turn-start', turn: 1 }, []],
  text: [{ type: 'text', text: 'hello' }, ['answer']],
  reasoning: [{ type: 'reasoning', text: 'hm' }, ['thought']],
  'tool-call': [{ type: 'tool-call', id: 'c', name: 'read', args: { path: 'a' } }, ['call']],
  'tool-result': [resultOf('c', 'done'), []],
  usage: [{ type: 'usage', model: '' }, []],
  'turn-end': [{ type: 'turn-end' }, []],
  retry: [{ type: 'retry', reason: 'overloaded', afterMs: 1 }, ['notice']],
  handoff: [{ type: 'handoff', to: 'coder', text: 'do it' }, ['notice']],
  compaction: [{ type: 'compaction', messages: 9, kept: 3 }, ['notice']],
  fault: [{ type: 'fault', part: 'chanting', message: 'it threw' }, ['notice']],
  loop_warning: [{ type: 'loop_warning', finding }, ['warning']],
  loop_detected: [{ type: 'loop_detected', finding }, ['loop']],
  'turn-limit': [{ type: 'turn-limit', turns: 9, limit: 9 }, ['notice']],
  error: [{ type: 'error', kind: 'network', message: 'gone', advice: '' }, ['error']],
  finished: [{ type: 'finished', reason: 'aborted', usage }, ['notice']],
}

it.each(Object.entries(shown))('handles %s', (_, [event, expected]) => {
  const chat = createChat(() => {})
  onEvent(event, {
    ...handling(chat),
    onLoop: (found) => chat.add({ type: 'loop', id: 'l', finding: found, at: 1 }),
  })
  expect(chat.items.map(({ type }) => type)).toEqual(expected)
})

describe('a warning that blocks', () => {
  const blocking = (at: number): Finding => ({
    ...finding,
    action: 'block',
    lastEvent: at,
    advice: 'Stop.',
  })
  const call = (id: string): ClientEvent => ({ type: 'tool-call', id, name: 'read', args: {} })

  it.each<[string, [number, ClientEvent][], string[], string]>([
    [
      'at the call that is not run',
      [
        [5, { type: 'loop_warning', finding: blocking(5) }],
        [5, call('a')],
        [6, resultOf('a', 'refused')],
      ],
      ['refused'],
      'the call was refused',
    ],
    [
      'at one of two calls',
      [
        [5, call('a')],
        [6, { type: 'loop_warning', finding: blocking(6) }],
        [6, call('b')],
        [7, resultOf('a', 'done')],
        [8, resultOf('b', 'refused')],
      ],
      ['done', 'refused'],
      'the call was refused',
    ],
    [
      'at the answer',
      [
        [5, call('a')],
        [6, { type: 'loop_warning', finding: blocking(6) }],
        [6, resultOf('a', 'done', true)],
      ],
      ['withheld'],
      'the call had run; its answer was withheld',
    ],
    [
      'at a call that runs all the same, as one of a sub-agent does',
      [
        [5, { type: 'loop_warning', finding: blocking(5) }],
        [5, call('a')],
        [6, resultOf('a', 'done')],
      ],
      ['done'],
      'the model was told',
    ],
    [
      'at a call nothing is known of yet',
      [
        [5, { type: 'loop_warning', finding: blocking(5) }],
        [5, call('a')],
      ],
      ['running'],
      'the model was told',
    ],
  ])('%s', (_, events, states, words) => {
    const chat = createChat(() => {})
    for (const [number, event] of events) onEvent(event, { ...handling(chat), number })
    const calls = chat.items.flatMap((item) => (item.type === 'call' ? [item.state] : []))
    expect(calls).toEqual(states)
    const warning = chat.items.find((item) => item.type === 'warning')
    const facts = warning && loopWordsOf(warning, chat.items, inEnglish).loop?.facts
    expect(facts?.at(-1)?.value).toBe(words)
  })
})

const handling = (chat: Chat): Handling => ({
  ...{ chat, t: inEnglish, number: 1, now: 1, agent: undefined },
  ...{
    dollars: () => ({}),
    onWarning: () => {},
    onError: () => {},
    onFault: () => {},
    onLoop: () => {},
  },
})

it('says that the chat cannot be saved, which is no fault of the guard', () => {
  const chat = createChat(() => {})
  const faults: string[] = []
  onEvent(
    { type: 'fault', part: 'saving the conversation', message: 'disk full' },
    { ...handling(chat), onFault: (text) => faults.push(text) },
  )
  expect(chat.items).toMatchObject([{ type: 'notice', text: 'Cannot save the chat: disk full' }])
  expect(faults).toEqual([])
})

it('joins deltas of one message, and says of each call what became of it', () => {
  const chat = createChat(() => {})
  const see = (event: ClientEvent) => onEvent(event, handling(chat))
  see({ type: 'text', text: 'one ' })
  see({ type: 'text', text: 'two' })
  const outcomes = ['done', 'failed', 'stopped', 'refused', 'declined', 'skipped'] as const
  for (const outcome of outcomes) {
    see({ type: 'tool-call', id: outcome, name: 'read', args: { path: 'a', lines: [1, 2] } })
    see(resultOf(outcome, outcome))
  }
  expect(chat.items).toMatchObject([
    { text: 'one two' },
    { state: 'done', args: 'path: a\nlines: [1,2]' },
    ...outcomes.slice(1).map((state) => ({ state })),
  ])
})
