import type { AgentEvent } from 'unloop'
import { expect, test } from 'vitest'
import { inventedRuns, stepEnds } from './invented-runs.js'

const call: AgentEvent = { type: 'tool-call', name: 'x' }
const result: AgentEvent = { type: 'tool-result' }
const word: AgentEvent = { type: 'text', text: 'x' }
const start: AgentEvent = { type: 'turn-start' }

test('a step ends where the next begins, with and without turns', () => {
  expect(stepEnds([{ type: 'prompt' }, start, word, call, result, start, word])).toEqual([4, 6])
  expect(stepEnds([{ type: 'prompt' }, word, call, call, result, result, word, word])).toEqual([
    5, 6, 7,
  ])
  expect(stepEnds([word, { type: 'prompt' }, call, result])).toEqual([0, 3])
})

test('an invented loop is cut after sixty steps, and becomes evident before that', () => {
  for (const { id, loop, events, evidentAt } of inventedRuns(1, 1)) {
    if (!loop) continue
    expect(stepEnds(events).length, id).toBeLessThanOrEqual(60)
    expect(evidentAt, id).toBeLessThan(events.length - 1)
  }
})
