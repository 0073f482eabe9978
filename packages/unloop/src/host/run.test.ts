import { expect, it } from 'vitest'
import type { AgentEvent } from '../event.js'
import { findingOf } from '../finding.js'
import { createGuard } from '../guard.js'
import { runOf } from './run.js'

const READ: AgentEvent = { type: 'tool-call', id: 'a', name: 'read_file', args: { path: 'a' } }

it('shows the calls of a turn again after a retry', () => {
  const run = runOf(createGuard())
  const shown = (event: AgentEvent) => {
    const before = run.guard.events
    run.decide(event)
    return run.guard.events > before
  }
  run.decide({ type: 'turn-start' })
  expect([shown(READ), shown(READ)]).toEqual([true, false])
  run.decide({ type: 'retry' })
  expect([shown(READ), shown(READ)]).toEqual([true, false])
})

it('knows the answer to a call from before a retry', () => {
  const run = runOf(createGuard())
  run.decide({ type: 'turn-start' })
  run.decide(READ)
  run.decide({ type: 'retry' })
  run.decide({ type: 'tool-result', id: 'a', output: 'x' })
  expect(run.calls).toMatchObject([{ id: 'a', answer: { type: 'go' } }])
})

it('climbs the ladder with what somebody else found', () => {
  const run = runOf(createGuard())
  const found = () =>
    run.report(findingOf('judge', 'stuck', 'it is stuck', 'Stop.', run.guard.events))
  const verdicts = Array.from({ length: 3 }, () => {
    run.decide({ type: 'turn-start' })
    return { type: found().type, advice: run.takeAdvice() }
  })
  expect(verdicts).toEqual([
    { type: 'go', advice: 'Stop.' },
    { type: 'go', advice: 'Stop.' },
    { type: 'stop', advice: undefined },
  ])
  expect(run.stopped?.detector).toBe('judge')
})

it('denies a task that is handed to and fro', () => {
  const run = runOf(createGuard())
  const types = Array.from({ length: 20 }, (_, at) => {
    const [agent, to] = at % 2 === 0 ? ['sales', 'support'] : ['support', 'sales']
    return run.decide({ type: 'handoff', agent, to, text: 'The order is late.' } as AgentEvent).type
  })
  expect(types).toContain('deny')
  expect(types.indexOf('deny')).toBeLessThan(types.indexOf('stop'))
})
