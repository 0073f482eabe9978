import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fixture, lines, readAll, readText, told } from './read.js'
import { nothing, type Tally, tallyOf } from './tally.js'

const event = (type: string, data: object) => ({
  ...{ type, data, id: 'e', timestamp: '2026-11-06T08:00:00.000Z', parentId: null },
})

describe('a session of Copilot CLI', () => {
  it('tells messages, calls and results, also those of sub-agents', async () => {
    const { items, events, summary } = await readAll(fixture('copilot-cli.jsonl'))
    expect(summary).toMatchObject({ format: 'copilot-cli', records: 46, bad: 0, runs: 1 })
    expect(items[0]?.run).toEqual({
      format: 'copilot-cli',
      program: 'copilot-cli',
      session: '4de47255-3d43-4938-b8fa-b6e49f1d0aca',
      project: '/home/ada/shop',
      model: 'gpt-5',
      startedAt: Date.UTC(2026, 10, 11, 10),
      outcome: { kind: 'aborted', status: 'user initiated' },
    })
    expect(told(events).slice(0, 12)).toEqual([
      'prompt Why does the checkout test fail?',
      'turn-start',
      'usage 9000 0 90',
      'reasoning The test may read a fixture.',
      'text I will look.',
      'call call_1 view {"path":"/home/ada/shop/checkout.test.ts"}',
      'call call_2 bash {"command":"npm test","description":"Run the tests"}',
      'result call_1 "test(\'checkout\', () => {})"',
      'result call_2 failed "1 failed\\n<exited with exit code 1>"',
      'turn-end',
      'turn-start',
      'usage 9200 8800 40',
    ])
    expect(told(events)).toContain('agent-1: call call_5 grep {"pattern":"total"}')
    expect(events.map(({ type }) => type)).toContain('compaction')
  })

  it('adds up to what a script counts', async () => {
    const { items } = await readAll(fixture('copilot-cli.jsonl'))
    expect(tallyOf(items)).toEqual(counted(readFileSync(fixture('copilot-cli.jsonl'), 'utf8')))
  })

  it('has its tokens at the end where answers have none', async () => {
    const usage = { inputTokens: 900, outputTokens: 30, cacheReadTokens: 400 }
    const total = { inputTokens: 1500, outputTokens: 50, cacheReadTokens: 700 }
    const metrics = (of: object) => ({ 'gpt-5': { requests: { count: 1 }, usage: of } })
    const { events } = await readText(
      lines(
        event('session.start', { sessionId: 's', selectedModel: 'gpt-5' }),
        event('assistant.message', { content: 'Hm.', outputTokens: 30 }),
        event('session.shutdown', { shutdownType: 'routine', modelMetrics: metrics(usage) }),
        // after it was resumed: the sums of all
        event('session.shutdown', { shutdownType: 'routine', modelMetrics: metrics(total) }),
      ),
    )
    expect(told(events)).toEqual([
      'text Hm.',
      'usage 0 0 30',
      'usage 900 400 0',
      'usage 600 300 20',
    ])
    // the price of a long context is not that of many short ones
    expect(events.at(-1)).toMatchObject({ model: 'gpt-5', contextTokens: 0 })
  })

  it.each([
    [event('session.shutdown', { shutdownType: 'routine' }), 'finished', 'routine'],
    [event('session.shutdown', { shutdownType: 'error' }), 'failed', 'error'],
    [event('session.error', { errorType: 'quota', message: 'no' }), 'failed', 'quota'],
    [event('session.task_complete', { success: true }), 'finished', 'task_complete'],
  ])('ends as %j says', async (last, kind, status) => {
    const { items } = await readText(lines(event('user.message', { content: 'Why?' }), last))
    expect(items[0]?.run.outcome).toEqual({ kind, status })
  })

  it('was one document at first', async () => {
    const call = { id: '1', type: 'function', function: { name: 'bash', arguments: '{"a":1}' } }
    const { items, events, summary } = await readText(
      JSON.stringify({
        sessionId: 's',
        startTime: '2025-10-08T21:10:16.398Z',
        chatMessages: [
          { role: 'user', content: 'Why?' },
          { role: 'assistant', content: null, tool_calls: [call] },
          { role: 'tool', tool_call_id: '1', content: 'a.ts' },
        ],
        timeline: [{ id: 't', type: 'user', text: 'Why?' }],
      }),
      {},
      'session_s.json',
    )
    expect(summary).toMatchObject({ format: 'copilot-cli', bad: 0 })
    expect(items[0]?.run).toMatchObject({ session: 's', startedAt: 1759957816398 })
    expect(told(events)).toEqual([
      'prompt Why?',
      'turn-start',
      'call 1 bash {"a":1}',
      'result 1 "a.ts"',
    ])
  })
})

/** Counts without the reader. */
function counted(text: string): Tally {
  const sum = nothing()
  for (const line of text.trim().split('\n')) {
    const { type, data } = JSON.parse(line)
    if (type === 'user.message') sum.prompts++
    if (type === 'assistant.turn_start') sum.turns++
    if (type === 'tool.execution_start') sum.calls++
    if (type === 'tool.execution_complete') sum.results++
    if (type === 'tool.execution_complete' && !(data.success && !data.shellExecution?.exitCode))
      sum.errors++
    if (type !== 'session.usage_record') continue
    sum.input += data.usage.inputTokens
    sum.cached += data.usage.cacheReadTokens
    sum.written += data.usage.cacheWriteTokens
    sum.output += data.usage.outputTokens
  }
  return sum
}
