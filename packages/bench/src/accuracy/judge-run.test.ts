import type { AgentEvent } from 'unloop'
import { describe, expect, test } from 'vitest'
import type { Contender } from './contenders.js'
import { judgeRun, type KnownRun, talks } from './judge-run.js'

const recorded: KnownRun = {
  id: 'a',
  kind: 'k',
  family: 'f',
  loop: true,
  evidentAt: 20,
  isText: true,
  events: [],
}
const generated: KnownRun = { ...recorded, secondRepeatAt: 10 }

describe('a recorded loop', () => {
  test('is found by an alarm near it', () => {
    expect(judgeRun(alarmsAt(23), recorded).advice).toMatchObject({ found: true, delay: 3 })
    expect(judgeRun(alarmsAt(12), recorded).advice).toMatchObject({ found: true, delay: -8 })
  })

  test('is not found, and nothing is wrong, if the only alarm came long before', () => {
    const { advice } = judgeRun(alarmsAt(11), recorded)
    expect(advice).toEqual({ found: false, early: true, wrong: false, at: 11 })
  })

  test('is found by a later alarm after an early one', () => {
    expect(judgeRun(alarmsAt(3, 21), recorded).advice).toMatchObject({
      found: true,
      early: true,
      wrong: false,
      delay: 1,
    })
  })
})

test('advice and stops are counted separately', () => {
  const { advice, stops } = judgeRun(alarmsAt(20, -25), recorded)
  expect([advice.delay, stops.delay]).toEqual([0, 5])
  expect(judgeRun(alarmsAt(20), recorded).stops).toEqual({
    found: false,
    early: false,
    wrong: false,
  })
  const honest = judgeRun(alarmsAt(20, -25), { ...recorded, loop: false })
  expect([honest.advice.wrong, honest.stops.wrong]).toEqual([true, true])
})

describe('a generated loop', () => {
  test('may be advised up to eight events before its second repeat', () => {
    expect(judgeRun(alarmsAt(2), generated).advice).toMatchObject({ found: true, wrong: false })
    expect(judgeRun(alarmsAt(1), generated).advice).toMatchObject({ found: false, wrong: true })
    expect(judgeRun(alarmsAt(1, 21), generated).advice).toMatchObject({
      found: true,
      wrong: true,
      early: false,
      delay: 1,
    })
  })

  test('may not be stopped before it', () => {
    expect(judgeRun(alarmsAt(-10), generated).stops).toMatchObject({ found: true, wrong: false })
    expect(judgeRun(alarmsAt(-9), generated).stops).toMatchObject({ found: false, wrong: true })
  })
})

test('any alarm on honest work is false', () => {
  const honest = { ...recorded, loop: false }
  expect(judgeRun(alarmsAt(50), honest).advice).toMatchObject({ found: false, wrong: true })
  expect(judgeRun(alarmsAt(), honest).advice).toMatchObject({ found: false, wrong: false })
})

test('the deltas of one text are one event, late or early', () => {
  const delta: AgentEvent = { type: 'text', text: 'x' }
  const start: AgentEvent = { type: 'turn-start' }
  const events = [delta, start, delta, delta, delta, { type: 'turn-end' } as const]
  const run = { ...recorded, isText: false, evidentAt: 0, events }
  expect(judgeRun(alarmsAt(5), run).advice).toMatchObject({ delay: 3 })
  expect(judgeRun(alarmsAt(5), { ...run, isText: true }).advice).toMatchObject({ delay: 5 })
  const long = [start, ...Array.from({ length: 30 }, () => delta), start]
  const late = { ...run, events: long, evidentAt: 31 }
  expect(judgeRun(alarmsAt(0), late).advice).toMatchObject({ found: true, delay: -2 })
})

describe('an agent that talks', () => {
  const call: AgentEvent = { type: 'tool-call', name: 'x' }
  const result: AgentEvent = { type: 'tool-result' }
  const word: AgentEvent = { type: 'text', text: 'x' }

  test('says something before every other turn with a call', () => {
    expect(talks([word, call, result, call, result])).toBe(true)
    expect(talks([word, call, result, call, result, call, result])).toBe(false)
    expect(talks([word])).toBe(false)
  })

  test('has spoken once for a parallel round, and not by what came after it', () => {
    expect(talks([word, call, call, result, result])).toBe(true)
    expect(talks([call, result, { type: 'turn-start' }, word, { type: 'prompt' }])).toBe(false)
  })
})

/** Alarms at these events; a negative number is one that stops the run. */
function alarmsAt(...numbers: number[]): Contender {
  return {
    name: 'test',
    watch: () =>
      numbers.map((at) => ({ at: Math.abs(at), detector: 'd', detail: '', stops: at < 0 })),
  }
}
