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
})

describe('reduce', () => {
  it('moves complete lines to the transcript and keeps the last one live', () => {
    const state = after(text('one\ntw'), text('o\nthr'), text('ee'))
    expect(state.items).toEqual([
      { type: 'answer', text: 'one', isFirst: true },
      { type: 'answer', text: 'two', isFirst: false },
    ])
    expect(state.live.text).toBe('three')
    expect(reduce(state, { type: 'run', isRunning: false }).items.at(-1)).toMatchObject({
      text: 'three',
      isFirst: false,
    })
  })

  it('shows calls as they run, and with their results when they have them', () => {
    const running = after(text('Let me look.'), call('a'), call('b'), result('b', 'B'))
    expect(running.items).toEqual([
      { type: 'answer', text: 'Let me look.', isFirst: true },
      { type: 'call', name: 'read', args: '{"n":"b"}', output: 'B', isError: false },
    ])
    expect(running.live.calls.map(({ id }) => id)).toEqual(['a'])
  })

  it('tells of calls that were never run', () => {
    const usage = { inputTokens: 0, cachedTokens: 0, outputTokens: 0, judgeTokens: 0 }
    const state = after(call('a'), { type: 'finished', reason: 'aborted', usage })
    expect(state.items).toEqual([
      { type: 'call', name: 'read', args: '{"n":"a"}' },
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
    expect(state.items).toMatchObject([{ text: 'a[2Jb\nc  d' }, { output: ']0;titleok' }])
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
