import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { whyNoEvent } from '../src/index.js'
import { fixture, lines, readAll, readText } from './read.js'

describe('events, one a line', () => {
  it('come back as they were written', async () => {
    const { items, summary } = await readAll(fixture('events.jsonl'))
    const [, ...written] = readFileSync(fixture('events.jsonl'), 'utf8').trim().split('\n')
    expect(items.map(({ event }) => event)).toEqual(written.map((line) => JSON.parse(line)))
    expect(items[0]?.run).toEqual({
      format: 'event-lines',
      session: 'demo',
      program: 'my-agent',
      model: 'small',
    })
    expect(summary).toMatchObject({ records: 12, used: 11, skipped: 1, bad: 0, runs: 1 })
  })

  it('may come as one run a line', async () => {
    const { items, summary } = await readAll(fixture('event-runs.jsonl'))
    expect(summary).toMatchObject({ records: 2, used: 2, events: 16, runs: 2 })
    expect([...new Set(items.map(({ run }) => run.session))]).toEqual(['run-1', 'run-2'])
    expect(items.filter(({ number }) => number === 0)).toHaveLength(2)
  })

  it('that are none are counted and named', async () => {
    const good = { type: 'text', text: 'Hello' }
    const { events, summary } = await readText(
      lines(good, { type: 'text' }, good, 'nonsense', '[]', '', {
        type: 'tool-call',
        name: 'a',
        id: 1,
      }),
    )
    expect(events).toEqual([good, good])
    expect(summary).toMatchObject({ records: 7, used: 2, skipped: 1, bad: 4 })
    expect(summary.badRecords.map(({ line }) => line)).toEqual([2, 4, 5, 7])
    expect(summary.badRecords[0]?.reason).toBe('text without text')
  })

  it('are recognised though something is wrong with all of them, which is told', async () => {
    const wrong = { type: 'text', text: 'Hi.', at: '2026-11-15' }
    const { summary } = await readText(lines(wrong, wrong))
    expect(summary).toMatchObject({ format: 'event-lines', records: 2, bad: 2 })
    expect(summary.badRecords[0]?.reason).toBe('text whose at is not a time')
    const run = await readText(lines({ id: '1', events: [wrong] }, { id: '2', events: [wrong] }))
    expect(run.summary).toMatchObject({ format: 'event-lines', records: 2, bad: 2 })
  })

  it('are not what looks like one of them and has the members of something else', async () => {
    const part = { id: 'prt_1', sessionID: 'ses_1', messageID: 'msg_1', type: 'text', text: 'Hi.' }
    for (const space of [0, 2]) {
      const { summary } = await readText(JSON.stringify(part, null, space))
      expect(summary.problem?.code).toBe('unknown-format')
    }
    const { events } = await readText(JSON.stringify({ type: 'text', text: 'Hi.', at: 7 }))
    expect(events).toHaveLength(1)
    // among many, more than an event needs is a matter of taste
    expect((await readText(lines(part, part))).events).toHaveLength(2)
  })

  it('of a newer version are refused', async () => {
    const { summary } = await readText(lines({ unloop: 2 }, { type: 'turn-start' }))
    expect(summary.badRecords).toEqual([{ line: 1, reason: 'written by a newer version (2)' }])
  })
})

describe('what is no event', () => {
  it.each([
    [null, 'not an object'],
    [[], 'not an object'],
    [{}, 'no type'],
    [{ type: 7 }, 'no type'],
    [{ type: 'toString' }, 'no event is called "toString"'],
    [{ type: 'x'.repeat(99) }, `no event is called "${'x'.repeat(40)}"`],
    [{ type: 'handoff' }, 'handoff without to'],
    [{ type: 'tool-call', name: 'a', id: 1 }, 'tool-call whose id is not a text'],
    [{ type: 'prompt', text: ['a'] }, 'prompt whose text is not a text'],
    [{ type: 'retry', at: '2026-11-15' }, 'retry whose at is not a time'],
    [{ type: 'retry', at: Number.NaN }, 'retry whose at is not a time'],
    [{ type: 'retry', at: 1e300 }, 'retry whose at is not a time'],
    [{ type: 'retry', at: null }, 'retry whose at is not a time'],
    [{ type: 'usage', inputTokens: '7' }, 'usage whose inputTokens is not a number of at least 0'],
    [{ type: 'usage', outputTokens: -1 }, 'usage whose outputTokens is not a number of at least 0'],
    [
      { type: 'usage', cachedTokens: Infinity },
      'usage whose cachedTokens is not a number of at least 0',
    ],
  ])('is told of %j', (value, reason) => expect(whyNoEvent(value)).toBe(reason))

  it('is nothing that has what its type needs', () => {
    expect(whyNoEvent({ type: 'tool-result', output: [1], more: 2 })).toBeUndefined()
    expect(whyNoEvent({ type: 'usage', at: 0, inputTokens: 0, outputTokens: 2 })).toBeUndefined()
  })
})
