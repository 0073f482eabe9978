import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { fixture, readAll, readText, told } from './read.js'
import { nothing, rounded, type Tally, tallyOf } from './tally.js'

type Any = ReturnType<typeof JSON.parse>

/** The plain attributes of each span of each line. */
const batches: Any[][] = readFileSync(fixture('otlp-libraries.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) =>
    JSON.parse(line).resourceSpans[0].scopeSpans[0].spans.map((span: Any) =>
      Object.fromEntries([
        ['failed', span.status.code === 2],
        ...span.attributes.map(({ key, value }: Any) => [
          key,
          value.stringValue ?? value.doubleValue ?? Number(value.intValue),
        ]),
      ]),
    ),
  )

/** Counts calls by the tools that ran, and those that a model asked for and no tool span has. */
function count(spans: Any[], name: Record<string, string>): Tally {
  const tally = nothing()
  for (const span of spans) {
    const isModel = span[name.kind as string] === name.model
    const isTool = span[name.kind as string] === name.tool
    if (isModel) tally.turns++
    if (isTool) tally.calls++
    if (isTool) tally.results++
    if (isTool && span.failed) tally.errors++
    if (!isModel) continue
    tally.input += span[name.input as string] ?? 0
    tally.cached += span[name.cached as string] ?? 0
    tally.written += span['gen_ai.usage.cache_creation.input_tokens'] ?? 0
    tally.output += span[name.output as string] ?? 0
    tally.cost += span[name.cost as string] ?? 0
  }
  return rounded(tally)
}

const libraries: [string, number, Record<string, string>, Partial<Tally>, object][] = [
  [
    'the convention of today',
    0,
    {
      ...{ kind: 'gen_ai.operation.name', model: 'chat', tool: 'execute_tool' },
      ...{ input: 'gen_ai.usage.input_tokens', output: 'gen_ai.usage.output_tokens' },
      ...{ cached: 'gen_ai.usage.cache_read.input_tokens', cost: 'gen_ai.usage.cost' },
    },
    // one call is that of the other agent, and has no span of a tool
    { prompts: 2, calls: 3, results: 3 },
    { session: 'conv-7', program: 'shop-agent', model: 'gpt-6' },
  ],
  [
    'OpenInference',
    1,
    {
      ...{ kind: 'openinference.span.kind', model: 'LLM', tool: 'TOOL' },
      ...{ input: 'llm.token_count.prompt', output: 'llm.token_count.completion' },
      ...{ cached: 'llm.token_count.prompt_details.cache_read', cost: 'llm.cost.total' },
    },
    { prompts: 1 },
    { session: 'conv-8', outcome: { kind: 'failed', status: 'MaxSteps' } },
  ],
  [
    'the AI SDK',
    2,
    {
      ...{ kind: 'ai.operationId', model: 'ai.generateText.doGenerate', tool: 'ai.toolCall' },
      ...{ input: 'ai.usage.promptTokens', output: 'ai.usage.completionTokens' },
      cached: 'ai.usage.cachedInputTokens',
    },
    { prompts: 1 },
    { session: 't3', model: 'gpt-6' },
  ],
  [
    'Traceloop',
    3,
    {
      ...{ kind: 'llm.request.type', model: 'chat', tool: 'none' },
      ...{ input: 'gen_ai.usage.prompt_tokens', output: 'gen_ai.usage.completion_tokens' },
    },
    { prompts: 1, calls: 1, results: 1 },
    { session: 't4', program: 'loop-app' },
  ],
]

describe.each(libraries)('traces of %s', (_, line, name, more, facts) => {
  it('add up to what a plain count finds', async () => {
    const { items, summary } = await readAll(fixture('otlp-libraries.jsonl'))
    expect(summary).toMatchObject({ format: 'otlp', records: 4, used: 4, bad: 0, runs: 4 })
    const own = items.filter((item) => item.line === line + 1)
    expect(tallyOf(own)).toEqual({ ...count(batches[line] as Any[], name), ...more })
    expect(own[0]?.run).toMatchObject(facts)
  })
})

describe('traces', () => {
  it('tell sub-agents by the span around them', async () => {
    const { items } = await readAll(fixture('otlp-libraries.jsonl'))
    const others = items.filter(({ event }) => event.agent !== undefined)
    expect(told(others.map(({ event }) => event))).toEqual([
      'explorer: prompt Who calls login?',
      'explorer: turn-start',
      'explorer: call c3 grep {"pattern":"login("}',
      'explorer: usage 200 0 9',
      'explorer: result c3 "login.ts:7"',
    ])
  })

  it('may be one array, or an answer of Tempo', async () => {
    const all = readFileSync(fixture('otlp-libraries.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const expected = tallyOf((await readAll(fixture('otlp-libraries.jsonl'))).items)
    const batched = { batches: all.flatMap(({ resourceSpans }) => resourceSpans) }
    for (const content of [all, batched]) {
      const { items, summary } = await readText(JSON.stringify(content, null, 1))
      expect(summary).toMatchObject({ format: 'otlp', bad: 0, runs: 4 })
      expect(tallyOf(items)).toEqual(expected)
    }
  })
})

describe('a tree of TRAIL', () => {
  it('adds up to what a plain count finds', async () => {
    const expected = nothing()
    const walk = (span: Any): void => {
      const attributes = span.span_attributes
      const kind = attributes['openinference.span.kind']
      if (kind === 'LLM') {
        expected.turns++
        expected.input += attributes['llm.token_count.prompt']
        expected.output += attributes['llm.token_count.completion']
        const { content } = JSON.parse(attributes['output.value'])
        if (content?.includes('```py')) expected.calls++
      }
      if (kind === 'TOOL') expected.calls++
      if (/^Step/.test(span.span_name) && span.status_code === 'Error') expected.errors++
      span.child_spans.forEach(walk)
    }
    JSON.parse(readFileSync(fixture('trail.json'), 'utf8')).spans.forEach(walk)
    expected.results = expected.calls
    expected.prompts = 2
    const { items, summary } = await readAll(fixture('trail.json'))
    expect(summary).toMatchObject({ format: 'trail', bad: 0, runs: 1 })
    expect(tallyOf(items)).toEqual(expected)
    expect(items[0]?.run).toMatchObject({ session: 'tr1', model: 'o3-mini' })
  })

  it('tells code that an agent wrote, and its sub-agents', async () => {
    const { events } = await readAll(fixture('trail.json'))
    const calls = told(events).filter((line) => /(?:call|result) /.test(line))
    expect(calls).toEqual([
      'call  python_interpreter {"code":"print(x)"}',
      'result python_interpreter failed "NameError: name x is not defined"',
      'call  python_interpreter {"code":"answer = search_agent(\\"Find the caller.\\")"}',
      'result python_interpreter "It fails."',
      'search_agent: call k1 web_search {"query":"login"}',
      'search_agent: result k1 "login.ts:7"',
    ])
  })
})
