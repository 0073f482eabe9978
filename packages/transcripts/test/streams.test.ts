import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createStreamReader } from '../src/index.js'
import { fixture, lines, readAll, readText, told } from './read.js'

// recorded with the real programs: one command that works, one that fails, and two at once
const STORY = ['echo hello', 'cat nothing.txt', 'echo one', 'echo two; exit 3']

const recorded = [
  ['claude-stream', 'claude-stream', 'Bash'],
  ['claude-stream-partial', 'claude-stream', 'Bash'],
  ['codex-stream', 'codex-stream', 'shell'],
  ['gemini-stream', 'gemini-stream', 'run_shell_command'],
  ['qwen-stream', 'qwen-stream', 'run_shell_command'],
  ['qwen-stream-partial', 'qwen-stream', 'run_shell_command'],
  ['opencode-stream', 'opencode-stream', 'bash'],
] as const

describe.each(recorded)('what an agent printed: %s', (name, format, tool) => {
  it('tells its calls, answers, words and tokens, each once', async () => {
    const { events, summary } = await readAll(fixture(`${name}.jsonl`))
    expect(summary).toMatchObject({ format, bad: 0, runs: 1 })
    const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event] : []))
    expect(calls.map((call) => call.name)).toEqual(STORY.map(() => tool))
    expect(calls.map(({ args }) => (args as { command: string }).command)).toEqual(STORY)
    const results = events.flatMap((event) => (event.type === 'tool-result' ? [event] : []))
    expect(results.map(({ id }) => id)).toEqual(calls.map(({ id }) => id))
    const said = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
    expect(said).toBe('Let me look.Both now.Done.')
    expect(spentIn(events)).toEqual({ input: 40, output: 20 })
    expect(events.at(-1)).toEqual({ type: 'turn-end' })
  })

  it('tells which calls failed, where the agent says so', async () => {
    const { events } = await readAll(fixture(`${name}.jsonl`))
    const failed = events.flatMap((event) => (event.type === 'tool-result' ? [event.isError] : []))
    // Gemini CLI calls a command that exits with 1 a success
    const told =
      format === 'gemini-stream' ? [false, false, false, false] : [false, true, false, true]
    expect(failed).toEqual(told)
  })

  it('is read the same as it comes, however it is cut', async () => {
    const { items, summary } = await readAll(fixture(`${name}.jsonl`))
    const bytes = readFileSync(fixture(`${name}.jsonl`))
    for (const size of [1, 7, 1000, bytes.length]) {
      const reader = createStreamReader(summary.path)
      const read = []
      for (let from = 0; from < bytes.length; from += size) {
        read.push(...reader.push(bytes.subarray(from, from + size)))
      }
      read.push(...reader.end())
      expect(read).toEqual(items)
      expect(reader.summary).toEqual(summary)
    }
  })
})

function spentIn(events: readonly object[]) {
  const spent = { input: 0, output: 0 }
  for (const event of events as { inputTokens?: number; outputTokens?: number }[]) {
    spent.input += event.inputTokens ?? 0
    spent.output += event.outputTokens ?? 0
  }
  return spent
}

// written by scripts/record-agents.mjs
describe.each([
  ['claude-code', 'claude-stream'],
  ['codex', 'codex-stream'],
  ['gemini-cli', 'gemini-stream'],
  ['qwen-code', 'qwen-stream'],
  ['opencode', 'opencode-stream'],
])('the recording of %s', (name, format) => {
  it('tells every call, its answer and every word once', async () => {
    const { events, summary } = await readAll(fixture(`streams/${name}.jsonl`))
    expect(summary).toMatchObject({ format, bad: 0, runs: 1 })
    const calls = events.flatMap((event) => (event.type === 'tool-call' ? [event.id] : []))
    const answered = events.flatMap((event) => (event.type === 'tool-result' ? [event.id] : []))
    expect(new Set(calls).size).toBe(4)
    expect(answered.toSorted()).toEqual(calls.toSorted())
    const said = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
    expect(said).toBe(
      'I will look at the files.The file a.txt says hello. There is no nothing.txt.',
    )
    expect(events.at(-1)).toEqual({ type: 'turn-end' })
  })
})

describe('the stream of Claude Code', () => {
  it('is a turn for each answer, and knows the run', async () => {
    const { items, events } = await readAll(fixture('claude-stream.jsonl'))
    expect(items[0]?.run).toMatchObject({
      program: 'claude-code',
      project: '/home/ada/shop',
      model: 'claude-opus-5-5',
    })
    expect(items[0]?.event.at).toBe(Date.parse('2026-11-16T20:16:08.131Z'))
    expect(told(events).slice(0, 10)).toEqual([
      'turn-start',
      'reasoning I should look first.',
      'usage 10 0 1',
      'text Let me look.',
      'call call_1_0 Bash {"command":"echo hello","description":"x"}',
      'result call_1_0 "hello"',
      'turn-start',
      'call call_2_0 Bash {"command":"cat nothing.txt","description":"x"}',
      'usage 10 0 1',
      'result call_2_0 failed "Exit code 1\\ncat: nothing.txt: No such file or directory"',
    ])
  })

  it('tells words as they come, if asked for partial messages', async () => {
    const { events } = await readAll(fixture('claude-stream-partial.jsonl'))
    expect(told(events).slice(0, 8)).toEqual([
      'turn-start',
      'reasoning I sh',
      'reasoning ou',
      'reasoning ld look',
      'reasoning  fi',
      'reasoning rst.',
      'usage 10 0 1',
      'text Let',
    ])
  })

  it('names sub-agents by the call that started them', async () => {
    const { events } = await readAll(fixture('claude-stream-agents.jsonl'))
    expect(told(events).filter((line) => line.startsWith('k_1_0: '))).toEqual([
      'k_1_0: turn-start',
      'k_1_0: call call_2_0 Bash {"command":"echo sub","description":"x"}',
      'k_1_0: usage 10 0 1',
      'k_1_0: result call_2_0 "sub"',
      'k_1_0: turn-start',
      'k_1_0: text Done.',
      'k_1_0: usage 10 0 1',
    ])
    expect(spentIn(events)).toEqual({ input: 50, output: 25 })
  })

  const line = (type: string, more: object) => ({ type, session_id: 's', ...more })
  const part = (event: object) => line('stream_event', { event, parent_tool_use_id: null })
  const start = (id: string) => part({ type: 'message_start', message: { id } })
  const delta = (text: string) =>
    part({ type: 'content_block_delta', delta: { type: 'text_delta', text } })
  const whole = (id: string, text: string, more = {}) =>
    line('assistant', { message: { id, content: [{ type: 'text', text }] }, ...more })

  it('starts a turn over that broke off while it streamed', async () => {
    const { events } = await readText(
      lines(
        line('system', { subtype: 'init' }),
        start('m1'),
        delta('I will'),
        line('system', { subtype: 'api_retry' }),
        start('m2'),
        delta('I will look.'),
        whole('m2', 'I will look.'),
      ),
    )
    expect(told(events)).toEqual(['turn-start', 'text I will', 'retry', 'text I will look.'])
  })

  it('leaves out words of the program, and takes only the repeated lines of a person for requests', async () => {
    const said = (content: string, more = {}) => line('user', { message: { content }, ...more })
    const { events } = await readText(
      lines(
        line('system', { subtype: 'init' }),
        said('Fix it', { isReplay: true }),
        whole('m1', 'API Error', { error: 'server_error' }),
        said('A task has ended.', { isSynthetic: true }),
        said('Find it', { parent_tool_use_id: 'a' }),
        line('system', { subtype: 'compact_boundary' }),
      ),
    )
    expect(told(events)).toEqual(['prompt Fix it', 'a: prompt Find it', 'compaction'])
  })
})

describe('the stream of Codex', () => {
  const item = (stage: string, id: string, more: object) => ({
    type: `item.${stage}`,
    item: { id, ...more },
  })

  it('tells patches, plans, searches and the tools of servers', async () => {
    const mcp = { type: 'mcp_tool_call', server: 'docs', tool: 'find', arguments: { q: 'x' } }
    const patch = { type: 'file_change', changes: [{ path: 'a.ts', kind: 'update' }] }
    const { events } = await readText(
      lines(
        { type: 'thread.started', thread_id: 't' },
        item('completed', 'i0', { type: 'error', message: 'a note of the program' }),
        item('started', 'i1', mcp),
        item('completed', 'i1', { ...mcp, error: { message: 'no server' }, status: 'failed' }),
        item('started', 'i2', patch),
        item('completed', 'i2', { ...patch, status: 'completed' }),
        item('started', 'i3', { type: 'todo_list', items: [{ text: 'one', completed: false }] }),
        item('completed', 'i4', { type: 'web_search', query: 'login' }),
        { type: 'turn.failed', error: { message: 'no' } },
      ),
    )
    expect(told(events)).toEqual([
      'call i1 docs.find {"q":"x"}',
      'result i1 failed "no server"',
      'call i2 apply_patch undefined',
      'result i2 "completed: a.ts"',
      'call i3 update_plan {"plan":[{"text":"one","completed":false}]}',
      'result i3 "Plan updated"',
      'call i4 web_search {"query":"login"}',
      'result i4 ""',
      'turn-end',
    ])
  })

  it.each([
    ["/bin/bash -lc 'ls -l'", 'ls -l'],
    ['bash -lc ls', 'ls'],
    [`/bin/zsh -lc "echo 'a' \\"\\$b\\""`, `echo 'a' "$b"`],
    ["/bin/bash -lc 'a' 'b'", "/bin/bash -lc 'a' 'b'"],
    ['ls -l', 'ls -l'],
  ])('tells the command within the shell: %s', async (command, bare) => {
    const run = item('started', 'i', { type: 'command_execution', command })
    const { events } = await readText(lines({ type: 'thread.started', thread_id: 't' }, run))
    expect(events).toEqual([{ type: 'tool-call', id: 'i', name: 'shell', args: { command: bare } }])
  })
})

describe('the stream of Gemini CLI', () => {
  it('tells requests, turns and errors of tools', async () => {
    const line = (type: string, more: object) => ({
      type,
      timestamp: '2026-11-16T20:16:10Z',
      ...more,
    })
    const { events } = await readText(
      lines(
        line('init', { session_id: 's', model: 'gemini' }),
        line('message', { role: 'user', content: 'Fix it' }),
        line('tool_use', { tool_name: 'read', tool_id: '1', parameters: {} }),
        line('tool_result', { tool_id: '1', status: 'error', error: { message: 'no such file' } }),
        line('message', { role: 'assistant', content: 'No.', delta: true }),
        line('error', { severity: 'error', message: 'Loop detected, stopping execution' }),
      ),
    )
    expect(told(events)).toEqual([
      'prompt Fix it',
      'turn-start',
      'call 1 read {}',
      'result 1 failed "no such file"',
      'turn-start',
      'text No.',
    ])
  })
})

describe('the stream of opencode', () => {
  it('tells tools that were refused, and ends with an error', async () => {
    const part = { type: 'tool', tool: 'read', callID: 'c', messageID: 'm' }
    const state = { status: 'error', input: {}, error: 'The user rejected permission' }
    const { events } = await readText(
      lines(
        { type: 'tool_use', sessionID: 'ses_1', part: { ...part, state } },
        { type: 'error', sessionID: 'ses_1', error: { name: 'APIError' } },
      ),
    )
    expect(told(events)).toEqual([
      'call c read {}',
      'result c failed "The user rejected permission"',
      'turn-end',
    ])
  })
})

describe('a reader of streams', () => {
  it('passes over words in front of the first line', () => {
    const reader = createStreamReader()
    expect(reader.push(Buffer.from('npm warn something\n{"a":1}\n'))).toEqual([])
    const items = reader.push(readFileSync(fixture('codex-stream.jsonl')))
    expect(items.length).toBeGreaterThan(0)
    expect(reader.summary).toMatchObject({ format: 'codex-stream', bad: 0 })
  })

  it('says that it knows nothing like it', () => {
    const plain = createStreamReader()
    plain.push(Buffer.from('Hello, I have fixed it.\n'))
    expect(plain.summary.problem).toBeUndefined()
    plain.end()
    expect(plain.summary.problem?.code).toBe('unknown-format')

    const long = createStreamReader()
    long.push(Buffer.alloc(300 * 1024, 'x'))
    expect(long.summary.problem?.code).toBe('unknown-format')

    const empty = createStreamReader()
    empty.end()
    expect(empty.summary.problem?.code).toBe('empty')
  })

  it('does not take the session of an agent for its stream', () => {
    for (const name of ['claude-code', 'codex', 'gemini-cli', 'qwen-code', 'events']) {
      const reader = createStreamReader()
      reader.push(readFileSync(fixture(`${name}.jsonl`)))
      reader.end()
      expect([name, reader.summary.format]).toEqual([name, undefined])
    }
  })
})
