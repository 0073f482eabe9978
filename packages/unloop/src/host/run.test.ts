import { describe, expect, it } from 'vitest'
import type { AgentEvent } from '../event.js'
import { type Finding, findingOf } from '../finding.js'
import { createGuard } from '../guard.js'
import { presets } from '../presets/index.js'
import type { GuardOptions } from '../settings.js'
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

it('keeps the calls and the advice of a sub-agent apart', () => {
  const guard = createGuard()
  const run = runOf(guard)
  const inner = run.within('reader')
  run.decide({ type: 'turn-start' })
  run.decide({ ...READ, name: 'ask_reader' } as AgentEvent)
  for (let turn = 0; turn < 3; turn++) {
    inner.decide({ type: 'turn-start' })
    // the same id as that of the call it is in
    inner.decide(READ)
    inner.decide({ type: 'tool-result', id: 'a', output: 'x' })
  }
  expect(guard.findings).toMatchObject([{ agent: 'reader', action: 'warn' }])
  expect(run.takeAdvice()).toBeUndefined()
  expect(run.calls).toHaveLength(1)
  const restored = createGuard({}, JSON.parse(JSON.stringify(guard.snapshot())))
  expect(runOf(restored).within('reader').calls).toEqual(inner.calls)
  expect(runOf(restored).within('reader').takeAdvice()).toBe(inner.takeAdvice())
})

it('remembers that a round was refused as a whole', () => {
  const run = runOf(createGuard({ ladder: ['block', 'stop'] }))
  const calls = ['a', 'b', 'c'].map(
    (id) => ({ ...READ, id }) as typeof READ & { type: 'tool-call' },
  )
  for (let turn = 0; turn < 6 && !run.stopped; turn++) {
    run.decide({ type: 'turn-start' })
    const verdicts = run.decideRound(calls)
    expect(run.calls.slice(-3).map(({ verdict }) => verdict)).toEqual(verdicts)
    expect(new Set(verdicts.map(({ type }) => type)).size).toBe(1)
    for (const { id = '' } of calls) run.decide({ type: 'tool-result', id, output: 'x' })
  }
  expect(run.stopped).toBeDefined()
})

describe('the past', () => {
  const round = (name: string, at: number): AgentEvent[] => [
    { type: 'turn-start' },
    { type: 'tool-call', id: `${name} ${at}`, name, args: {} },
    { type: 'tool-result', id: `${name} ${at}`, output: 'the same' },
  ]
  const loop = (name = 'read_file', length = 8) =>
    Array.from({ length }, (_, at) => round(name, at)).flat()

  it.each([
    {},
    { preset: presets.deepv },
    { preset: presets['gemini-cli'] },
    { ladder: ['stop'] },
    { ladder: ['ask'] },
    { budget: { steps: 3 } },
  ] as GuardOptions[])('never stops a run, with %j', (options) => {
    const findings: Finding[] = []
    const guard = createGuard({ ...options, onFinding: (finding) => findings.push(finding) })
    const run = runOf(guard)
    run.replay([{ type: 'prompt', text: 'go' }, ...loop('read_file', 30)])
    expect(guard.stopped).toBe(false)
    expect(run.stopped).toBeUndefined()
    expect(run.outcome).toBe('ok')
    expect(() => guard.assert()).not.toThrow()
    expect(run.takeAdvice()).toBeUndefined()
    expect(new Set(run.calls.map(({ verdict }) => verdict.type))).toEqual(new Set(['go']))
    expect(findings).toEqual([])
  })

  it.each([
    ['grep', 'go'],
    ['read_file', 'stop'],
  ])('decides about %s by what it is: %s', (name, verdict) => {
    const run = runOf(createGuard())
    run.replay([{ type: 'prompt', text: 'go' }, ...loop()])
    run.decide({ type: 'turn-start' })
    expect(run.decide({ type: 'tool-call', id: 'now', name, args: {} }).type).toBe(verdict)
  })

  it('stays the past in a snapshot', () => {
    const run = runOf(createGuard())
    run.replay(loop())
    const restored = createGuard({}, JSON.parse(JSON.stringify(run.guard.snapshot())))
    expect(restored.stopped).toBe(false)
    expect(restored.snapshot()).toEqual(run.guard.snapshot())
  })
})

describe('calls without turns', () => {
  it.each([
    ['one id', ['call_0']],
    ['two ids in turn', ['call_0', 'call_1']],
    ['no ids', [undefined]],
  ])('are seen with %s', (_, ids) => {
    const run = runOf(createGuard())
    for (let at = 0; at < 12 && !run.stopped; at++) {
      const id = ids[at % ids.length]
      const named = id === undefined ? {} : { id }
      run.decide({ type: 'tool-call', ...named, name: 'read_file', args: { path: 'a' } })
      run.decide({ type: 'tool-result', ...named, output: 'x' })
    }
    expect(run.stopped?.detector).toBe('repeated-call')
  })

  it('are the same call until it is answered', () => {
    const run = runOf(createGuard())
    for (let at = 0; at < 5; at++) run.decide(READ)
    expect(run.guard.events).toBe(1)
    for (let at = 0; at < 5; at++) run.decide({ type: 'tool-result', id: 'a', output: 'x' })
    expect(run.guard.events).toBe(2)
  })
})
