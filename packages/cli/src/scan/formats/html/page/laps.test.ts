import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../../run-report.js'
import { lapsOf } from './laps.js'

const call = (text: string, line = 1): Evidence => ({ line, kind: 'call', text: `calls ${text}` })
const answer = (text: string, line = 2): Evidence => ({
  line,
  kind: 'answer',
  text: `answer: ${text}`,
})
/** The rows of the table, lap beside lap. */
const texts = (evidence: Evidence[], period: number) =>
  lapsOf({ evidence, period }).rows.map(({ cells }) => cells.map((cell) => cell?.evidence.text))

describe('laps', () => {
  it('are a call and its answer each', () => {
    expect(texts([call('a()'), answer('1'), call('a()'), answer('2')], 1)).toEqual([
      ['a()', 'a()'],
      ['1', '2'],
    ])
  })

  it('are as many calls as a lap has', () => {
    const lap = [call('a()'), answer('1'), call('b()'), answer('2')]
    expect(texts([...lap, ...lap, call('a()')], 2)).toEqual([
      ['a()', 'a()', 'a()'],
      ['1', '1', undefined],
      ['b()', 'b()', undefined],
      ['2', '2', undefined],
    ])
  })

  it('are in line although something was said in one of them, or a call failed', () => {
    const said: Evidence = { line: 3, kind: 'text', text: 'says: Hm.' }
    const error: Evidence = { line: 2, kind: 'error', text: 'error: no' }
    const lap = [call('a()'), answer('1'), call('b()'), error]
    expect(texts([call('a()'), said, answer('1'), call('b()'), answer('2'), ...lap], 2)).toEqual([
      ['a()', 'a()'],
      ['1', '1'],
      ['Hm.', undefined],
      ['b()', 'b()'],
      ['2', 'no'],
    ])
  })

  it('leave out what is neither said nor done, and what came before the first call', () => {
    const start: Evidence = { line: 0, kind: 'thought', text: 'thinks: hm' }
    const usage: Evidence = { line: 3, kind: 'other', text: 'usage' }
    const evidence = [start, call('a()'), usage, answer('1')]
    expect(texts(evidence, 1)).toEqual([['a()'], ['1']])
    expect(lapsOf({ evidence, period: 1 }).before.map(({ text }) => text)).toEqual(['hm'])
  })

  it('are one text each where nothing was called', () => {
    const said: Evidence = { line: 1, kind: 'text', text: 'says: I will try again.' }
    expect(texts([said, said], 20)).toEqual([['I will try again.', 'I will try again.']])
    expect(texts([], 1)).toEqual([])
  })

  it('mark what differs from the lap before, and what is the same', () => {
    const { rows } = lapsOf({
      evidence: [call('a(x=1)'), answer('ok'), call('a(x=23)'), answer('ok')],
      period: 1,
    })
    expect(rows.map(({ cells }) => cells[1]?.isSame)).toEqual([false, true])
    expect(rows[0]?.cells[1]?.pieces).toEqual([
      { text: 'a(x=', isNew: false },
      { text: '23', isNew: true },
      { text: ')', isNew: false },
    ])
  })

  it('lose no letter, whatever differs', () => {
    for (const [before, after] of [
      ['aa', 'a'],
      ['', 'x y'],
      ['a b a', 'a b b a'],
      ['😀 one', '😀 two'],
      ['same', 'same '],
    ] as const) {
      const { rows } = lapsOf({ evidence: [call(before), call(after)], period: 1 })
      expect(rows[0]?.cells[1]?.pieces.map(({ text }) => text).join('')).toBe(after)
    }
  })
})
