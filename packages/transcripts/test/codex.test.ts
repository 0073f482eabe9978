import { describe, expect, it } from 'vitest'
import { fixture, lines, readAll, readText } from './read.js'

describe('a rollout of Codex', () => {
  it('tells requests, calls and answers once, though notes tell them again', async () => {
    const { events, summary } = await readAll(fixture('codex.jsonl'))
    expect(summary).toMatchObject({ format: 'codex', records: 26, used: 12, skipped: 14, bad: 0 })
    expect(events.map(({ type }) => type)).toEqual([
      'prompt',
      'turn-start',
      'reasoning',
      'tool-call',
      'usage',
      'tool-result',
      'turn-start',
      'tool-call',
      'tool-result',
      'turn-start',
      'tool-call',
      'usage',
      'turn-start',
      'text',
      'compaction',
      'prompt',
    ])
  })

  it('reads arguments out of their text and failures out of the output', async () => {
    const { events } = await readAll(fixture('codex.jsonl'))
    expect(events[3]).toEqual({
      type: 'tool-call',
      id: 'call_1',
      name: 'shell',
      args: { command: ['npm', 'test'] },
    })
    expect(events[5]).toEqual({
      type: 'tool-result',
      id: 'call_1',
      output: '1 failed\n',
      isError: true,
    })
    expect(events[8]).toMatchObject({ id: 'call_2', isError: false })
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
      outcome: { kind: 'aborted', status: 'interrupted' },
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

  it('of a fork names the nearest ancestor whose history it carries', async () => {
    const meta = (id: string) => ({ type: 'session_meta', payload: { id, source: 'cli' } })
    const prompt = { type: 'message', role: 'user', content: 'Count.' }
    const { items } = await readText(
      lines(meta('s'), meta('parent'), meta('grandparent'), {
        type: 'response_item',
        payload: prompt,
      }),
    )
    expect(items[0]?.run).toMatchObject({ session: 's', parent: 'parent' })
  })

  it('has one turn for each answer of the model, whatever it called at once', async () => {
    const item = (payload: object) => ({ type: 'response_item', payload })
    const call = (call_id: string) =>
      item({ type: 'function_call', name: 'ls', arguments: '{}', call_id })
    const result = (call_id: string) =>
      item({ type: 'function_call_output', call_id, output: 'a.ts' })
    const thought = item({ type: 'reasoning', summary: [], encrypted_content: 'gAAA' })
    const said = item({ type: 'message', role: 'assistant', content: 'It is there.' })
    const total = (input_tokens: number) => ({
      type: 'event_msg',
      payload: {
        type: 'token_count',
        info: { total_token_usage: { input_tokens, output_tokens: 1 } },
      },
    })
    const { events } = await readText(
      lines(
        ...[thought, call('a'), call('b'), total(10), result('a'), result('b')],
        // an answer without a call, counted twice, and another one behind it
        ...[said, total(20), total(20), thought, said, total(30)],
      ),
    )
    expect(events.map(({ type }) => type).filter((type) => type !== 'usage')).toEqual([
      ...['turn-start', 'tool-call', 'tool-call', 'tool-result', 'tool-result'],
      ...['turn-start', 'text', 'turn-start', 'text'],
    ])
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
      'turn-start',
      'tool-call',
      'prompt',
      'prompt',
      'turn-start',
      'tool-call',
    ])
  })

  it('is read in the form it had before September 2025', async () => {
    const { events, summary } = await readAll(fixture('codex-old.jsonl'))
    expect(summary).toMatchObject({ format: 'codex', bad: 0 })
    expect(events).toEqual([
      { type: 'prompt', text: 'List the files.' },
      { type: 'turn-start' },
      { type: 'tool-call', id: 'call_1', name: 'shell', args: { type: 'exec', command: ['ls'] } },
      { type: 'tool-result', id: 'call_1', output: 'a.ts\n', isError: false },
      { type: 'turn-start' },
      { type: 'text', text: 'One file.' },
    ])
  })
})
