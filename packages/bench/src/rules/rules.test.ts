import type { AgentEvent } from 'unloop'
import { expect, test } from 'vitest'
import { openHandsRule } from './open-hands.js'
import { openRouterRule } from './open-router.js'
import { openCodeRule } from './opencode.js'
import { canonical, type Rule } from './rule.js'
import { stellaRule } from './stella.js'

test('canonical JSON does not depend on the order of keys', () => {
  expect(canonical({ b: [1, { d: 1, c: 2 }], a: null })).toBe(
    canonical({ a: null, b: [1, { c: 2, d: 1 }] }),
  )
})

test('the same call and answer: at the fourth, third, third; across steps never for opencode', () => {
  const run = Array.from({ length: 8 }, () => step('read', { path: 'a' }, 'text'))
  expect(firstStep(openHandsRule, run)).toBe(4)
  expect(firstStep(stellaRule, run)).toBe(3)
  expect(firstStep(openRouterRule, run)).toBe(3)
  expect(firstStep(openCodeRule, run)).toBeUndefined()
})

test('an answer that changes excuses the call where answers are looked at', () => {
  const run = Array.from({ length: 8 }, (_, index) => step('poll', {}, `line ${index}`))
  expect(firstStep(openHandsRule, run)).toBeUndefined()
  expect(firstStep(stellaRule, run)).toBeUndefined()
  expect(firstStep(openRouterRule, run)).toBe(3)
})

test('two calls in turn', () => {
  const run = Array.from({ length: 10 }, (_, index) =>
    step('read', { path: index % 2 }, `${index % 2}`),
  )
  expect(firstStep(openHandsRule, run)).toBe(6)
  expect(firstStep(stellaRule, run)).toBe(5)
  expect(firstStep(openRouterRule, run)).toBeUndefined()
})

test('OpenHands: another thought makes it another action', () => {
  const run = Array.from({ length: 8 }, (_, index) => step('read', {}, 'text', `try ${index}`))
  expect(firstStep(openHandsRule, run)).toBeUndefined()
})

test('OpenHands: three messages without an action', () => {
  const run = Array.from({ length: 6 }, (_, index): AgentEvent[] => [
    { type: 'turn-start' },
    { type: 'text', text: `thinking ${index}` },
    { type: 'turn-end' },
  ])
  expect(firstStep(openHandsRule, run)).toBe(3)
})

test('stella: six different calls of one tool with the same answer', () => {
  const run = Array.from({ length: 9 }, (_, index) => step('search', { q: index }, 'none'))
  expect(firstStep(stellaRule, run)).toBe(6)
})

test('stella: a repeated call is excused while another one gets a new answer', () => {
  const run = Array.from({ length: 9 }, (_, index) =>
    index % 3 === 0
      ? step('status', {}, 'clean')
      : step('test', { run: index % 3 }, `${index} failed`),
  )
  expect(firstStep(stellaRule, run)).toBeUndefined()
})

test('OpenRouter: the same tail of words at the end of a message', () => {
  const run: AgentEvent[][] = [
    [
      { type: 'turn-start' },
      { type: 'text', text: 'I will do it now. '.repeat(5) },
      { type: 'turn-end' },
    ],
  ]
  expect(firstStep(openRouterRule, run)).toBe(1)
})

test('opencode: three equal calls in one message, unless something is said in between', () => {
  const call: AgentEvent = { type: 'tool-call', name: 'read', args: { path: 'a' } }
  const words: AgentEvent = { type: 'text', text: 'again' }
  expect(firstStep(openCodeRule, [[call, call, call]])).toBe(1)
  expect(firstStep(openCodeRule, [[call, call, words, call]])).toBeUndefined()
})

test('what ends the run: the first report, the third, the sixth round, the question', () => {
  const run = Array.from({ length: 8 }, () => step('read', { path: 'a' }, 'text'))
  expect(firstStep(openHandsRule, run, true)).toBe(4)
  expect(firstStep(stellaRule, run, true)).toBe(5)
  expect(firstStep(openRouterRule, run, true)).toBe(6)
  const call: AgentEvent = { type: 'tool-call', name: 'read', args: { path: 'a' } }
  expect(firstStep(openCodeRule, [[call, call, call]], true)).toBe(1)
})

let ids = 0

function step(name: string, args: unknown, output: unknown, thought = ''): AgentEvent[] {
  const id = `c${ids++}`
  return [
    { type: 'turn-start' },
    ...(thought ? [{ type: 'text', text: thought } as const] : []),
    { type: 'tool-call', id, name, args },
    { type: 'tool-result', id, output },
  ]
}

function firstStep(rule: Rule, steps: AgentEvent[][], mustStop = false): number | undefined {
  const observe = rule.start()
  observe({ type: 'prompt' })
  for (const [index, events] of steps.entries()) {
    for (const event of events) {
      const said = observe(event)
      if (said && (said.stops || !mustStop)) return index + 1
    }
  }
  return undefined
}
