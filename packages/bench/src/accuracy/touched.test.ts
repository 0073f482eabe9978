import type { AgentEvent } from 'unloop'
import { expect, test } from 'vitest'
import { generateCases } from '../cases/generate.js'
import { guardContender } from './contenders.js'
import { judgeRun } from './judge-run.js'
import { listMoves, nameOf, settingsOf } from './moves.js'
import type { SourceRun } from './sources.js'
import { sweepRun } from './sweep.js'

const moves = listMoves()

test('every number of a default detector is moved, and never to its default or below two repeats', () => {
  const limits = moves.filter(({ detector, option }) => `${detector}.${option}` === 'failing.limit')
  expect(limits.length).toBeGreaterThan(3)
  expect(moves.every(({ value }) => value > 0)).toBe(true)
  expect(limits.every(({ value }) => value >= 2)).toBe(true)
  expect(new Set(moves.map(nameOf)).size).toBe(moves.length)
})

test('a move that touches nothing leaves a run as it is, and one that does is watched', () => {
  const steps = Array.from({ length: 6 }, (_, index): AgentEvent[] => [
    { type: 'turn-start' },
    { type: 'tool-call', id: `${index}`, name: 'read_file', args: { path: 'a.ts' } },
    { type: 'tool-result', id: `${index}`, output: 'export const a = 1' },
  ])
  const run = known({ events: [{ type: 'prompt', text: 'Read a.ts.' }, ...steps.flat()] })
  const { usual, moved } = sweepRun(run, moves)
  expect(usual.advice.at).toBeDefined()
  expect([...moved.keys()].some((name) => name.startsWith('repeated-call.'))).toBe(true)
  expect([...moved.keys()].some((name) => name.startsWith('chanting.'))).toBe(false)
})

test('what is skipped would have changed nothing', () => {
  const cases = [...generateCases(3, 1)].filter((_, index) => index % 19 === 0)
  for (const { id, events, loop } of cases) {
    const run = known({ id, events, loop })
    const { usual, moved } = sweepRun(run, moves)
    const skipped = moves.filter((move) => !moved.has(nameOf(move)))
    for (const move of skipped.filter((_, index) => index % 29 === 0)) {
      const outcome = judgeRun(guardContender('moved', settingsOf([move])), run)
      expect([id, nameOf(move), outcome.advice, outcome.stops]).toEqual([
        id,
        nameOf(move),
        usual.advice,
        usual.stops,
      ])
    }
  }
})

const known = (run: Partial<SourceRun>): SourceRun => ({
  id: 'a',
  kind: 'k',
  family: 'f',
  loop: true,
  events: [],
  sections: ['labelled'],
  ...run,
})
