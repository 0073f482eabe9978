import { describe, expect, test } from 'vitest'
import { chooseMoves, leaveEachOut, scoreOf, type Watch } from './leave-out.js'
import type { Outcome } from './metrics.js'
import { type Move, nameOf } from './moves.js'
import type { SweptRun } from './sweep.js'

const lower: Move = { detector: 'd', option: 'limit', value: 3 }
const lowest: Move = { ...lower, value: 2 }
const other: Move = { detector: 'd', option: 'window', value: 80 }
const never: Watch = () => {
  throw new Error('no run is changed by two moves here')
}

describe('scoreOf', () => {
  test('a wrong stop costs more than several loops bring', () => {
    const rest = Array.from({ length: 15 }, () => run('a', 'loop', 'stopped'))
    const missed = [...rest, ...Array.from({ length: 5 }, () => run('a', 'loop', 'missed'))]
    const found = [...rest, ...Array.from({ length: 5 }, () => run('a', 'loop', 'stopped'))]
    const quiet = run('a', 'honest', 'quiet')
    const stopped = run('a', 'honest', 'stopped')
    expect(scored([...found, quiet])).toBeGreaterThan(scored([...missed, quiet]))
    expect(scored([...found, stopped])).toBeLessThan(scored([...missed, quiet]))
  })

  test('advice on a native session costs more than a loop brings', () => {
    const [missed, advised] = [run('a', 'loop', 'missed'), run('a', 'loop', 'advised')]
    const [quiet, flagged] = [run('a', 'native', 'quiet'), run('a', 'native', 'advised')]
    expect(scored([advised, quiet])).toBeGreaterThan(scored([missed, quiet]))
    expect(scored([advised, flagged])).toBeLessThan(scored([missed, quiet]))
  })

  test('sooner is better, all else equal', () => {
    expect(scored([run('a', 'loop', 'advised', 1)])).toBeGreaterThan(
      scored([run('a', 'loop', 'advised', 9)]),
    )
  })
})

describe('chooseMoves', () => {
  test('takes what helps, once per option, the best value of it', () => {
    const runs = [
      run('a', 'loop', 'missed', 0, [lower, 'advised'], [lowest, 'advised']),
      run('a', 'loop', 'missed', 0, [lowest, 'advised']),
    ]
    expect(chooseMoves(runs, [lower, lowest, other], never)).toEqual([lowest])
  })

  test('leaves alone what changes nothing, or what costs too much', () => {
    const runs = [
      run('a', 'loop', 'missed', 0, [lower, 'advised']),
      run('a', 'honest', 'quiet', 0, [lower, 'stopped']),
    ]
    expect(chooseMoves(runs, [lower, other], never)).toEqual([])
  })

  test('asks what two moves do together before it makes the second', () => {
    const both: SweptRun[] = [
      run('a', 'loop', 'missed', 0, [lower, 'advised'], [other, 'advised']),
      run('a', 'loop', 'missed', 0, [lower, 'advised']),
    ]
    const asked: string[] = []
    const watch: Watch = (_run, moves) => {
      asked.push(moves.map(nameOf).join(' + '))
      return outcome('a', true, 'advised')
    }
    expect(chooseMoves(both, [other, lower], watch)).toEqual([lower])
    expect(new Set(asked)).toEqual(new Set(['d.limit = 3 + d.window = 80']))
  })
})

describe('leaveEachOut', () => {
  const runs = [
    run('a', 'loop', 'missed', 0, [lower, 'advised']),
    run('b', 'loop', 'missed', 0, [lower, 'advised']),
    run('b', 'honest', 'quiet', 0, [lower, 'stopped']),
    run('b', 'native', 'quiet', 0, [lower, 'stopped']),
  ]
  const left = leaveEachOut(runs, [lower], never)

  test('chooses without the source that is measured', () => {
    expect(left.map(({ source, chosen }) => [source, chosen])).toEqual([
      ['a', []],
      ['b', [lower]],
    ])
  })

  test('measures every run of every source once', () => {
    expect(left.map(({ measured }) => measured.length)).toEqual([1, 3])
    const ofB = left[1]?.measured.map(({ outcome }) => [outcome.advice.found, outcome.stops.wrong])
    expect(ofB).toEqual([
      [true, false],
      [false, true],
      [false, true],
    ])
  })
})

type End = 'missed' | 'quiet' | 'advised' | 'stopped'

function run(
  source: string,
  what: 'loop' | 'honest' | 'native',
  usual: End,
  delay = 0,
  ...moved: [Move, End][]
): SweptRun {
  const isLoop = what === 'loop'
  return {
    sections: [what === 'native' ? 'native' : 'labelled'],
    usual: outcome(source, isLoop, usual, delay),
    moved: new Map(moved.map(([move, end]) => [nameOf(move), outcome(source, isLoop, end)])),
  }
}

function outcome(family: string, loop: boolean, end: End, delay = 0): Outcome {
  const seen = (isSeen: boolean) => ({
    found: isSeen && loop,
    early: false,
    wrong: isSeen && !loop,
    ...(isSeen && { at: 1, delay }),
  })
  const advice = seen(end === 'advised' || end === 'stopped')
  return { id: 'x', kind: 'k', family, loop, talks: true, advice, stops: seen(end === 'stopped') }
}

const scored = (runs: readonly SweptRun[]) =>
  scoreOf(runs.map(({ sections, usual }) => ({ sections, outcome: usual })))
