import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createStreamReader, type Outcome } from '../src/index.js'
import { fixture, lines, readAll, readText } from './read.js'
import { nothing, type Tally, tallyOf } from './tally.js'

type Line = ReturnType<typeof JSON.parse>
const rawLines = (name: string): Line[] =>
  readFileSync(fixture(name), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Counts what stands in the lines of one program, without a reader. */
const counters: Record<string, (all: Line[]) => Partial<Tally>> = {
  'claude-stream.jsonl': countClaude,
  'qwen-stream.jsonl': countClaude,
  'codex-stream.jsonl': (all) => {
    const items = all.filter(({ type }) => type === 'item.completed').map(({ item }) => item)
    const commands = items.filter(({ type }) => type === 'command_execution')
    const { usage } = all.findLast(({ type }) => type === 'turn.completed') ?? {}
    return {
      prompts: all.filter(({ type }) => type === 'turn.started').length,
      ...{ calls: commands.length, results: commands.length },
      errors: commands.filter(({ exit_code }) => exit_code !== 0).length,
      ...{ input: usage.input_tokens, cached: usage.cached_input_tokens },
      output: usage.output_tokens,
    }
  },
  'gemini-stream.jsonl': (all) => {
    const { stats } = all.at(-1) ?? {}
    return {
      calls: all.filter(({ type }) => type === 'tool_use').length,
      results: all.filter(({ type }) => type === 'tool_result').length,
      errors: all.filter(({ type, status }) => type === 'tool_result' && status === 'error').length,
      ...{ input: stats.input_tokens, cached: stats.cached, output: stats.output_tokens },
    }
  },
  'opencode-stream.jsonl': (all) => {
    const parts = all.map(({ part }) => part)
    const tools = parts.filter(({ type }) => type === 'tool')
    const steps = parts.filter(({ type }) => type === 'step-finish')
    const sum = (pick: (step: Line) => number) => steps.reduce((all, step) => all + pick(step), 0)
    return {
      turns: parts.filter(({ type }) => type === 'step-start').length,
      ...{ calls: tools.length, results: tools.length },
      errors: tools.filter(({ state }) => state.status === 'error' || state.metadata?.exit > 0)
        .length,
      input: sum(({ tokens }) => tokens.input + tokens.cache.read + tokens.cache.write),
      cached: sum(({ tokens }) => tokens.cache.read),
      output: sum(({ tokens }) => tokens.output + tokens.reasoning),
      cost: sum(({ cost }) => cost),
    }
  },
}

function countClaude(all: Line[]): Partial<Tally> {
  const { usage, total_cost_usd } = all.at(-1) ?? {}
  const blocks = all.flatMap(({ message }) =>
    Array.isArray(message?.content) ? message.content : [],
  )
  return {
    calls: blocks.filter(({ type }) => type === 'tool_use').length,
    results: blocks.filter(({ type }) => type === 'tool_result').length,
    errors: blocks.filter(({ is_error }) => is_error).length,
    input:
      usage.input_tokens +
      (usage.cache_read_input_tokens ?? 0) +
      (usage.cache_creation_input_tokens ?? 0),
    ...{ cached: usage.cache_read_input_tokens, output: usage.output_tokens },
    cost: Math.round((total_cost_usd ?? 0) * 1e4) / 1e4,
  }
}

describe.each(Object.entries(counters))('%s in CI', (name, count) => {
  it('adds up to what a plain count finds, and says that it finished', async () => {
    const { items, summary } = await readAll(fixture(name))
    expect(summary).toMatchObject({ bad: 0, runs: 1 })
    expect(tallyOf(items)).toMatchObject(count(rawLines(name)))
    expect(items[0]?.run.outcome?.kind).toBe('finished')
  })

  const time = (i: number) => `2026-11-16T20:16:${String(i % 60).padStart(2, '0')}.1310000Z`
  const noise = [
    'npm warn deprecated rimraf@2',
    '',
    '##[group]Run agent',
    'Error: a note on stderr',
  ]
  const stores: Record<string, (line: string, i: number) => string> = {
    'plain with other lines in between': (line) => line,
    'with the time of GitHub before each line': (line, i) => `${time(i)} ${line}`,
    'as gh run view --log prints it': (line, i) => `build\tRun agent\t${time(i)} ${line}`,
    'with the time of GitLab before each line': (line, i) => `${time(i)} 01O ${line}`,
  }

  it.each(Object.entries(stores))('is read from a log, %s', async (_, store) => {
    const { items, summary } = await readAll(fixture(name))
    const printed = readFileSync(fixture(name), 'utf8').trim().split('\n')
    const log = [...noise, ...printed.flatMap((line) => [line, ...noise])].map(store).join('\n')
    const { items: logged, summary: counted } = await readText(log, {}, 'log.txt')
    expect(logged.map(({ event }) => event)).toEqual(items.map(({ event }) => event))
    expect(counted).toMatchObject({ format: summary.format, used: summary.used, bad: 0 })
    const reader = createStreamReader()
    const streamed = [...reader.push(Buffer.from(log)), ...reader.end()]
    expect(streamed.map(({ event }) => event)).toEqual(items.map(({ event }) => event))
  })
})

describe('how a printed run ended', () => {
  const of = async (...all: object[]) => (await readText(lines(...all))).items[0]?.run.outcome
  const claude = [
    { type: 'system', subtype: 'init', session_id: 's', model: 'm' },
    { type: 'assistant', session_id: 's', message: { id: '1', content: 'Hm.' } },
  ]
  const result = (more: object) => ({ type: 'result', session_id: 's', ...more })

  it.each<[object, Outcome['kind'], string]>([
    [{ subtype: 'success', is_error: false }, 'finished', 'success'],
    [{ subtype: 'success', is_error: true }, 'failed', 'success'],
    [{ subtype: 'error_max_turns', is_error: true }, 'limit', 'error_max_turns'],
    [{ subtype: 'error_max_budget_usd', is_error: true }, 'limit', 'error_max_budget_usd'],
    [{ subtype: 'error_during_execution', is_error: true }, 'failed', 'error_during_execution'],
  ])('is told by the result of Claude Code: %j', async (end, kind, status) => {
    expect(await of(...claude, result(end))).toEqual({ kind, status })
    expect(await of(...claude, result(end), claude[1] as object)).toBeUndefined()
  })

  it.each<[object, Outcome['kind'], string]>([
    [{ type: 'turn.completed', usage: {} }, 'finished', 'turn.completed'],
    [{ type: 'turn.failed', error: { message: 'stream disconnected' } }, 'failed', 'turn.failed'],
    [
      { type: 'turn.failed', error: { message: "You've hit your usage limit." } },
      'limit',
      'turn.failed',
    ],
    [{ type: 'error', message: 'unexpected status 500' }, 'failed', 'error'],
  ])('is told by Codex: %j', async (end, kind, status) => {
    const before = [{ type: 'thread.started', thread_id: 't' }, { type: 'turn.started' }]
    expect(await of(...before, end)).toEqual({ kind, status })
    expect(await of(...before, end, { type: 'turn.started' })).toBeUndefined()
  })

  it.each<[object, Outcome['kind'], string]>([
    [{ status: 'success' }, 'finished', 'success'],
    [
      { status: 'error', error: { type: 'FatalTurnLimitedError', message: 'x' } },
      'limit',
      'FatalTurnLimitedError',
    ],
    [
      { status: 'error', error: { type: 'FatalCancellationError' } },
      'aborted',
      'FatalCancellationError',
    ],
    [{ status: 'error', error: { type: 'Error', message: 'x' } }, 'failed', 'Error'],
  ])('is told by the result of Gemini CLI: %j', async (end, kind, status) => {
    const line = (type: string, more: object) => ({
      type,
      timestamp: '2026-11-16T20:16:10Z',
      ...more,
    })
    const before = [
      line('init', { session_id: 's', model: 'gemini' }),
      line('message', { role: 'user', content: 'Fix it' }),
    ]
    expect(await of(...before, line('result', end))).toEqual({ kind, status })
  })

  it.each<[object, Outcome['kind'] | undefined]>([
    [
      { type: 'step_finish', part: { type: 'step-finish', reason: 'stop', messageID: 'm' } },
      'finished',
    ],
    [
      { type: 'step_finish', part: { type: 'step-finish', reason: 'length', messageID: 'm' } },
      'limit',
    ],
    [
      { type: 'step_finish', part: { type: 'step-finish', reason: 'tool-calls', messageID: 'm' } },
      undefined,
    ],
    [{ type: 'error', error: { name: 'APIError' } }, 'failed'],
    [{ type: 'error', error: { name: 'MessageAbortedError' } }, 'aborted'],
  ])('is told by opencode: %j', async (end, kind) => {
    const start = {
      type: 'step_start',
      sessionID: 'ses_1',
      part: { type: 'step-start', messageID: 'm' },
    }
    expect((await of(start, { sessionID: 'ses_1', ...end }))?.kind).toBe(kind)
  })

  it('costs what the last result says, by model, however many results there are', async () => {
    const models = (one: number, other: number) => ({
      modelUsage: { big: { costUSD: one }, small: { costUSD: other } },
      total_cost_usd: one + other,
      subtype: 'success',
    })
    const { items } = await readText(
      lines(...claude, result(models(0.25, 0.5)), ...claude, result(models(0.75, 0.5))),
    )
    expect(tallyOf(items)).toEqual({ ...nothing(), turns: 1, cost: 1.25 })
    const paid = items.flatMap(({ event }) =>
      event.type === 'usage' ? [[event.model, event.cost]] : [],
    )
    expect(paid).toEqual([
      ['big', 0.25],
      ['small', 0.5],
      ['big', 0.5],
    ])
  })
})
