import type { AgentEvent } from 'unloop'
import { expect, test } from 'vitest'
import type { Contender } from './contenders.js'
import { judgeRun, type KnownRun } from './judge-run.js'

const loop: KnownRun = {
  id: 'a',
  kind: 'k',
  family: 'f',
  loop: true,
  secondRepeatAt: 10,
  evidentAt: 20,
  isText: true,
  events: [],
}

test('an alarm after the second repeat finds the loop', () => {
  expect(judgeRun(alarmsAt(23), loop)).toMatchObject({ found: true, falseAlarm: false, delay: 3 })
  expect(judgeRun(alarmsAt(10), loop)).toMatchObject({ found: true, falseAlarm: false, delay: -10 })
})

test('an alarm before it is false, and a later one still finds the loop', () => {
  expect(judgeRun(alarmsAt(9), loop)).toMatchObject({ found: false, falseAlarm: true })
  expect(judgeRun(alarmsAt(9, 21), loop)).toMatchObject({ found: true, falseAlarm: true, delay: 1 })
})

test('any alarm on honest work is false', () => {
  const honest = { ...loop, loop: false }
  expect(judgeRun(alarmsAt(50), honest)).toMatchObject({ found: false, falseAlarm: true })
  expect(judgeRun(alarmsAt(), honest)).toMatchObject({ found: false, falseAlarm: false })
})

test('the deltas of one text are one event of delay', () => {
  const delta: AgentEvent = { type: 'text', text: 'x' }
  const events = [
    delta,
    { type: 'turn-start' } as const,
    delta,
    delta,
    delta,
    { type: 'turn-end' } as const,
  ]
  const run = { ...loop, isText: false, secondRepeatAt: 0, evidentAt: 0, events }
  expect(judgeRun(alarmsAt(5), run)).toMatchObject({ delay: 3 })
  expect(judgeRun(alarmsAt(5), { ...run, isText: true })).toMatchObject({ delay: 5 })
})

function alarmsAt(...numbers: number[]): Contender {
  return { name: 'test', watch: () => numbers.map((at) => ({ at, detector: 'd', detail: '' })) }
}
