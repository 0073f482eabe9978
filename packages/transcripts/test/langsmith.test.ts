import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fixture, lines, readAll, readText, told } from './read.js'
import { nothing, rounded, tallyOf } from './tally.js'

type Any = ReturnType<typeof JSON.parse>

describe('runs of LangSmith', () => {
  const runs: Any[] = readFileSync(fixture('langsmith.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

  it('add up to what a plain count finds', async () => {
    const expected = nothing()
    for (const { run_type, outputs, error, prompt_tokens, completion_tokens, total_cost } of runs) {
      if (run_type === 'llm') expected.turns++
      if (run_type === 'tool') expected.results++
      if (error || outputs.output?.kwargs?.status === 'error') expected.errors++
      const message = outputs.generations?.[0][0].message.kwargs
      const usage = outputs.usage_metadata ?? message?.usage_metadata
      expected.calls += message?.tool_calls?.length ?? 0
      expected.input += prompt_tokens ?? 0
      expected.output += completion_tokens ?? 0
      expected.cached += usage?.input_token_details.cache_read ?? 0
      expected.written += usage?.input_token_details.cache_creation ?? 0
      expected.cost += Number(total_cost ?? 0)
    }
    expected.prompts = 2
    const { items, summary } = await readAll(fixture('langsmith.jsonl'))
    expect(summary).toMatchObject({
      format: 'langsmith',
      records: 7,
      used: 6,
      skipped: 1,
      bad: 0,
      runs: 1,
    })
    expect(summary.events).toBe(items.length)
    expect(tallyOf(items)).toEqual(rounded(expected))
    expect(items[0]?.run).toMatchObject({
      session: 't-1',
      model: 'gpt-6',
      outcome: { kind: 'finished', status: 'success' },
    })
  })

  const story = [
    'prompt Why does the login test fail?',
    'turn-start',
    'text I will look.',
    'call c1 bash {"command":"npm test"}',
    'call c2 task {"description":"Find the caller."}',
    'usage 1000 600 40',
    'result c1 failed "1 failed"',
    'result c2 "login.ts:7"',
    'explorer: prompt Find the caller.',
    'explorer: turn-start',
    'explorer: call c3 grep {"pattern":"login("}',
    'explorer: usage 200 0 9',
    'explorer: result c3 failed "ValueError: no such folder"',
    'turn-start',
    'text It fails.',
    'usage 1200 1000 5',
  ]

  it('are told in the order in which they happened, each where it stands', async () => {
    const { items, events } = await readAll(fixture('langsmith.jsonl'))
    expect(told(events)).toEqual(story)
    // the newest is the first line
    expect(items.at(-1)?.line).toBe(1)
    expect(items[1]?.line).toBe(6)
  })

  it('may be an array, a page of the interface, or pages in lines', async () => {
    for (const content of [
      JSON.stringify(runs, null, 1),
      JSON.stringify({ runs, cursors: {} }),
      lines({ runs: runs.slice(4) }, { runs: runs.slice(0, 4) }),
    ]) {
      const { events, summary } = await readText(content)
      expect(summary).toMatchObject({ format: 'langsmith', bad: 0, runs: 1 })
      expect(told(events)).toEqual(story)
    }
  })

  it('end with the error of the whole', async () => {
    const failed = runs.map((run) =>
      run.parent_run_id ? run : { ...run, status: 'error', error: 'GraphRecursionError' },
    )
    const { items } = await readText(lines(...failed))
    expect(items[0]?.run.outcome).toEqual({ kind: 'failed', status: 'GraphRecursionError' })
  })
})

describe('observations of Langfuse', () => {
  const { data }: { data: Any[] } = JSON.parse(readFileSync(fixture('langfuse.json'), 'utf8'))

  it('add up to what a plain count finds', async () => {
    const expected = nothing()
    for (const { type, level, usageDetails = {}, costDetails, calculatedTotalCost } of data) {
      if (type === 'GENERATION') expected.turns++
      if (type === 'TOOL') expected.calls++
      if (type === 'TOOL') expected.results++
      if (level === 'ERROR') expected.errors++
      const { output = 0, total = 0 } = usageDetails
      expected.output += output
      expected.input += total - output
      expected.cached +=
        (usageDetails.input_cached_tokens ?? 0) + (usageDetails.cache_read_input_tokens ?? 0)
      expected.written += usageDetails.cache_creation_input_tokens ?? 0
      expected.cost += costDetails?.total ?? calculatedTotalCost ?? 0
    }
    expected.prompts = 2
    const { items, summary } = await readAll(fixture('langfuse.json'))
    expect(summary).toMatchObject({ format: 'langfuse', bad: 0, runs: 1 })
    expect(tallyOf(items)).toEqual(rounded(expected))
    expect(items[0]?.run).toMatchObject({
      session: 'lf-1',
      model: 'gpt-6',
      outcome: { kind: 'finished' },
    })
  })

  it('tell sub-agents by the agents around them', async () => {
    const { items } = await readAll(fixture('langfuse.json'))
    const others = items.filter(({ event }) => event.agent === 'explorer')
    expect(told(others.map(({ event }) => event))).toEqual([
      'explorer: prompt Find the caller.',
      'explorer: turn-start',
      'explorer: text login.ts:7',
      'explorer: usage 150 100 9',
    ])
  })

  it('may come with their trace', async () => {
    const trace = { id: 'lf-1', name: 'shop', observations: data }
    const { items, summary } = await readText(JSON.stringify(trace))
    expect(summary).toMatchObject({ format: 'langfuse', runs: 1 })
    expect(tallyOf(items)).toEqual(tallyOf((await readAll(fixture('langfuse.json'))).items))
  })
})
