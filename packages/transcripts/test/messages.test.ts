import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fixture, lines, readAll, readText, told } from './read.js'
import { nothing, tallyOf } from './tally.js'

const story = [
  'prompt Why does the login test fail?',
  'turn-start',
  'reasoning The test may read a file.',
]

describe('a list of messages', () => {
  it('of OpenAI chat is read', async () => {
    const { events, summary } = await readAll(fixture('openai-chat.json'))
    expect(summary).toMatchObject({
      format: 'openai-chat',
      records: 6,
      used: 5,
      skipped: 1,
      bad: 0,
    })
    expect(told(events)).toEqual([
      ...story,
      'call call_1 read {"path":"login.ts"}',
      'call call_2 bash {"command":"npm test"}',
      'result call_1 "export function login() {}"',
      'result call_2 "1 failed"',
      'turn-start',
      'text It fails.',
    ])
  })

  const call = { name: 'bash', args: { command: 'npm test' }, id: 'call_1', type: 'tool_call' }
  const usage_metadata = {
    input_tokens: 90,
    output_tokens: 7,
    input_token_details: { cache_read: 60, cache_creation: 20 },
  }
  const answer = { content: '', tool_calls: [call], usage_metadata }
  const result = { content: '1 failed', tool_call_id: 'call_1', status: 'error' }
  const wrapped = (name: string, kwargs: object) => ({
    lc: 1,
    type: 'constructor',
    id: ['langchain_core', 'messages', name],
    kwargs,
  })

  it.each([
    [
      'plain',
      [
        { type: 'human', content: 'Why?' },
        { type: 'ai', ...answer },
        { type: 'tool', ...result },
      ],
    ],
    [
      'with their data apart',
      [
        { type: 'human', data: { content: 'Why?' } },
        { type: 'ai', data: answer },
        { type: 'tool', data: result },
      ],
    ],
    [
      'as constructors',
      [
        wrapped('HumanMessage', { content: 'Why?' }),
        wrapped('AIMessage', answer),
        wrapped('ToolMessage', result),
      ],
    ],
  ])('of LangChain is read, %s', async (_, messages) => {
    for (const content of [JSON.stringify({ messages }), JSON.stringify(messages)]) {
      const { events, summary } = await readText(content)
      expect(summary).toMatchObject({ format: 'openai-chat', bad: 0, runs: 1 })
      expect(told(events)).toEqual([
        'prompt Why?',
        'turn-start',
        'call call_1 bash {"command":"npm test"}',
        'usage 90 60 7',
        'result call_1 failed "1 failed"',
      ])
      expect(events[3]).toMatchObject({ cacheWriteTokens: 20 })
    }
  })

  it('of LangChain adds up to what a plain count finds', async () => {
    const path = fixture('langchain.json')
    const expected = nothing()
    for (const message of JSON.parse(readFileSync(path, 'utf8')).messages) {
      const { usage_metadata: usage, ...said } = message.kwargs ?? message
      if (message.type === 'human') expected.prompts++
      if (message.type === 'ai' || message.kwargs) expected.turns++
      if (message.type === 'tool') expected.results++
      if (said.status === 'error') expected.errors++
      expected.calls += said.tool_calls?.length ?? 0
      expected.input += usage?.input_tokens ?? 0
      expected.output += usage?.output_tokens ?? 0
      expected.cached += usage?.input_token_details?.cache_read ?? 0
      expected.written += usage?.input_token_details?.cache_creation ?? 0
    }
    const { items, summary } = await readAll(path)
    expect(summary).toMatchObject({ format: 'openai-chat', bad: 0, runs: 1 })
    expect(tallyOf(items)).toEqual(expected)
    expect(items[0]?.run).toMatchObject({ session: 'thread-1', model: 'gpt-6' })
  })

  it('of AgentDojo is read, with the arguments of its calls', async () => {
    const named = (id: string, path: string) => ({ function: 'read', args: { path }, id })
    const said = (content: string) => [{ type: 'text', content }]
    const { events } = await readText(
      JSON.stringify({
        suite_name: 'shop',
        messages: [
          { role: 'system', content: said('Be kind.') },
          { role: 'user', content: said('Why?') },
          {
            role: 'assistant',
            content: said('I will look.'),
            tool_calls: [named('1', 'a'), named('2', 'b')],
          },
          { role: 'tool', content: said('export'), tool_call_id: '1', error: null },
          { role: 'tool', content: said(''), tool_call_id: '2', error: 'no such file' },
          { role: 'assistant', content: null, tool_calls: null },
        ],
      }),
    )
    expect(told(events)).toEqual([
      'prompt Why?',
      'turn-start',
      'text I will look.',
      'call 1 read {"path":"a"}',
      'call 2 read {"path":"b"}',
      'result 1 "export"',
      'result 2 failed "no such file"',
      'turn-start',
    ])
  })

  it('of OpenAI Responses is read', async () => {
    const { events, summary } = await readAll(fixture('openai-responses.json'))
    expect(summary).toMatchObject({ format: 'openai-responses', used: 6, bad: 0 })
    expect(told(events)).toEqual([
      'prompt Why does the login test fail?',
      'turn-start',
      'reasoning The test may read a file.',
      'call call_1 bash {"command":"npm test"}',
      'result call_1 "1 failed"',
      'turn-start',
      'call mcp_1 search {"q":"login"}',
      'result mcp_1 failed "out of reach"',
      'text It fails.',
    ])
  })

  it('of OpenAI Responses may have messages without a type, and a request and its answer on a line', async () => {
    const call = { type: 'function_call', call_id: 'c', name: 'ls', arguments: '{}' }
    const output = { type: 'function_call_output', call_id: 'c', output: 'a.ts' }
    const input = [{ role: 'user', content: 'List.' }, call, output]
    const answer = { type: 'message', role: 'assistant', content: 'One file.' }
    const expected = [
      ...['prompt List.', 'turn-start', 'call c ls {}', 'result c "a.ts"'],
      ...['turn-start', 'text One file.'],
    ]
    for (const content of [
      JSON.stringify([...input, answer]),
      JSON.stringify({ input, output: [answer] }),
      lines(...input, answer),
    ]) {
      const { events, summary } = await readText(content)
      expect(summary).toMatchObject({ format: 'openai-responses', bad: 0, runs: 1 })
      expect(told(events)).toEqual(expected)
    }
    const log = { input, output: [answer] }
    const { events, summary } = await readText(lines({ id: '1', ...log }, { id: '2', ...log }))
    expect(summary).toMatchObject({ format: 'openai-responses', bad: 0, runs: 2 })
    expect(told(events)).toEqual([...expected, ...expected])
  })

  it('of Anthropic is read, and words beside the answer of a tool are no request', async () => {
    const { items, events, summary } = await readAll(fixture('anthropic-messages.json'))
    expect(summary).toMatchObject({ format: 'anthropic-messages', used: 4, bad: 0 })
    expect(items[0]?.run.model).toBe('claude-sonnet-5')
    expect(told(events)).toEqual([
      ...story,
      'text I will look.',
      'call toolu_1 bash {"command":"npm test"}',
      'result toolu_1 failed "1 failed"',
      'turn-start',
      'text It fails.',
    ])
  })

  it('of Gemini is read', async () => {
    const { events, summary } = await readAll(fixture('gemini-contents.json'))
    expect(summary).toMatchObject({ format: 'gemini-contents', records: 4, used: 4, bad: 0 })
    expect(told(events)).toEqual([
      ...story,
      'call  bash {"command":"npm test"}',
      'result bash failed "1 failed"',
      'turn-start',
      'text It fails.',
    ])
  })

  it('may stand on lines: a message each, or a conversation each', async () => {
    const { items, summary } = await readAll(fixture('openai-chat-runs.jsonl'))
    expect(summary).toMatchObject({ format: 'openai-chat', records: 2, runs: 2 })
    expect(items.map(({ run }) => run.session)).toEqual(['one', 'one', 'one', 'two', 'two', 'two'])
    const { events } = await readText(
      lines({ role: 'user', content: 'Hello' }, { role: 'assistant', content: 'Hi.' }),
    )
    expect(told(events)).toEqual(['prompt Hello', 'turn-start', 'text Hi.'])
  })

  it('may stand on one line that is longer than what is looked at', async () => {
    const content = 'word '.repeat(60_000)
    const messages = [
      { role: 'user', content },
      { role: 'assistant', content: 'Hi.' },
    ]
    const { events, summary } = await readText(JSON.stringify({ model: 'm', messages }))
    expect(summary).toMatchObject({ format: 'openai-chat', bad: 0 })
    expect(events.at(-1)).toEqual({ type: 'text', text: 'Hi.' })
  })

  describe('is told by its beginning, however long what stands there is', () => {
    // more than what is looked at
    const long = 'word '.repeat(40_000)
    const use = { type: 'tool_use', id: 't', name: 'ls', input: {} }
    const result = { type: 'tool_result', tool_use_id: 't', content: 'a.ts' }
    const calling = [
      { role: 'assistant', content: [use] },
      { role: 'user', content: [result] },
    ]

    it('a message a line', async () => {
      const { events, summary } = await readText(
        lines(
          { role: 'system', content: long },
          { role: 'user', content: 'Hello' },
          { role: 'assistant', content: 'Hi.' },
        ),
      )
      expect(summary).toMatchObject({ format: 'openai-chat', records: 3, bad: 0 })
      expect(told(events)).toEqual(['prompt Hello', 'turn-start', 'text Hi.'])
    })

    it.each([
      ['a system prompt before its messages', { system: long, messages: calling }, 3],
      ['a long first message', { messages: [{ role: 'user', content: long }, ...calling] }, 4],
      ['escapes', { system: '"\u00e9\\'.repeat(40_000), messages: calling }, 3],
      [
        'very many messages',
        { messages: Array.from({ length: 9000 }, () => calling).flat() },
        27_000,
      ],
    ])('a conversation a line, with %s', async (_, conversation, events) => {
      const content = lines({ id: 'a', ...conversation }, { id: 'b', ...conversation })
      for (const bytes of [Buffer.from(content), gzipSync(content)]) {
        const { items, summary } = await readText(bytes)
        expect(summary).toMatchObject({ format: 'anthropic-messages', records: 2, bad: 0, runs: 2 })
        expect(items.at(0)?.run.session).toBe('a')
        expect(items.at(-1)?.run.session).toBe('b')
        expect(items).toHaveLength(2 * events)
      }
    })

    it('an array', async () => {
      const messages = [{ role: 'user', content: long }, ...calling]
      for (const space of [0, 2]) {
        const { summary } = await readText(JSON.stringify(messages, null, space))
        expect(summary).toMatchObject({ format: 'anthropic-messages', used: 3, bad: 0 })
      }
    })
  })
})
