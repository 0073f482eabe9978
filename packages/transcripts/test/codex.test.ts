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

  it('counts tokens once where only the sum or only the last answer is told', async () => {
    const item = (call_id: string) => ({
      type: 'response_item',
      payload: { type: 'function_call', name: 'ls', arguments: '{}', call_id },
    })
    const note = (info: object) => ({ type: 'event_msg', payload: { type: 'token_count', info } })
    const usage = (times: number) => ({
      input_tokens: 1000 * times,
      cached_input_tokens: 250 * times,
      output_tokens: 100 * times,
    })
    const each = { type: 'usage', inputTokens: 1000, cachedTokens: 250, outputTokens: 100 }
    const usageOf = async (...records: object[]) =>
      (await readText(lines(...records))).events.filter(({ type }) => type === 'usage')
    const sum = (times: number) => note({ total_token_usage: usage(times) })
    expect(await usageOf(item('a'), sum(1), item('b'), sum(2), sum(2), item('c'), sum(3))).toEqual([
      each,
      each,
      each,
    ])
    // a resumed session may start counting again
    expect(await usageOf(item('a'), sum(3), item('b'), sum(1))).toMatchObject([
      { inputTokens: 3000 },
      each,
    ])
    const last = note({ last_token_usage: usage(1) })
    expect(await usageOf(item('a'), last, last, item('b'), last)).toEqual([each, each])
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
    expect(events.map(({ type }) => type)).toEqual([
      'prompt',
      'tool-call',
      'prompt',
      'prompt',
      'tool-call',
    ])
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
