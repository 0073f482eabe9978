import { readFileSync } from 'node:fs'
import { createGuard } from 'unloop'
import { describe, expect, it } from 'vitest'
import { fixture, lines, readAll, readText, told } from './read.js'

const session = 'b7c1'
const user = (uuid: string, parentUuid: string | null, content: unknown, more = {}) => ({
  type: 'user',
  uuid,
  parentUuid,
  sessionId: session,
  message: { role: 'user', content },
  ...more,
})
const answer = (uuid: string, parentUuid: string, id: string, block: unknown, more = {}) => ({
  type: 'assistant',
  uuid,
  parentUuid,
  sessionId: session,
  message: { id, role: 'assistant', model: 'claude', content: [block] },
  ...more,
})
const call = (id: string, name: string, input: unknown) => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: string) => [{ type: 'tool_result', tool_use_id: id, content }]

describe('a transcript of Claude Code', () => {
  it('tells requests, thoughts, calls and answers, with time and tokens', async () => {
    const { items, summary } = await readAll(fixture('claude-code.jsonl'))
    expect(summary).toMatchObject({ format: 'claude-code', records: 27, used: 20, bad: 0, runs: 1 })
    expect(items[0]).toMatchObject({
      line: 3,
      number: 0,
      event: { type: 'prompt', text: 'Why does the login test fail?', at: 1793610002000 },
      run: {
        program: 'claude-code',
        session: '5f0c2f0e-6c1b-4b7c-9a35-0d6f6e1f0a11',
        project: '/home/ada/shop',
        model: 'claude-sonnet-5',
      },
    })
    const results = items.flatMap(({ event }) => (event.type === 'tool-result' ? [event] : []))
    expect(results.map(({ id, isError }) => [id, isError])).toEqual([
      ['toolu_1', undefined],
      ['toolu_2', true],
      ['toolu_4', undefined],
      ['toolu_3', undefined],
      ['toolu_5', undefined],
    ])
  })

  it('has no turn where an answer has no message', async () => {
    const { events, summary } = await readText(
      lines(user('1', null, 'Why?'), { type: 'assistant', sessionId: session }),
    )
    expect(told(events)).toEqual(['prompt Why?'])
    expect(summary.badRecords).toEqual([{ line: 2, reason: 'an answer without a message' }])
  })

  it('counts the tokens of an answer once, though several lines tell them', async () => {
    const { events } = await readAll(fixture('claude-code.jsonl'))
    const [first, second] = events.filter(({ type }) => type === 'usage')
    expect(first).toMatchObject({ inputTokens: 1110, cachedTokens: 1000, outputTokens: 3 })
    expect(second).toMatchObject({ inputTokens: 0, outputTokens: 82 })
  })

  it('takes the lines of one answer for one turn', async () => {
    const { events } = await readAll(fixture('claude-code.jsonl'))
    expect(events.slice(1, 6).map(({ type }) => type)).toEqual([
      'turn-start',
      'reasoning',
      'usage',
      'tool-call',
      'tool-call',
    ])
  })

  it('names the sub-agent, by its id or by its chain', async () => {
    const { items } = await readAll(fixture('claude-code.jsonl'))
    const agents = items.filter(({ event }) => event.agent !== undefined)
    expect(agents.map(({ line }) => line)).toEqual([10, 11, 11, 11, 12])

    const side = { isSidechain: true }
    const { events } = await readText(
      lines(
        user('u', null, 'Find both'),
        user('x1', null, 'find x', side),
        user('y1', null, 'find y', side),
        answer('x2', 'x1', 'm1', call('1', 'Grep', { pattern: 'x' }), side),
        answer('y2', 'y1', 'm2', call('2', 'Grep', { pattern: 'y' }), side),
        user('x3', 'x2', result('1', 'none'), side),
      ),
    )
    expect(events.map(({ agent }) => agent)).toEqual([
      undefined,
      'side-1',
      'side-2',
      'side-1',
      'side-1',
      'side-2',
      'side-2',
      'side-1',
    ])
  })

  it('passes over what the program wrote: notes, output of commands, errors of the service', async () => {
    const { events } = await readAll(fixture('claude-code.jsonl'))
    const prompts = events.flatMap((event) => (event.type === 'prompt' ? [event.text] : []))
    expect(prompts).toEqual([
      'Why does the login test fail?',
      'Find the caller of login',
      'Then remove it.',
      'No, write it anew instead.',
      '/cost',
    ])
    expect(events.filter(({ type }) => type === 'compaction')).toHaveLength(1)
    expect(JSON.stringify(events)).not.toContain('overloaded')
  })

  it('reads a line that was written twice once', async () => {
    const twice = user('u', null, 'Hello')
    const { events, summary } = await readText(lines(twice, twice))
    expect(events).toHaveLength(1)
    expect(summary).toMatchObject({ records: 2, used: 1, skipped: 1 })
  })

  it('takes no parallel answer for a branch', async () => {
    const { events } = await readText(
      lines(
        user('u', null, 'Read both'),
        answer('a1', 'u', 'm1', call('1', 'Read', { file: 'a' })),
        answer('a2', 'a1', 'm1', call('2', 'Read', { file: 'b' })),
        user('r1', 'a1', result('1', 'A')),
        user('r2', 'a2', result('2', 'B')),
        answer('a3', 'r2', 'm2', call('3', 'Read', { file: 'c' })),
      ),
    )
    expect(events.filter(({ type }) => type === 'prompt' || type === 'retry')).toHaveLength(1)
  })

  it('takes back a turn that was answered a second time', async () => {
    const { events } = await readText(
      lines(
        user('u', null, 'Read it'),
        answer('a1', 'u', 'm1', call('1', 'Read', { file: 'a' })),
        answer('b1', 'u', 'm2', call('2', 'Read', { file: 'a' })),
      ),
    )
    expect(events.map(({ type }) => type)).toEqual([
      'prompt',
      'turn-start',
      'tool-call',
      'retry',
      'turn-start',
      'tool-call',
    ])
  })

  it('does not count a branch that was left as a repeat in the one that lives', async () => {
    const round = (n: number, parent: string, branch: string, file = 'a') => [
      answer(`a${branch}${n}`, parent, `m${branch}${n}`, call(`c${branch}${n}`, 'Read', { file })),
      user(`r${branch}${n}`, `a${branch}${n}`, result(`c${branch}${n}`, 'the same')),
    ]
    const branched = lines(
      user('u', null, 'Read it'),
      user('v', 'u', 'Continue'),
      ...round(0, 'v', 'w', 'b'),
      ...round(1, 'rw0', 'x'),
      ...round(2, 'rx1', 'x'),
      // back to the first answer, without a new request
      ...round(3, 'rw0', 'y'),
      ...round(4, 'ry3', 'y'),
    )
    const straight = lines(
      user('u', null, 'Read it'),
      ...[0, 1, 2, 3].flatMap((n) => round(n, n === 0 ? 'u' : `rz${n - 1}`, 'z')),
    )
    const found = async (text: string) => {
      const guard = createGuard()
      const { events } = await readText(text)
      return events.map(guard.observe).filter((finding) => finding !== undefined)
    }
    expect(await found(straight)).not.toEqual([])
    expect(await found(branched)).toEqual([])
  })

  it('is read the same, whether or not the long copies of answers are there', async () => {
    const content = readFileSync(fixture('claude-code.jsonl'), 'utf8')
    const records = content
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const copy = { stdout: 'x'.repeat(2000), note: ',"toolUseResult":' }
    const long = records.map((record) => ({ ...record, toolUseResult: copy }))
    const first = records.map(({ type, ...record }) => ({ type, toolUseResult: copy, ...record }))
    const plain = await readAll(fixture('claude-code.jsonl'))
    for (const variant of [long, first]) {
      const { events, summary } = await readText(lines(...variant))
      expect(events).toEqual(plain.events)
      expect(summary).toMatchObject({ records: 27, used: 20, bad: 0 })
    }
  })
})
