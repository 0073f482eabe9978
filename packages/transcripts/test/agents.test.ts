import { describe, expect, it } from 'vitest'
import { fixture, readAll, told } from './read.js'

const request = 'prompt Why does the login test fail?'

describe('a task of Cline', () => {
  it('tells calls that stand in the text, and tokens from the file beside it', async () => {
    const { events, summary } = await readAll(fixture('cline/api_conversation_history.json'))
    expect(summary).toMatchObject({ format: 'cline', records: 11, used: 10, skipped: 1, bad: 0 })
    expect(told(events)).toEqual([
      request,
      'turn-start',
      'reasoning I should read it.',
      'text I will look.',
      'call  read_file {"path":"login.ts"}',
      'usage 610 100 20',
      'result read_file "export function login() {}"',
      'turn-start',
      'call  execute_command {"command":"npm test","requires_approval":"false"}',
      'usage 710 100 30',
      'result execute_command failed "The tool execution failed with the following error:\\n<error>\\nexit code 1\\n</error>"',
      'turn-start',
      'text It fails.',
      'turn-start',
      'text Once more.',
      'call toolu_1 read_file {"path":"login.ts"}',
      'result toolu_1 "export function login() {}"',
      'turn-start',
      'call  attempt_completion {"result":"It fails."}',
      'result attempt_completion "The user has provided feedback on the results.\\n<feedback>\\nWrite it anew.\\n</feedback>"',
      'prompt Write it anew.',
    ])
  })
})

describe('a conversation of OpenHands', () => {
  const story = [
    request,
    'turn-start',
    'reasoning The test may read a file.',
    'text I will look.',
    'call call_1 terminal {"command":"cat login.ts","is_input":false}',
    'call call_2 terminal {"command":"npm test","is_input":false}',
    'result call_1 "export function login() {}"',
    'result call_2 failed "1 failed"',
    'turn-start',
    'call call_3 file_editor {"command":"view"}',
    'result call_3 failed "path is missing"',
    'compaction',
    'turn-start',
    'text It fails.',
  ]

  it('is a folder with a file for each event', async () => {
    const { items, events, summary } = await readAll(fixture('openhands'))
    expect(summary).toMatchObject({ format: 'openhands', records: 11, used: 9, bad: 0 })
    expect(told(events)).toEqual(story)
    expect(items[0]).toMatchObject({
      line: 2,
      file: fixture('openhands/events/event-00001-e1.json'),
    })
  })

  it('may be lines', async () => {
    const { events, summary } = await readAll(fixture('openhands-events.jsonl'))
    expect(summary).toMatchObject({ format: 'openhands-events', records: 11, used: 9, bad: 0 })
    expect(told(events)).toEqual(story)
  })

  it('had another shape before version 1', async () => {
    const { events, summary } = await readAll(fixture('openhands-old.json'))
    expect(summary).toMatchObject({ format: 'openhands-events', records: 8, used: 6, bad: 0 })
    expect(told(events)).toEqual([
      request,
      'turn-start',
      'text I will look.',
      'call toolu_1 execute_bash {"command":"npm test"}',
      'usage 1000 100 50',
      'result toolu_1 failed "1 failed"',
      'turn-start',
      'call 4 read {"path":"login.ts"}',
      'usage 1100 200 20',
      'result 4 failed "no such file"',
      'turn-start',
      'text It fails.',
    ])
  })
})

describe('a trajectory', () => {
  it('of SWE-agent has a command and an answer for each step', async () => {
    const { events, summary } = await readAll(fixture('swe-agent.traj'))
    expect(summary).toMatchObject({ format: 'swe-agent', records: 7, used: 3, bad: 0 })
    expect(told(events)).toEqual([
      'prompt',
      'turn-start',
      'text DISCUSSION\nI will look.',
      'call step-1 open {"command":"open \\"login.ts\\""}',
      'result step-1 "[File: login.ts (1 lines total)]\\n1:export function login() {}"',
      'turn-start',
      'call step-2 npm {"command":"npm test"}',
      'result step-2 "1 failed"',
      'turn-start',
      'text Hm.',
      'call step-3 bash {"command":""}',
      'result step-3 "Your output was not formatted correctly."',
      'usage 1000 0 100',
    ])
    expect(events.at(-1)).toMatchObject({ type: 'usage', cost: 0.1 })
  })

  it('of mini-swe-agent has its commands in the text', async () => {
    const { events, summary } = await readAll(fixture('mini-swe-agent.traj.json'))
    expect(summary).toMatchObject({ format: 'mini-swe-agent', used: 7, bad: 0 })
    const usage = events.filter((event) => event.type === 'usage')
    expect(usage.map(({ cost }) => cost)).toEqual([0.1 / 3, 0.1 / 3, 0.1 / 3])
    expect(told(events.filter((event) => event.type !== 'usage')).slice(0, 7)).toEqual([
      request,
      'turn-start',
      'text THOUGHT: I will look.',
      'call call-1 bash {"command":"cat login.ts"}',
      'result call-1 "<returncode>0</returncode>\\n<output>\\nexport function login() {}\\n</output>"',
      'turn-start',
      'text THOUGHT: And now the test.',
    ])
    expect(events.filter((event) => event.type === 'tool-result' && event.isError)).toHaveLength(1)
  })

  it('of mini-swe-agent may have calls', async () => {
    const { events, summary } = await readAll(fixture('mini-swe-agent-calls.traj.json'))
    expect(summary).toMatchObject({ format: 'mini-swe-agent', bad: 0 })
    expect(told(events)).toEqual([
      request,
      'turn-start',
      'call call_1 bash {"command":"npm test"}',
      'result call_1 failed "<returncode>1</returncode>\\n<output>\\n1 failed\\n</output>"',
    ])
  })
})

describe('traces as OTLP JSON', () => {
  it('tell a call once, though the span of the model and that of the tool both do', async () => {
    const { items, events, summary } = await readAll(fixture('otlp.jsonl'))
    expect(summary).toMatchObject({ format: 'otlp', records: 3, used: 3, bad: 0, runs: 2 })
    expect(told(events)).toEqual([
      request,
      'turn-start',
      'reasoning The test may read a file.',
      'call call_1 bash {"command":"npm test"}',
      'usage 100 0 20',
      'result call_1 failed "1 failed"',
      'turn-start',
      'text It fails.',
      'usage 140 0 5',
      'call call_9 read {"path":"login.ts"}',
      'result call_9 "\\"export\\""',
    ])
    expect(items[0]?.run).toMatchObject({ session: 'conv-1', model: 'gpt-6' })
  })
})
