import type { ClientEvent } from '@unloop/agent'
import type { Finding } from 'unloop'
import { describe, expect, it } from 'vitest'
import { reduce } from './reduce.js'
import { type Action, type ChatState, startState } from './state.js'

const finding: Finding = {
  detector: 'repeated-call',
  kind: 'same-answer',
  certainty: 'certain',
  detail: 'read was called 4 times',
  advice: 'Do something else.',
  identity: 'repeated-call:read',
  count: 4,
  period: 1,
  firstEvent: 3,
  lastEvent: 9,
  sample: 'read({})',
  strike: 1,
  action: 'ask',
  wasted: { events: 7, characters: 0 },
  tool: 'read',
}

const start = startState()

function after(...actions: (Action | ClientEvent)[]): ChatState {
  return actions.reduce<ChatState>((state, action, number) => {
    const isAction = ['said', 'run', 'status', 'edit', 'dialog', 'leaving'].includes(action.type)
    if (isAction) return reduce(state, action as Action)
    return reduce(state, {
      type: 'client',
      event: action as ClientEvent,
      number,
      at: number * 1000,
    })
  }, start)
}

const text = (text: string): ClientEvent => ({ type: 'text', text })
const call = (id: string): ClientEvent => ({ type: 'tool-call', id, name: 'read', args: { n: id } })
const result = (id: string, output: string): ClientEvent => ({
  type: 'tool-result',
  id,
  name: 'read',
  output,
  isError: false,
  outcome: 'done',
})

describe('reduce', () => {
  it('moves complete blocks to the transcript and keeps the last one live', () => {
    const first = `${'one '.repeat(200)}\n\n`
    const state = after(text(`${first}tw`), text('o\nthr'), text('ee'))
    expect(state.items).toEqual([{ type: 'answer', text: first }])
    expect(state.live.text).toBe('two\nthree')
    expect(reduce(state, { type: 'run', isRunning: false }).items.at(-1)).toMatchObject({
      text: 'two\nthree',
    })
  })

  it('shows calls as they run, and with their results when they have them', () => {
    const running = after(text('Let me look.'), call('a'), call('b'), result('b', 'B'))
    expect(running.items).toEqual([
      { type: 'answer', text: 'Let me look.' },
      {
        type: 'call',
        name: 'read',
        args: '{"n":"b"}',
        output: 'B',
        isError: false,
        outcome: 'done',
      },
    ])
    expect(running.live.calls.map(({ id }) => id)).toEqual(['a'])
  })

  it('says that a call may have had effects if the run broke off while it ran', () => {
    const state = after(call('a'), { type: 'turn-end' }, { type: 'run', isRunning: false })
    expect(state.items).toMatchObject([{ type: 'call', outcome: 'stopped' }])
  })

  it('tells of calls that were never run', () => {
    const usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, judgeTokens: 0 }
    const state = after(call('a'), { type: 'finished', reason: 'aborted', usage })
    expect(state.items).toEqual([
      { type: 'call', name: 'read', args: '{"n":"a"}', outcome: 'skipped' },
      { type: 'notice', text: 'stopped' },
    ])
    expect(state.live.calls).toEqual([])
  })

  it('folds a thought into one item', () => {
    const thought = (text: string): ClientEvent => ({ type: 'reasoning', text })
    expect(after(thought('hm '), thought('hm'), text('So.')).items).toEqual([
      { type: 'thought', text: 'hm hm' },
    ])
  })

  it('opens the dialog on a loop, with when it began', () => {
    const state = after(
      { type: 'prompt', id: '1', text: 'go', model: 'm' },
      { type: 'turn-start', turn: 1 },
      text('x'),
      { type: 'turn-start', turn: 2 },
      text('half a sente'),
      { type: 'loop_detected', finding },
    )
    expect(state.dialog).toEqual({
      type: 'loop',
      finding,
      since: { turn: 2, agoMs: 2000 },
      calls: [],
      selected: 0,
    })
    expect(state.items.at(-1)).toEqual({ type: 'loop', finding })
    expect(state.live.text).toBe('')
  })

  it('does not know when a loop began that is older than this chat', () => {
    expect(after({ type: 'loop_detected', finding }).dialog).not.toHaveProperty('since')
  })

  it('keeps what would move the cursor out of the transcript', () => {
    const state = after(text('a\x1b[2Jb\x07\r\nc\td\n'), result('z', '\x1b]0;title\x07ok'))
    expect(state.items).toMatchObject([{ text: 'a[2Jb\nc  d\n' }, { output: ']0;titleok' }])
  })

  it('keeps it out of the names of calls, while they run and afterwards', () => {
    const name = 'no\x1b[41m_such\x9b41m'
    const running = after({ type: 'tool-call', id: 'a', name, args: {} })
    expect(running.live.calls).toMatchObject([{ name: 'no[41m_such41m' }])
    const done = after({ ...result('a', 'x'), name } as ClientEvent)
    expect(done.items).toMatchObject([{ name: 'no[41m_such41m' }])
  })

  const usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, judgeTokens: 0 }
  const done: ClientEvent = { type: 'finished', reason: 'done', usage }
  const turn: ClientEvent = { type: 'turn-start', turn: 1 }
  const retry: ClientEvent = { type: 'retry', reason: 'it broke off', afterMs: 0 }

  it.each<[string, ClientEvent[]]>([
    ['nothing', [turn, { type: 'turn-end' }]],
    ['blank text', [turn, text(' \n'), { type: 'turn-end' }]],
    ['nothing after a call', [turn, call('a'), result('a', 'A'), turn]],
    ['nothing after a broken answer', [turn, text('half'), retry]],
  ])('says that an answer is empty: %s', (_, events) => {
    expect(after(...events, done).items.at(-1)).toEqual({
      type: 'notice',
      text: 'the model sent an empty answer; /retry asks again',
    })
  })

  it('says nothing of the kind where there is an answer, or nobody was asked', () => {
    expect(after(turn, text('Hi.'), done).items).toEqual([{ type: 'answer', text: 'Hi.' }])
    expect(after(done).items).toEqual([])
  })

  it('marks what was said before the model was asked again', () => {
    expect(after(turn, text('first half'), retry, text('All of it.'), done).items).toEqual([
      { type: 'answer', text: 'first half', isBroken: true },
      {
        type: 'notice',
        text: 'the answer broke off and does not count; asking the model again: it broke off',
      },
      { type: 'answer', text: 'All of it.' },
    ])
    expect(after(turn, retry).items).toEqual([
      { type: 'notice', text: 'asking the model again: it broke off' },
    ])
  })

  it('shows what the guard told the model', () => {
    expect(after({ type: 'loop_warning', finding }).items).toEqual([{ type: 'warning', finding }])
  })

  it('keeps what failed in the guard for the status line', () => {
    const state = after({ type: 'fault', part: 'chanting', message: 'it\x1b broke' })
    expect(state.fault).toBe('chanting failed: it broke')
    expect(state.items).toEqual([])
  })
})
