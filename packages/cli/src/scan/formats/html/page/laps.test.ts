import { describe, expect, it } from 'vitest'
import type { Evidence } from '../../../run-report.js'
import { lapsOf } from './laps.js'

const call = (text: string, line = 1): Evidence => ({ line, kind: 'call', text: `calls ${text}` })
const answer = (text: string, line = 2): Evidence => ({
  line,
  kind: 'answer',
  text: `answer: ${text}`,
})
const texts = (evidence: Evidence[], period: number) =>
  lapsOf({ evidence, period }).map((lap) => lap.map((cell) => cell.evidence.text))

describe('laps', () => {
  it('are a call and its answer each', () => {
    expect(texts([call('a()'), answer('1'), call('a()'), answer('1')], 1)).toEqual([
      ['a()', '1'],
      ['a()', '1'],
    ])
  })

  it('are as many calls as a lap has', () => {
    const lap = [call('a()'), answer('1'), call('b()'), answer('2')]
    expect(texts([...lap, ...lap, call('a()')], 2)).toEqual([
      ['a()', '1', 'b()', '2'],
      ['a()', '1', 'b()', '2'],
      ['a()'],
    ])
  })

  it('leave out what is neither said nor done, and keep what comes before the first call', () => {
    const start: Evidence = { line: 0, kind: 'thought', text: 'thinks: hm' }
    const usage: Evidence = { line: 3, kind: 'other', text: 'usage' }
    expect(texts([start, call('a()'), usage, answer('1')], 1)).toEqual([['hm'], ['a()', '1']])
  })

  it('are one text each where nothing was called', () => {
    const said: Evidence = { line: 1, kind: 'text', text: 'says: I will try again.' }
    expect(texts([said, said], 20)).toEqual([['I will try again.'], ['I will try again.']])
    expect(texts([], 1)).toEqual([])
  })

  it('mark what differs from the lap before, and what is the same', () => {
    const [, second] = lapsOf({
      evidence: [call('a(x=1)'), answer('ok'), call('a(x=23)'), answer('ok')],
      period: 1,
    })
    expect(second?.map(({ isSame }) => isSame)).toEqual([false, true])
    expect(second?.[0]?.pieces).toEqual([
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
      const cells = lapsOf({ evidence: [call(before), call(after)], period: 1 })[1]
      expect(cells?.[0]?.pieces.map(({ text }) => text).join('')).toBe(after)
    }
  })
})
