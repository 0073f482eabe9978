import { describe, expect, it } from 'vitest'
import { fixture, lines, readAll, readText, told } from './read.js'

const head = { sessionId: 's', projectHash: 'p', startTime: '2026-11-04T08:00:00.000Z' }
const user = (id: string, text: string) => ({ id, type: 'user', content: [{ text }] })
const answer = (id: string, content: string, more = {}) => ({
  id,
  type: 'gemini',
  content,
  ...more,
})

describe('a session of Gemini CLI', () => {
  it('tells each message once, though it is written again as it grows', async () => {
    const { events, summary } = await readAll(fixture('gemini-cli.jsonl'))
    expect(summary).toMatchObject({ format: 'gemini-cli', records: 17, used: 11, bad: 0 })
    expect(told(events)).toEqual([
      'prompt Why does the login test fail?',
      'turn-start',
      'reasoning Reading\nThe test may read a file.',
      'text I will look.',
      'call read_file-1 read_file {"path":"login.ts"}',
      'call shell-2 run_shell_command {"command":"npm test"}',
      'result read_file-1 "export function login() {}"',
      'result shell-2 failed "exit code 1"',
      'usage 1200 200 42',
      'turn-start',
      'text It fails.',
      'usage 1300 0 4',
      'prompt Remove it.',
      'turn-start',
      'text Removed.',
      'prompt Write it anew.',
      'turn-start',
      'text Done.',
      'compaction',
    ])
  })

  it('is read in the form of one JSON document as well', async () => {
    const { items, events, summary } = await readAll(fixture('gemini-cli-old.json'))
    expect(summary).toMatchObject({ format: 'gemini-cli', used: 3, bad: 0 })
    expect(told(events).slice(-2)).toEqual(['turn-start', 'text It fails.'])
    expect(items[0]?.run).toMatchObject({
      session: 'old-1',
      project: 'ab12',
      model: 'gemini-3-pro',
    })
  })

  it('takes what is new at the end of a history that was replaced', async () => {
    const { events } = await readText(
      lines(head, user('a', 'One'), {
        $set: { messages: [user('a', 'One'), answer('b', 'Two'), user('c', 'Three')] },
      }),
    )
    expect(told(events)).toEqual(['prompt One', 'turn-start', 'text Two', 'prompt Three'])
  })

  it('begins anew after a rewind that no request follows', async () => {
    const { events } = await readText(
      lines(head, user('a', 'One'), answer('b', 'Two'), { $rewindTo: 'b' }, answer('c', 'Two')),
    )
    expect(told(events)).toEqual([
      'prompt One',
      'turn-start',
      'text Two',
      'prompt',
      'prompt One',
      'turn-start',
      'text Two',
    ])
  })

  it('begins anew where a history that was replaced lacks its last turns', async () => {
    const one = user('a', 'One')
    const { events } = await readText(
      lines(
        head,
        one,
        answer('b', 'Two'),
        { $set: { messages: [one] } },
        answer('c', 'Two'),
        { $set: { messages: [one, answer('c', 'Two')] } },
        answer('d', 'Three'),
      ),
    )
    expect(told(events)).toEqual([
      'prompt One',
      'turn-start',
      'text Two',
      'prompt',
      'prompt One',
      'turn-start',
      'text Two',
      'turn-start',
      'text Three',
    ])
  })

  it('tells calls without an id once, though they are written again', async () => {
    const call = { name: 'ls', args: {}, status: 'success', result: [{ text: 'a.ts' }] }
    const twice = answer('b', '', { toolCalls: [call, call] })
    const running = answer('b', '', { toolCalls: [{ ...call, status: 'executing', result: null }] })
    const { events } = await readText(lines(head, user('a', 'One'), running, twice, twice))
    expect(told(events)).toEqual([
      'prompt One',
      'turn-start',
      'call  ls {}',
      'call  ls {}',
      'result undefined "a.ts"',
      'result undefined "a.ts"',
    ])
  })

  it('names a sub-agent by its session', async () => {
    const { events } = await readText(lines({ ...head, kind: 'subagent' }, user('a', 'One')))
    expect(told(events)).toEqual(['s: prompt One'])
  })
})
