import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { fixture, lines, readAll, readText, told } from './read.js'

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

  it('of OpenAI Responses is read', async () => {
    const { events, summary } = await readAll(fixture('openai-responses.json'))
    expect(summary).toMatchObject({ format: 'openai-responses', used: 6, bad: 0 })
    expect(told(events)).toEqual([
      'prompt Why does the login test fail?',
      'reasoning The test may read a file.',
      'call call_1 bash {"command":"npm test"}',
      'result call_1 "1 failed"',
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
    const expected = ['prompt List.', 'call c ls {}', 'result c "a.ts"', 'text One file.']
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
