import { describe, expect, it } from 'vitest'
import { fixture, lines, readAll, readText } from './read.js'

describe('a rollout of Codex', () => {
  it('tells requests, calls and answers once, though notes tell them again', async () => {
    const { events, summary } = await readAll(fixture('codex.jsonl'))
    expect(summary).toMatchObject({ format: 'codex', records: 26, used: 12, skipped: 14, bad: 0 })
    expect(events.map(({ type }) => type)).toEqual([
      'prompt',
      'reasoning',
      'tool-call',
      'usage',
      'tool-result',
      'tool-call',
      'tool-result',
      'tool-call',
      'usage',
      'text',
      'compaction',
      'prompt',
    ])
  })

  it('reads arguments out of their text and failures out of the output', async () => {
    const { events } = await readAll(fixture('codex.jsonl'))
    expect(events[2]).toEqual({
      type: 'tool-call',
      id: 'call_1',
      name: 'shell',
      args: { command: ['npm', 'test'] },
    })
    expect(events[4]).toEqual({
      type: 'tool-result',
      id: 'call_1',
      output: '1 failed\n',
      isError: true,
    })
    expect(events[6]).toMatchObject({ id: 'call_2', isError: false })
  })

  it('counts tokens once, though the same count is told again', async () => {
    const { events } = await readAll(fixture('codex.jsonl'))
    expect(events.filter(({ type }) => type === 'usage')).toEqual([
      {
        type: 'usage',
        model: 'gpt-6-codex',
        inputTokens: 1000,
        cachedTokens: 500,
        outputTokens: 125,
      },
      {
        type: 'usage',
        model: 'gpt-6-codex',
        inputTokens: 1400,
        cachedTokens: 700,
        outputTokens: 40,
      },
    ])
  })

  it('tells whose run it is', async () => {
    const { items } = await readAll(fixture('codex.jsonl'))
    expect(items[0]?.run).toEqual({
      format: 'codex',
      program: 'codex',
      session: '019a2d7a-41c4-78b1-b7cc-a45d62a89cd5',
      project: '/home/ada/shop',
      model: 'gpt-6-codex',
      startedAt: Date.parse('2026-11-03T10:00:00.000Z'),
    })
  })

  it('names a sub-agent and its parent', async () => {
    const spawn = { parent_thread_id: 'p', depth: 1, agent_nickname: 'Euler' }
    const { items } = await readText(
      lines(
        {
          type: 'session_meta',
          payload: { id: 's', source: { subagent: { thread_spawn: spawn } } },
        },
        { type: 'session_meta', payload: { id: 'p', source: 'cli' } },
        { type: 'response_item', payload: { type: 'message', role: 'user', content: 'Count.' } },
      ),
    )
    expect(items[0]).toMatchObject({
      event: { type: 'prompt', agent: 'Euler' },
      run: { session: 's', agent: 'Euler', parent: 'p' },
    })
  })

  it('begins anew where the thread was rolled back and no request follows', async () => {
    const call = { type: 'function_call', name: 'ls', arguments: '{}', call_id: '1' }
    const { events } = await readText(
      lines(
        { type: 'response_item', payload: { type: 'message', role: 'user', content: 'List.' } },
        { type: 'response_item', payload: call },
        { type: 'event_msg', payload: { type: 'thread_rolled_back', num_turns: 1 } },
        { type: 'response_item', payload: call },
      ),
    )
    expect(events.map(({ type }) => type)).toEqual(['prompt', 'tool-call', 'prompt', 'tool-call'])
  })

  it('is read in the form it had before September 2025', async () => {
    const { events, summary } = await readAll(fixture('codex-old.jsonl'))
    expect(summary).toMatchObject({ format: 'codex', bad: 0 })
    expect(events).toEqual([
      { type: 'prompt', text: 'List the files.' },
      { type: 'tool-call', id: 'call_1', name: 'shell', args: { type: 'exec', command: ['ls'] } },
      { type: 'tool-result', id: 'call_1', output: 'a.ts\n', isError: false },
      { type: 'text', text: 'One file.' },
    ])
  })
})
