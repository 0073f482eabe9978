import { describe, expect, it } from 'vitest'
import { fixture, readAll, told } from './read.js'

describe('a session of qwen-code', () => {
  it('tells requests, thoughts, calls, answers, tokens and sub-agents', async () => {
    const { items, events, summary } = await readAll(fixture('qwen-code.jsonl'))
    expect(summary).toMatchObject({ format: 'qwen-code', records: 12, used: 9, bad: 0 })
    expect(items[0]?.run).toMatchObject({ session: 'q-1', project: '/home/ada/shop' })
    expect(told(events)).toEqual([
      'prompt Why does the login test fail?',
      'turn-start',
      'reasoning The test may read a file.',
      'text I will look.',
      'call c1 read_file {"absolute_path":"/home/ada/shop/login.ts"}',
      'call c2 run_shell_command {"command":"npm test"}',
      'usage 900 100 50',
      'result c1 "export function login() {}"',
      'result c2 failed "exit code 1"',
      'agent-7: prompt Find the caller.',
      'agent-7: turn-start',
      'agent-7: call c3 grep {"pattern":"login"}',
      'compaction',
      'turn-start',
      'text It fails.',
      'prompt Write it anew.',
    ])
  })
})
