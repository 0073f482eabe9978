import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { AgentEvent } from 'unloop'
import { describe, expect, it } from 'vitest'
import { emptyFolder, unloop } from '../../test/host.js'
import { START, stuckRun, toLines, writeRun } from '../../test/transcripts.js'
import type { ScanReport } from './run-report.js'

const DAY = 86_400_000

async function scan(cwd: string, ...args: string[]): Promise<ScanReport> {
  return JSON.parse((await unloop(['scan', '.', '--format', 'json', ...args], { cwd })).stdout)
}

/** One answer with these calls. */
const answer = (n: number, model: string, tools: string[], usage: object = {}): AgentEvent[] => {
  const at = START + n * 60_000
  const calls = tools.map((name, i) => ({ id: `${n}.${i}`, name, args: { n } }))
  return [
    { type: 'turn-start', at },
    ...calls.map((call): AgentEvent => ({ type: 'tool-call', at, ...call })),
    { type: 'usage', at, model, inputTokens: 1000, outputTokens: 100, ...usage },
    ...calls.map(({ id }): AgentEvent => ({ type: 'tool-result', at, id, output: `${n}` })),
  ]
}

/** A run in a loop, with another model. */
const toStuck = (model: string, times: number) =>
  stuckRun(times).map((event) => (event.type === 'usage' ? { ...event, model } : event))

const OPUS = (1000 * 5 + 100 * 25) / 1e6
const SONNET = (1000 * 3 + 100 * 15) / 1e6

describe('what a run spent', () => {
  it('adds up the models it used, each by its own price', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', [
      ...answer(0, 'claude-opus-4-6', ['read']),
      ...answer(1, 'claude-sonnet-4-5', []),
    ])
    const { runs, totals, by } = await scan(cwd)
    expect(runs[0]?.spent.cost).toBeCloseTo(OPUS + SONNET, 10)
    expect(runs[0]).toMatchObject({ pricing: 'list', unpricedTokens: 0 })
    expect(totals).toMatchObject({ priced: 1, paid: 1, counts: { turns: 2, calls: 1, results: 1 } })
    expect(by.model.map(({ name, tokens }) => [name, tokens])).toEqual([
      ['claude-opus-4-6', 1100],
      ['claude-sonnet-4-5', 1100],
    ])
    expect(by.tool.map(({ name }) => name)).toEqual(['read', 'no tool'])
  })

  it('is shared among the calls of an answer, to the last token', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', answer(0, 'claude-opus-4-6', ['a', 'b', 'c']))
    const { by, totals } = await scan(cwd)
    expect(by.tool.map(({ tokens }) => tokens).sort()).toEqual([366, 366, 368])
    expect(totals.spent.tokens).toBe(1100)
    expect(totals.spent.cost).toBeCloseTo(OPUS, 10)
  })

  it('leaves out numbers that no answer can have, for they would drown all others', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', [
      ...answer(0, 'claude-opus-4-6', ['read']),
      ...answer(1, 'claude-opus-4-6', ['read'], { inputTokens: 1e308, cachedTokens: 1e308 }),
      ...answer(2, 'claude-opus-4-6', ['read'], { cost: 1e308 }),
    ])
    const { totals } = await scan(cwd)
    expect(totals.tokens).toMatchObject({ input: 2000, cached: 0, output: 300 })
    expect(totals.spent.cost).toBeCloseTo(2 * OPUS + (100 * 25) / 1e6, 10)
  })

  it('is shown in tokens where there is no price', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', answer(0, 'claude-opus-4-6', ['read'], { inputTokens: 1_000_000 }))
    writeRun(cwd, 'b.jsonl', toStuck('a-model-of-mine', 20))
    const { stdout } = await unloop(['scan', '.'], { cwd })
    expect(stdout).toMatch(/^a-model-of-mine .* 20k tok +20k tok$/m)
    expect(stdout).toMatch(/^claude-opus-4-6 .* \$5\.00 +-$/m)
    expect(stdout).not.toContain('$0.00')
  })

  it('is told of the run it belongs to, also if a file has many', async () => {
    const cwd = emptyFolder()
    const runs = ['django-1', 'flask-2'].map((id) => ({ id, events: stuckRun() }))
    writeFileSync(join(cwd, 'runs.jsonl'), toLines(runs))
    const { stdout } = await unloop(['scan', '.'], { cwd })
    expect(stdout).toMatch(/ · django-1 · /)
    expect(stdout).toMatch(/ · flask-2 · /)
  })

  it('counts once what a fork copied, also calls without ids such as searches of the provider', async () => {
    const cwd = emptyFolder()
    const named = answer(0, 'claude-opus-4-6', ['read']).map((event) =>
      'id' in event ? { ...event, id: 'call_9jdqDqXTP10FjpBmKI0g' } : event,
    )
    const search = (tokens: number): AgentEvent[] => [
      { type: 'turn-start' },
      { type: 'tool-call', name: 'web_search' } as AgentEvent,
      { type: 'usage', model: 'claude-opus-4-6', inputTokens: tokens, outputTokens: 1 },
    ]
    writeRun(cwd, 'a.jsonl', [...named, ...search(5000), ...search(6000)])
    writeRun(cwd, 'b.jsonl', [...named, ...search(5000), ...search(7000)])
    const { totals } = await scan(cwd)
    expect(totals.counts.calls).toBe(4)
    expect(totals.tokens.input).toBe(1000 + 5000 + 6000 + 7000)
  })

  it('is what the program recorded, where it did', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', [
      ...answer(0, 'claude-opus-4-6', ['read'], { cost: 7 }),
      ...answer(1, 'nobody-knows', ['read'], { cost: 2 }),
    ])
    const { runs } = await scan(cwd)
    expect(runs[0]).toMatchObject({ spent: { cost: 9 }, pricing: 'recorded', unpricedTokens: 0 })
  })

  it('is a recorded total, shared among the answers before it by their list prices', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', [
      ...answer(0, 'claude-opus-4-6', ['read']),
      ...answer(1, 'claude-sonnet-4-5', ['write']),
      { type: 'usage', cost: 12 },
    ])
    const { by, totals } = await scan(cwd)
    expect(totals.spent.cost).toBeCloseTo(12, 10)
    expect(by.tool[0]).toMatchObject({ name: 'read' })
    expect(by.tool[0]?.cost).toBeCloseTo((12 * OPUS) / (OPUS + SONNET), 10)
  })

  it('is a recorded total also where nothing else is told, or all before it has a cost', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', [
      { type: 'prompt' },
      { type: 'usage', cost: 3 },
      ...answer(0, 'claude-opus-4-6', ['read'], { cost: 1 }),
      { type: 'usage', cost: 2 },
    ])
    expect((await scan(cwd)).totals.spent.cost).toBeCloseTo(6, 10)
  })

  it('is shared among the calls where only the sum of the run is told', async () => {
    const cwd = emptyFolder()
    const calls = Array.from({ length: 10 }, (_, n): AgentEvent[] => [
      { type: 'tool-call', name: 'bash', args: { command: 'make' }, id: `${n}` },
      { type: 'tool-result', output: 'Error: no rule', isError: true, id: `${n}` },
    ])
    const sum: AgentEvent = { type: 'usage', inputTokens: 9000, outputTokens: 1000, cost: 5 }
    writeRun(cwd, 'a.jsonl', [{ type: 'prompt' }, ...calls.flat(), sum])
    const { runs, totals } = await scan(cwd)
    expect(totals.spent).toMatchObject({ tokens: 10_000 })
    expect(totals.spent.cost).toBeCloseTo(5, 10)
    expect(runs[0]?.wasted.cost).toBeCloseTo(5, 10)
    expect(totals.counts).toMatchObject({ calls: 10, errors: 10 })
  })

  it('says that a part has no price', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', [
      ...answer(0, 'claude-opus-4-6', ['read']),
      ...answer(1, 'nobody-knows', ['read']),
    ])
    writeRun(cwd, 'b.jsonl', answer(0, 'claude-opus-4-6', ['read']))
    const { runs, totals } = await scan(cwd)
    expect(runs.find(({ path }) => path.endsWith('a.jsonl'))).toMatchObject({
      pricing: 'partial',
      unpricedTokens: 1100,
    })
    expect(totals).toMatchObject({ priced: 1, paid: 2 })
    const { stdout } = await unloop(['scan', '.'], { cwd })
    expect(stdout).toContain('1 of 2 runs priced')
  })

  it('is counted on the day it was spent, and only since the moment that was asked for', async () => {
    const cwd = emptyFolder()
    const late = answer(0, 'claude-opus-4-6', ['read']).map((event) => ({
      ...event,
      at: (event.at ?? 0) + 3 * DAY,
    }))
    writeRun(cwd, 'a.jsonl', [...answer(0, 'claude-opus-4-6', ['read']), ...late])
    expect((await scan(cwd)).by.day.map(({ name }) => name)).toEqual(['2026-11-01', '2026-11-04'])
    const { totals, by, since } = await scan(cwd, '--since', '2026-11-03')
    expect(totals.spent.tokens).toBe(1100)
    expect(by.day.map(({ name }) => name)).toEqual(['2026-11-04'])
    expect(since).toBe('2026-11-03T00:00:00.000Z')
  })

  it('has no loops from before the moment that was asked for', async () => {
    const cwd = emptyFolder()
    const later = answer(0, 'claude-opus-4-6', ['write']).map((event) => ({
      ...event,
      at: START + 3 * DAY,
    }))
    writeRun(cwd, 'a.jsonl', [...stuckRun(12), ...later])
    expect((await scan(cwd)).totals.loops).toBe(1)
    const { totals } = await scan(cwd, '--since', '2026-11-03')
    expect(totals).toMatchObject({ loops: 0, stuck: 0, wasted: { tokens: 0 } })
  })

  it('can be asked for one model', async () => {
    const cwd = emptyFolder()
    writeRun(cwd, 'a.jsonl', [
      ...answer(0, 'claude-opus-4-6', ['read']),
      ...answer(1, 'claude-sonnet-4-5', ['read']),
    ])
    writeRun(cwd, 'b.jsonl', answer(0, 'gpt-5.4', ['read']))
    const { runs, totals } = await scan(cwd, '--model', 'OPUS')
    expect(runs).toHaveLength(1)
    expect(totals.spent).toMatchObject({ tokens: 1100 })
    expect(totals.spent.cost).toBeCloseTo(OPUS, 10)
  })

  it('is reckoned with a price list of your own', async () => {
    const cwd = emptyFolder()
    const outside = emptyFolder()
    writeRun(cwd, 'a.jsonl', answer(0, 'my-model', ['read']))
    const file = join(outside, 'prices.json')
    writeFileSync(
      file,
      JSON.stringify({ 'my-model': { input_cost_per_token: 1e-3, output_cost_per_token: 1e-2 } }),
    )
    const { totals, prices } = await scan(cwd, '--prices', file)
    expect(totals.spent.cost).toBeCloseTo(2, 10)
    expect(prices.source).toContain('prices.json')
    writeFileSync(file, '{"my-model":{"input_cost_per_token":"cheap"}}')
    const bad = await unloop(['scan', '.', '--prices', file], { cwd })
    expect(bad.code).toBe(2)
    expect(bad.stderr).toContain('input_cost_per_token of my-model must be a number')
  })
})

describe('a loop without a price', () => {
  it('is never dropped by an amount of dollars', async () => {
    const cwd = emptyFolder()
    const events = stuckRun(12).map((event) =>
      event.type === 'usage' ? { ...event, model: 'nobody-knows' } : event,
    )
    writeRun(cwd, 'a.jsonl', events)
    const { code } = await unloop(['scan', '.', '--min-wasted', '$1000'], { cwd })
    expect(code).toBe(1)
    writeRun(cwd, 'a.jsonl', stuckRun(12))
    expect((await unloop(['scan', '.', '--min-wasted', '$1000'], { cwd })).code).toBe(0)
  })
})

describe('a fork', () => {
  /** A rollout of Codex with these calls; the times of a copy are those of the fork. */
  function rollout(id: string, calls: readonly number[], from: number, parent?: string): object[] {
    const stamp = (n: number) => new Date(START + from + n * 1000).toISOString()
    const line = (n: number, type: string, payload: object) => ({
      timestamp: stamp(n),
      type,
      payload,
    })
    return [
      line(0, 'session_meta', {
        id,
        timestamp: stamp(0),
        cwd: '/home/ada/shop',
        ...(parent && { forked_from_id: parent }),
      }),
      line(0, 'turn_context', { model: 'gpt-5.4', cwd: '/home/ada/shop' }),
      ...calls.flatMap((call) => {
        // most ids have digits, some have none
        const call_id = `call_ZxQfLmKpRtbnWs${'abcdefghijkl'[call]}`
        const usage = { input_tokens: 1000, cached_input_tokens: 0, output_tokens: 100 }
        const total = {
          input_tokens: 1000 * (call + 1),
          cached_input_tokens: 0,
          output_tokens: 100 * (call + 1),
        }
        return [
          line(call, 'response_item', {
            type: 'function_call',
            name: 'exec_command',
            arguments: JSON.stringify({ cmd: `step ${call}` }),
            call_id,
          }),
          line(call, 'event_msg', {
            type: 'token_count',
            info: { total_token_usage: total, last_token_usage: usage },
          }),
          line(call, 'response_item', {
            type: 'function_call_output',
            call_id,
            output: `Process exited with code 0\n${call}`,
          }),
        ]
      }),
    ]
  }

  it('is counted without what it copied, in whatever order the files are read', async () => {
    const cwd = emptyFolder()
    const write = (name: string, lines: object[]) => writeFileSync(join(cwd, name), toLines(lines))
    write('b.jsonl', rollout('parent', [0, 1, 2, 3], 0))
    write('a.jsonl', rollout('child', [0, 1, 2, 10, 11], DAY, 'parent'))
    write('c.jsonl', rollout('backup', [0, 1, 2, 3], 0))
    const { runs, totals } = await scan(cwd)
    expect(totals.counts).toMatchObject({ calls: 6, results: 6, turns: 6 })
    expect(totals.tokens).toMatchObject({ input: 6000, output: 600 })
    expect(totals.spent.cost).toBeCloseTo((6 * (1000 * 2.5 + 100 * 15)) / 1e6, 10)
    expect(
      runs.map(({ session, counts, copied }) => [session, counts.calls, copied?.tokens]),
    ).toEqual([
      ['parent', 4, undefined],
      ['child', 2, 3300],
    ])
  })
})

it('of a run whose ids are made of names and numbers is not a copy of another', async () => {
  const cwd = emptyFolder()
  const run = answer(0, 'gpt-5.4', ['read_file']).map((event) =>
    'id' in event ? { ...event, id: 'functions.read_file:0' } : event,
  )
  for (const name of ['a', 'b'])
    writeFileSync(join(cwd, `${name}.jsonl`), toLines([{ session: name }, ...run]))
  expect((await scan(cwd)).totals).toMatchObject({ runs: 2, counts: { calls: 2 } })
})

it('shows so many rows and loops as were asked for', async () => {
  const cwd = emptyFolder()
  const tools = Array.from({ length: 9 }, (_, n) => `tool-${n}`)
  writeRun(cwd, 'a.jsonl', answer(0, 'claude-opus-4-6', tools))
  const few = await unloop(['scan', '.', '--top', '2'], { cwd })
  expect(few.stdout).toMatch(/^tool-1 .*\n7 more /m)
  const all = await unloop(['scan', '.', '--top', '9'], { cwd })
  expect(all.stdout).toMatch(/^tool-8 /m)
  expect(all.stdout).not.toContain('more')
})

it.each([40, 80, 120, 200])('fits in %s columns', async (columns) => {
  const cwd = emptyFolder()
  writeRun(cwd, 'a.jsonl', stuckRun(30))
  writeRun(
    cwd,
    'b.jsonl',
    answer(0, 'claude-opus-4-6-with-a-very-long-name-that-goes-on', ['read']),
  )
  const { stdout } = await unloop(['scan', '.'], { cwd, columns })
  const paths = (line: string) => line.includes(cwd)
  const widths = stdout
    .split('\n')
    .filter((line) => !paths(line))
    .map((line) => line.length)
  expect(Math.max(...widths)).toBeLessThanOrEqual(Math.min(columns, 120))
})
