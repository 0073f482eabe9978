import { describe, expect, it } from 'vitest'
import { call, failure, handoff, prompt, result, text, times, turn } from '../test/events.js'
import type { Budget } from './budget.js'
import { defineDetector } from './detector.js'
import { identicalCall } from './detectors/identical-call.js'
import { textWindow } from './detectors/text-window.js'
import { defaultDetectors } from './detectors.js'
import type { AgentEvent } from './event.js'
import type { Finding } from './finding.js'
import { createGuard, type Guard } from './guard.js'
import { createJudge } from './judge/index.js'
import { LoopError } from './loop-error.js'
import { presets } from './presets/index.js'
import type { GuardOptions } from './settings.js'

const again = call('read_file', { path: 'a.ts' })
const plain: GuardOptions = { detectors: [identicalCall(), textWindow()] }

/** The actions that these events led to, by event number. */
function actions(guard: Guard, events: AgentEvent[]): [number, string][] {
  return events.flatMap((event) => {
    const finding = guard.observe(event)
    return finding ? [[finding.lastEvent, finding.action] as [number, string]] : []
  })
}

describe('the ladder', () => {
  it('warns, blocks, then stops as long as the loop continues', () => {
    const guard = createGuard(plain)
    expect(actions(guard, times(8, [again]))).toEqual([
      [4, 'warn'],
      [5, 'block'],
      [6, 'stop'],
      [7, 'stop'],
    ])
    expect(guard.stopped).toBe(true)
  })

  it.each([
    [
      'messages without calls',
      times(8, [
        { type: 'turn-start' },
        text('I will look at the configuration now.'),
        { type: 'turn-end' },
      ]),
    ],
    [
      'handoffs',
      times(8, [
        { type: 'handoff', agent: 'planner', to: 'coder', text: 'Please fix the login test.' },
        { type: 'handoff', agent: 'coder', to: 'planner', text: 'I cannot, please plan it anew.' },
      ]),
    ],
  ] satisfies [string, AgentEvent[]][])(
    'warns, blocks and stops without rounds: %s',
    (_, events) => {
      const found = actions(createGuard(), [prompt(), ...events]).map(([, action]) => action)
      expect(found.slice(0, 3)).toEqual(['warn', 'block', 'stop'])
    },
  )

  it.each([
    [
      'two different calls',
      [call('send_email', { to: 'a' }, '1'), call('send_email', { to: 'b' }, '2')],
    ],
    ['the same call three times', ['1', '2', '3'].map((id) => call('send_email', { to: 'a' }, id))],
    [
      'seven calls',
      Array.from({ length: 7 }, (_, i) => call('send_email', { to: `${i}` }, `${i}`)),
    ],
  ] satisfies [string, AgentEvent[]][])(
    'refuses every call of a round that continues, before it is made: %s',
    (_, calls) => {
      const guard = createGuard()
      const answers = calls.map((each) => result('sent', (each as { id: string }).id))
      const laps = times(12, [turn(), ...calls, ...answers]).map((event) => [
        event.type,
        guard.observe(event)?.action,
      ])
      const size = calls.length + answers.length + 1
      const made = laps.map(([type, action], i) => [type, action, Math.floor(i / size)] as const)
      const warned = made.find(([, action]) => action === 'warn')?.[2] ?? 99
      expect(warned).toBeLessThanOrEqual(4)
      for (const [lap, action] of [
        [warned + 1, 'block'],
        [warned + 2, 'stop'],
      ] as const) {
        const actions = made.filter(([type, , at]) => at === lap && type === 'tool-call')
        expect(actions.map(([, each]) => each)).toEqual(calls.map(() => action))
      }
      // a refusal is one step of the ladder, however many calls it refuses
      expect(guard.findings.map(({ action }) => action).slice(0, 3)).toEqual([
        'warn',
        'block',
        'stop',
      ])
    },
  )

  it('asks if a person is present', () => {
    const guard = createGuard({ ...plain, attended: true })
    expect(actions(guard, times(7, [again])).at(-1)).toEqual([6, 'ask'])
  })

  it('cuts text first, because a model cannot read while it streams', () => {
    const guard = createGuard(plain)
    const chant = times(10, [text('This sentence comes again and again, and never ends')])
    expect(actions(guard, [...chant, turn(), ...chant]).map(([, action]) => action)).toEqual([
      'cut',
      'stop',
    ])
  })

  it('gives every loop its own first step', () => {
    const guard = createGuard(plain)
    const other = call('ls', { path: '.' })
    expect(actions(guard, [...times(6, [again]), ...times(6, [other])])).toEqual([
      [4, 'warn'],
      [5, 'block'],
      [10, 'warn'],
      [11, 'block'],
    ])
  })

  it('knows a loop that comes back after a while', () => {
    const guard = createGuard(plain)
    const found = actions(guard, [...times(5, [again]), call('ls'), ...times(5, [again])])
    expect(found).toEqual([
      [4, 'warn'],
      [10, 'block'],
    ])
    expect(guard.findings.map(({ strike }) => strike)).toEqual([1, 2])
    expect(new Set(guard.findings.map(({ identity }) => identity)).size).toBe(1)
  })

  it('starts over with a new prompt, but not with the same one again', () => {
    const same = prompt('x', { id: '1' })
    const guard = createGuard(plain)
    const found = actions(guard, [
      same,
      ...times(6, [again]),
      same,
      again,
      prompt('y'),
      ...times(5, [again]),
    ])
    expect(found.map(([, action]) => action)).toEqual(['warn', 'block', 'stop', 'warn'])
    expect(guard.stopped).toBe(false)
  })

  it('can be set, for all loops or separately for calls and text', () => {
    expect(actions(createGuard({ ...plain, ladder: ['ask'] }), times(5, [again]))).toEqual([
      [4, 'ask'],
    ])
    const apart = createGuard({ ...plain, ladder: { calls: ['block', 'stop'] } })
    expect(actions(apart, times(6, [again])).map(([, action]) => action)).toEqual(['block', 'stop'])
  })

  it('of a preset stops at once', () => {
    expect(actions(createGuard({ preset: presets['gemini-cli'] }), times(5, [again]))).toEqual([
      [4, 'stop'],
    ])
  })
})

describe('a finding', () => {
  it('says what, since when, how often and what it cost', () => {
    const guard = createGuard(plain)
    const lap = [
      turn(),
      text('Let me look.'),
      again,
      result('x'),
      { type: 'usage', inputTokens: 100, outputTokens: 10 } as const,
    ]
    for (const event of [prompt('do it'), turn(), call('ls'), result('a.ts'), ...times(4, lap)])
      guard.observe(event)
    guard.observe(turn())
    const finding = guard.observe(again)
    expect(finding).toEqual({
      detector: 'identical-call',
      kind: 'identical-calls',
      certainty: 'certain',
      detail: 'read_file was called 5 times in a row with the same arguments',
      advice: expect.stringContaining('exact call'),
      identity: expect.stringMatching(/^identical-call:/),
      count: 5,
      period: 1,
      firstEvent: 6,
      lastEvent: 25,
      sample: 'read_file({"path":"a.ts"})',
      strike: 1,
      action: 'warn',
      wasted: { events: 20, characters: 36, tokens: 440 },
      tool: 'read_file',
    })
  })

  it('shortens its sample and leaves secrets out of it', () => {
    const guard = createGuard(plain)
    const args = {
      token: 'sk-abcdefghijklmnopqrstuvwx',
      to: 'ann@example.org',
      body: 'x'.repeat(5000),
    }
    const finding = times(5, [call('send', args)])
      .map(guard.observe)
      .at(-1)
    expect(finding?.sample.length).toBeLessThanOrEqual(160)
    expect(finding?.sample).toMatch(/^send\(/)
    expect(JSON.stringify(finding)).not.toMatch(/abcdefghij|ann@/)
  })
})

describe('sub-agents', () => {
  const of = (agent: string, events: AgentEvent[]) => events.map((event) => ({ ...event, agent }))

  it('have a state of their own', () => {
    const guard = createGuard(plain)
    expect(actions(guard, times(4, [again, ...of('a', [again]), ...of('b', [again])]))).toEqual([])
    const [finding] = of('a', [again]).map(guard.observe)
    expect(finding).toMatchObject({ agent: 'a', action: 'warn' })
    expect(guard.explain('b')[0]).toMatchObject({ count: 4 })
    expect(guard.explain('nobody')).toEqual([])
  })

  it('are forgotten with the next prompt, or alone with their own', () => {
    const guard = createGuard(plain)
    const four = times(4, [again])
    expect(actions(guard, [...of('a', four), prompt(), ...of('a', four)])).toEqual([])
    expect(actions(guard, [...four, ...of('a', [prompt()]), ...of('a', four), again]).length).toBe(
      1,
    )
  })

  it('of any number need only so much memory', () => {
    const guard = createGuard(plain)
    for (let i = 0; i < 1000; i++) of(`agent ${i}`, [again]).map(guard.observe)
    expect(guard.snapshot().agents.all.length).toBeLessThan(20)
  })
})

describe('explain', () => {
  it('shows the count and the limit of each detector', () => {
    const guard = createGuard({ preset: presets.deepv })
    for (const event of [
      prompt('x', { model: 'flash' }),
      ...times(3, [again]),
      text('ab'.repeat(30)),
    ])
      guard.observe(event)
    expect(guard.explain()).toEqual([
      { detector: 'identical-call', pressure: 2 / 9, count: 3, limit: 10 },
      { detector: 'text-window', pressure: 0.25, count: 6, limit: 20 },
      { detector: 'call-flood', pressure: expect.closeTo(0), count: 3, limit: expect.any(Number) },
    ])
    expect(guard.pressure).toBe(0.25)
  })

  it('has the patience the person asked for with sub-agents too', () => {
    const look = [call('look', {}), result('the same')].map((event) => ({
      ...event,
      agent: 'scout',
    }))
    const found = (request: string) => {
      const guard = createGuard()
      return actions(guard, [{ ...prompt(), text: request } as AgentEvent, ...times(8, look)])
    }
    expect(found('Look at it.')).not.toEqual([])
    expect(found('Please run look eight times.')).toEqual([])
  })

  it('has no early sign of a repeat that it would not report', () => {
    const guard = createGuard()
    guard.observe(prompt())
    for (let lap = 0; lap < 8; lap++) {
      guard.observe(text(`Now file ${lap}.`))
      guard.observe(call('read_file', { path: `src/part-${lap}.ts` }))
      guard.observe(result(`export const part${lap} = '${'abcdefgh'[lap]}'`))
    }
    const near = guard.explain().find(({ detector }) => detector === 'repeated-message')
    expect(near).toMatchObject({ pressure: 1, excuse: expect.any(String) })
    expect(guard.pressure).toBeLessThan(0.5)
  })

  it('changes nothing', () => {
    const guard = createGuard(plain)
    times(4, [again]).map(guard.observe)
    for (let i = 0; i < 10; i++) guard.explain()
    expect(guard.observe(again)).toBeDefined()
  })
})

describe('onFinding', () => {
  it('gets each finding, in either mode, and cannot break the run', () => {
    for (const mode of ['enforce', 'observe'] as const) {
      const told: string[] = []
      const onFinding = ({ action }: Finding) => {
        told.push(action)
        throw new Error('theirs')
      }
      const guard = createGuard({ ...plain, mode, onFinding, onFault: () => {} })
      times(7, [again]).map(guard.observe)
      expect(told).toEqual(['warn', 'block', 'stop'])
      expect(guard.faults.map(({ part }) => part)).toEqual(['onFinding'])
    }
  })
})

describe('a budget', () => {
  const step = (i: number) => [
    turn(),
    call('read', { path: `${i}` }, `${i}`),
    { type: 'usage', inputTokens: 900, cachedTokens: 400, outputTokens: 100 } as const,
    result(`content ${i}: ${'x'.repeat(i)}`),
  ]
  const run = (budget: Budget, steps: number) => {
    const guard = createGuard({ budget })
    const found = Array.from({ length: steps }, (_, i) => step(i))
      .flat()
      .map(guard.observe)
    const told = found.flatMap((finding) => (finding ? `${finding.kind} ${finding.action}` : []))
    return { guard, told, detail: guard.findings.at(-1)?.detail }
  }

  it('of steps: advice with a fifth left, then a refusal, then a stop', () => {
    const { guard, told, detail } = run({ steps: 10 }, 12)
    expect(told).toEqual(['steps warn', 'steps block', 'steps stop'])
    expect(detail).toBe('the budget is used up: 11 of 10 steps')
    expect(guard.stopped).toBe(true)
    guard.observe(prompt('go on'))
    expect(guard.stopped).toBe(false)
    expect(step(99).flatMap((event) => guard.observe(event) ?? [])).toEqual([])
  })

  it('of tokens, and of dollars by the prices given', () => {
    expect(run({ tokens: 10_000 }, 9).told).toEqual(['tokens warn'])
    const prices = { input: 1, cached: 0.1, output: 10 }
    const { told, detail } = run({ dollars: 0.015, prices }, 12)
    expect(told).toEqual(['dollars warn', 'dollars block', 'dollars stop'])
    expect(detail).toBe('the budget is used up: $0.0169 of $0.0150')
  })

  it('of minutes, by the times of the events', () => {
    const guard = createGuard({ budget: { minutes: 10 } })
    const at = (minute: number) => ({ ...turn(), at: 1_000_000 + minute * 60_000 })
    const found = [0, 5, 8, 9, 10, 11].map((minute) => guard.observe(at(minute))?.action)
    expect(found).toEqual([undefined, undefined, 'warn', undefined, 'block', 'stop'])
  })

  it('holds for sub-agents together, and for every call of a round', () => {
    const guard = createGuard({ budget: { steps: 10 } })
    guard.observe(call('ask_helper', {}, 'main'))
    const actions = Array.from({ length: 20 }, (_, i) => [
      call('read', { path: `a${i}` }, `a${i}`),
      call('read', { path: `b${i}` }, `b${i}`),
      { ...result(`content a${i} ${'x'.repeat(i)}`), id: `a${i}` } as AgentEvent,
      { ...result(`content b${i} ${'y'.repeat(i)}`), id: `b${i}` } as AgentEvent,
    ])
      .flat()
      .flatMap((event) => guard.observe({ ...event, agent: 'helper' })?.action ?? [])
    expect(actions.slice(0, 5)).toEqual(['warn', 'block', 'block', 'stop', 'stop'])
  })

  it('does not take the place of a loop, nor a loop its place', () => {
    const guard = createGuard({ budget: { steps: 30 } })
    const found = [
      ...Array.from({ length: 26 }, (_, i) => step(i)).flat(),
      ...times(6, [turn(), call('list', {}), result('the same')]),
    ].flatMap((event) => guard.observe(event) ?? [])
    expect(found.map(({ detector, action }) => `${detector} ${action}`).slice(0, 3)).toEqual([
      'budget warn',
      'repeated-call warn',
      'repeated-call block',
    ])
  })

  it('can be let pass once, also where the last call was never answered', () => {
    const guard = createGuard({ budget: { steps: 3 } })
    const calls = (name: string) =>
      Array.from({ length: 8 }, (_, i) => {
        guard.observe(turn())
        return guard.observe(call('read', { path: `${name}${i}` }, `${name}${i}`))?.action
      })
    expect(calls('a')).toContain('stop')
    guard.continueOnce()
    const [first, ...others] = calls('b')
    expect(first).toBeUndefined()
    expect(others).toContain('stop')
    guard.observe(prompt('Something else'))
    expect(calls('c')[0]).toBeUndefined()
  })

  it('goes on with a snapshot', () => {
    const { guard } = run({ steps: 10 }, 8)
    const again = createGuard({ budget: { steps: 10 } }, guard.snapshot())
    expect(step(8).map((event) => again.observe(event)?.action)).toContain('warn')
  })

  it.each([
    [{ steps: 0 }, 'budget.steps must be a number above 0, got 0'],
    [{ dollars: 1 }, 'budget.dollars needs budget.prices as well, got 1'],
    [{ calls: 1 }, 'budget only takes steps, tokens, dollars, minutes, prices, got "calls"'],
  ])('that cannot be used is refused: %j', (budget, message) => {
    expect(() => createGuard({ budget: budget as Budget })).toThrow(new RangeError(message))
  })
})

describe('modes', () => {
  it('observe: reports what would have happened and stops nothing', () => {
    const guard = createGuard({ ...plain, mode: 'observe' })
    const told = actions(guard, times(8, [again])).map(([, action]) => action)
    expect(told).toEqual(['warn', 'block', 'stop', 'stop'])
    expect(guard.findings.map(({ action }) => action)).toEqual(['warn', 'block', 'stop', 'stop'])
    expect(guard.stopped).toBe(false)
    expect(() => guard.assert()).not.toThrow()
  })

  it('assert: throws a LoopError that carries the finding, once it was stopped', () => {
    const guard = createGuard({ preset: presets['gemini-cli'] })
    times(4, [again]).map(guard.observe)
    expect(() => guard.assert()).not.toThrow()
    guard.observe(again)
    let error: unknown
    try {
      guard.assert()
    } catch (caught) {
      error = caught
    }
    expect(LoopError.is(error)).toBe(true)
    expect((error as LoopError).finding).toBe(guard.findings[0])
    expect(String(error)).toBe(
      'LoopError: read_file was called 5 times in a row with the same arguments (identical-call)',
    )
    expect(LoopError.is(new Error('x'))).toBe(false)
    guard.disable()
    expect(() => guard.assert()).not.toThrow()
  })
})

describe('a detector that throws', () => {
  const broken = defineDetector({
    name: 'broken',
    finds: 'nothing',
    advice: 'none',
    stage: 'trial',
    plane: 'calls',
    on: ['tool-call'],
    options: {},
    start: () => ({}),
    observe() {
      throw new Error('oops')
    },
    pressure: () => ({ pressure: 0, count: 0, limit: 1 }),
  })

  it('is left out and reported, and the others go on', () => {
    const guard = createGuard({ detectors: [broken(), identicalCall()] })
    expect(actions(guard, times(5, [again]))).toEqual([[4, 'warn']])
    expect(guard.faults).toEqual([{ part: 'broken', error: new Error('oops') }])
    expect(guard.explain().map(({ detector }) => detector)).toEqual(['identical-call'])
  })
})

describe('a loop that was reported', () => {
  // what a program answers is worth waiting for, so it is first seen in the answer
  const run = [call('bash', { command: 'make' }), result('built 3 files')]

  it('is refused at the next call, before it is made, and stopped at the one after', () => {
    const guard = createGuard()
    expect(actions(guard, times(6, run))).toEqual([
      [7, 'warn'],
      [9, 'block'],
      [10, 'stop'],
    ])
    // the sixth call was stopped, but it was made and answered all the same
    expect(guard.findings.at(-1)).toMatchObject({
      lastEvent: 11,
      count: 6,
      strike: 3,
      action: 'stop',
    })
  })

  it('says at each call how often it was answered before', () => {
    const guard = createGuard()
    const found = times(8, run).flatMap((event) => guard.observe(event) ?? [])
    expect(found.map(({ count }) => count)).toEqual([4, 5, 5, 6, 7])
    expect(found.at(-1)?.detail).toMatch(/7 times.*continues$/)
    expect(guard.findings.at(-1)?.detail).toMatch(/8 times/)
  })

  it('stays the same finding while it is counted on', () => {
    const guard = createGuard()
    const seen = new Set<Finding>()
    for (const event of times(8, run)) {
      guard.observe(event)
      for (const finding of guard.findings) seen.add(finding)
    }
    expect(seen.size).toBe(guard.findings.length)
  })

  it('is over when something was achieved', () => {
    const guard = createGuard()
    const edit = [call('edit', { path: 'Makefile', text: 'all:' }), result('The file was updated')]
    expect(actions(guard, [...times(5, run), ...edit, ...run])).toEqual([
      [7, 'warn'],
      [9, 'block'],
    ])
  })

  it('is reported once, however many detectors see it', () => {
    const guard = createGuard()
    const lap = [...run, call('read', { path: 'Makefile' }), result('all: build')]
    const found = actions(guard, times(9, lap))
    expect(found.map(([, action]) => action)).toEqual([
      'warn',
      'block',
      ...found.slice(2).map(() => 'stop'),
    ])
    expect(new Set(guard.findings.map(({ identity }) => identity)).size).toBe(1)
  })
})

describe('what somebody else found', () => {
  const verdict = async (firstEvent: number, at: number) => {
    const ask = async () => ({ analysis: 'nothing came of it', confidence: 1 })
    const judge = createJudge({ ask, history: () => [], firstTurn: 1, firstInterval: 1 })
    return { ...((await judge.turnStarted(undefined, at)) as Finding), firstEvent }
  }

  it('climbs the ladder, is listed, and shows its cost', async () => {
    const guard = createGuard()
    actions(guard, [prompt(), call('ls'), result('a'), { type: 'usage', inputTokens: 40 }])
    const found = []
    for (let turn = 0; turn < 3; turn++) {
      guard.observe({ type: 'turn-start' })
      found.push(guard.report(await verdict(1, guard.events)))
    }
    expect(found.map((finding) => finding?.action)).toEqual(['warn', 'block', 'stop'])
    expect(found[2]).toMatchObject({ detector: 'judge', firstEvent: 1, lastEvent: 7, strike: 3 })
    expect(found[2]?.wasted).toMatchObject({ events: 7, tokens: 40 })
    expect(guard.findings).toEqual(found)
    expect(guard.stopped).toBe(true)
  })

  it('can be ignored once, undone, and switched off', async () => {
    const guard = createGuard({ ladder: { calls: ['stop'] } })
    actions(guard, [prompt(), call('ls'), result('a'), call('cat'), result('b')])
    guard.report(await verdict(3, guard.events))
    guard.continueOnce()
    guard.observe({ type: 'turn-start' })
    expect(guard.report(await verdict(3, guard.events))).toBeUndefined()
    guard.observe({ type: 'turn-start' })
    expect(guard.report(await verdict(3, guard.events))).toMatchObject({ action: 'stop' })
    expect(guard.goBack()).toBe(3)
    expect(guard.stopped).toBe(false)
    expect(guard.disabled).toBe(false)
    guard.disable()
    expect(guard.disabled).toBe(true)
    expect(guard.report(await verdict(3, guard.events))).toBeUndefined()
    expect(guard.faults).toEqual([])
  })

  it('does no harm where it makes no sense', () => {
    const guard = createGuard(plain)
    expect(guard.report({} as Finding)).toBeUndefined()
    expect(guard.report(undefined as unknown as Finding)).toBeUndefined()
    expect(guard.faults).toHaveLength(2)
    expect(actions(guard, times(5, [again]))).toEqual([[4, 'warn']])
  })
})

describe('the person can choose', () => {
  const stuck = (more: GuardOptions = {}) => {
    const guard = createGuard({ ...plain, attended: true, ...more })
    actions(guard, [call('ls'), result('a'), ...times(7, [again])])
    expect(guard.stopped).toBe(true)
    return guard
  }

  it('to continue once: the next report is ignored, the one after asks again', () => {
    const guard = stuck()
    guard.continueOnce()
    expect(guard.stopped).toBe(false)
    expect(guard.observe(again)).toBeUndefined()
    expect(guard.observe(again)).toMatchObject({ action: 'ask' })
  })

  it('to continue once: the next question has the count and the cost of all that came since', () => {
    const lap: AgentEvent[] = [
      ...[call('bash', { command: 'make' }), result('built 3 files')],
      { type: 'usage', inputTokens: 100 },
    ]
    const guard = createGuard({ attended: true })
    const asked = times(40, lap).flatMap((event) => {
      const finding = guard.observe(event)
      if (finding?.action !== 'ask') return []
      guard.continueOnce()
      return [finding]
    })
    expect(asked.length).toBeGreaterThan(3)
    for (const [index, finding] of asked.entries()) {
      const before = asked[index - 1]
      if (!before) continue
      expect(finding.count).toBeGreaterThan(before.count)
      expect(finding.wasted.tokens).toBeGreaterThan(before.wasted.tokens ?? 0)
      expect(finding.detail).toContain(`${finding.count} times`)
    }
  })

  it('to allow the tool so many times, or always, for this session', () => {
    const guard = stuck()
    guard.allow('read_file', 10)
    expect(actions(guard, times(3, [again]))).toEqual([[11, 'ask']])
    guard.allow('read_file')
    const resumed = createGuard({ ...plain, attended: true }, guard.snapshot())
    expect(actions(resumed, times(50, [again]))).toEqual([])
    expect(() => guard.allow('x', 0)).toThrow(/at least 1.*got 0$/)
  })

  it('to send a hint: the model gets it with the advice, and the loop its first step again', () => {
    const guard = stuck()
    expect(guard.hint('The file is empty.')).toMatch(/exact call.*\nThe file is empty\.$/s)
    expect(guard.stopped).toBe(false)
    expect(guard.observe(again)).toMatchObject({ action: 'warn' })
  })

  it('to go back: the history is cut where the loop began, and so is what the guard knows', () => {
    const guard = stuck()
    expect(guard.goBack()).toBe(2)
    expect(guard.stopped).toBe(false)
    expect(actions(guard, times(4, [again]))).toEqual([])
    expect(guard.observe(again)).toMatchObject({ action: 'warn' })
  })

  it.each([
    ['calls', times(20, [turn(), call('look', { at: 1 }), result('a')])],
    [
      'a flood',
      [turn(), ...Array.from({ length: 300 }, (_, i) => call('look', { at: i }, `${i}`))],
    ],
    ['chants', times(3, [turn(), text('I will check it now. '.repeat(60)), { type: 'turn-end' }])],
    [
      'handoffs',
      times(10, [handoff('a', 'b', 'Please do it.'), handoff('b', 'a', 'Please do it.')]),
    ],
  ] satisfies [string, AgentEvent[]][])(
    'to go back to where the loop began, not to its last report: %s',
    (_, loop) => {
      const guard = createGuard({ attended: true })
      const before = [
        prompt('Do it.'),
        turn(),
        text('I begin with a look at the plan.'),
        call('plan'),
        result('x y z'),
      ]
      const first = before.length + (loop[0]?.type === 'turn-start' ? 1 : 0)
      for (const event of [...before, ...loop]) guard.observe(event)
      expect(guard.findings.length).toBeGreaterThan(1)
      const at = guard.goBack()
      expect([first, first - 1]).toContain(at)
    },
  )

  it('to go back: what was said until then has not been said', () => {
    const guard = createGuard()
    const promise = [turn(), text('I will look into it at once.'), { type: 'turn-end' } as const]
    expect(actions(guard, times(3, promise))).toEqual([[8, 'warn']])
    guard.goBack()
    expect(actions(guard, times(2, promise))).toEqual([])
    expect(actions(guard, promise)).toEqual([[17, 'warn']])
  })

  it('to stop, or to hear no more of it', () => {
    const guard = stuck()
    guard.stop()
    expect(guard.stopped).toBe(true)
    guard.disable()
    expect(guard.stopped).toBe(false)
    expect(actions(guard, times(9, [again]))).toEqual([])
  })

  it('before anything was found', () => {
    const guard = createGuard()
    guard.continueOnce()
    expect(guard.hint('Go on.')).toBe('Go on.')
    expect(guard.goBack()).toBe(0)
  })
})

describe('what is known of tools', () => {
  const poll = (name: string) => times(6, [call(name, { job: 1 }), result('state 3')])

  it('can be described: what they do, which arguments matter, how often they may repeat', () => {
    expect(actions(createGuard(), poll('job')).length).toBeGreaterThan(0)
    for (const tool of [{ effect: 'waits' }, { allow: 10 }, { allow: 'always' }] as const) {
      expect(actions(createGuard({ tools: { job: tool } }), poll('job'))).toEqual([])
    }
    const noisy = times(5, (lap) => [
      call('ask', { q: 'x', mood: lap }),
      result('no such thing here'),
    ])
    expect(actions(createGuard({ tools: { ask: { ignore: ['mood'] } } }), noisy)[0]).toEqual([
      4,
      'warn',
    ])
  })

  it('can be described by their annotations', () => {
    const tools = { job: { annotations: { readOnlyHint: false } } }
    const changing = times(5, (lap) => [
      call('job', { job: 1 }),
      result(`saved\nrows follow\nrun ${lap}`),
    ])
    expect(actions(createGuard({ tools }), changing)[0]).toEqual([6, 'warn'])
    expect(actions(createGuard(), changing)).toEqual([])
  })
})

describe('bad options are refused, naming the option and what was given:', () => {
  const steps = "must be a list of warn, block, cut, ask, stop that ends with 'ask' or 'stop'"
  const cases: [unknown, string][] = [
    [null, 'options must be an object with settings, got null'],
    [
      { presets: 'x' },
      'options only takes preset, detectors, tools, ladder, attended, mode, budget, onFinding, onFault, got "presets"',
    ],
    [
      { preset: 'gemini-cli' },
      'preset must come from unloop/presets, such as presets[\'gemini-cli\'], got "gemini-cli"',
    ],
    [{ attended: 1 }, 'attended must be true or false, got 1'],
    [{ mode: 'off' }, 'mode must be one of enforce, observe, got "off"'],
    [
      { detectors: 'all' },
      'detectors must be a list of detectors, or settings by detector name, got "all"',
    ],
    [{ detectors: [{}] }, 'detectors[0] must be a detector, such as failing(), got an object'],
    [
      { detectors: { 'repeated-call': { limit: 0 } } },
      'repeated-call.limit must be a whole number of at least 1, got 0',
    ],
    [
      { detectors: { 'repeated-call': { limit: 2.5 } } },
      'repeated-call.limit must be a whole number of at least 1, got 2.5',
    ],
    [
      { detectors: { 'repeated-call': { limit: '5' } } },
      'repeated-call.limit must be a whole number of at least 1, got "5"',
    ],
    [{ detectors: { paging: { limits: 5 } } }, 'paging only takes limit, got "limits"'],
    [{ detectors: { 'repeated-call': 5 } }, 'repeated-call must be an object with settings, got 5'],
    [
      { detectors: { 'call-flood': { readTools: 'ls' } } },
      'call-flood.readTools must be a list of names, got "ls"',
    ],
    [{ detectors: { 'call-flood': { models: 1 } } }, 'call-flood.models must be text, got 1'],
    [
      { tools: { a: { effect: 'eats' } } },
      'tools.a.effect must be one of reads, changes, waits, moves, unknown, got "eats"',
    ],
    [
      { tools: { a: { allow: 0 } } },
      "tools.a.allow must be a whole number of at least 1 or 'always', got 0",
    ],
    [{ tools: { a: { ignore: 'x' } } }, 'tools.a.ignore must be a list of names, got "x"'],
    [
      { tools: { a: { never: true } } },
      'tools.a only takes effect, annotations, ignore, identify, allow, got "never"',
    ],
    [{ tools: [] }, 'tools must be settings by tool name, got a list'],
    [{ ladder: [] }, `ladder ${steps}, got a list`],
    [{ ladder: ['warn'] }, `ladder ${steps}, got a list`],
    [{ ladder: { calls: ['shout'] } }, `ladder.calls ${steps}, got a list`],
    [{ ladder: { thoughts: ['stop'] } }, 'ladder only takes calls, text, got "thoughts"'],
  ]
  it.each(cases)('%j', (options, message) => {
    expect(() => createGuard(options as GuardOptions)).toThrow(new RangeError(message))
  })

  it('a detector nobody knows', () => {
    expect(() => createGuard({ detectors: { nobody: true } })).toThrow(
      /^detectors must be one of .*repeated-call.*, got "nobody"$/,
    )
  })
})

describe('what goes wrong around a guard', () => {
  const loop = times(8, [call('read_file', { path: 'a' }), result('x')])
  const names = (guard: Guard) => guard.explain().map(({ detector }) => detector)
  const silent = { onFault: () => {} }

  it('is reported once each, and no code of a thrown value is run', () => {
    const told: unknown[] = []
    const guard = createGuard({ onFault: ({ part }) => told.push(part) })
    const thrown = Object.assign(() => {}, {
      toString() {
        throw new Error('ran')
      },
    })
    for (const error of [thrown, thrown, new Error('a'), new Error('a'), null, 'text']) {
      guard.addFault('part', error)
    }
    expect(told).toEqual(['part', 'part', 'part', 'part'])
  })

  it('does not drop a detector: a full stack, another event meanwhile', () => {
    const deep: Guard = createGuard(silent)
    deep.observe(prompt())
    const before = names(deep)
    const recurse = (): void => {
      deep.observe({ type: 'tool-call', name: 'a', args: { b: [1, 2, { c: 3 }] } })
      deep.observe({ type: 'tool-result', output: 'x' })
      recurse()
    }
    expect(recurse).toThrow(RangeError)
    deep.observe(prompt())
    expect(actions(deep, loop).length).toBeGreaterThan(0)
    expect(names(deep)).toEqual(before)

    const nosy = defineDetector({
      ...identicalCall(),
      name: 'nosy',
      observe: () => {
        guard.observe(call('again'))
        return undefined
      },
    })
    const guard = createGuard({ ...silent, detectors: [...defaultDetectors(), nosy()] })
    expect(
      actions(guard, loop)
        .map(([, action]) => action)
        .slice(0, 3),
    ).toEqual(['warn', 'block', 'stop'])
    expect(names(guard)).toHaveLength(before.length + 1)
  })

  it('is left to the detector that reports nonsense', () => {
    const broken = defineDetector({
      ...identicalCall(),
      name: 'broken',
      observe: () => ({ plane: 'nowhere' }) as never,
    })
    const guard = createGuard({ ...silent, detectors: [broken(), ...defaultDetectors()] })
    expect(
      actions(guard, loop)
        .map(([, action]) => action)
        .slice(0, 3),
    ).toEqual(['warn', 'block', 'stop'])
    expect(guard.skipped).toBe(0)
  })

  it('does not come of arguments that are changed later', () => {
    const guard = createGuard()
    const args = { path: 'a' }
    guard.observe(call('frob', args))
    Object.defineProperty(args, 'path', {
      enumerable: true,
      get() {
        throw new Error('late')
      },
    })
    expect(() => guard.snapshot()).not.toThrow()
    expect(actions(guard, loop).length).toBeGreaterThan(0)
    expect(guard.faults).toEqual([])
  })

  it('is not a retry, which excuses one repeat and no more', () => {
    const guard = createGuard()
    const events = times(12, (lap) => [
      turn(),
      call('bash', { command: 'pytest -q' }),
      result('1 failed\nline two of it\nand a third'),
      ...(lap === 1 ? [{ type: 'retry' } as const] : []),
    ])
    expect(actions(guard, events).some(([, action]) => action === 'stop')).toBe(true)
  })

  it('is not a ladder with nothing on it', () => {
    const ladder = { calls: undefined, text: undefined } as never
    expect(actions(createGuard({ ladder }), loop)[0]).toEqual(actions(createGuard(), loop)[0])
  })
})

describe('what is only likely', () => {
  /** Reports whatever its call says. */
  const oracle = defineDetector({
    name: 'oracle',
    finds: 'what it is told',
    advice: 'Think again.',
    stage: 'trial',
    plane: 'calls',
    on: ['tool-call'],
    options: {},
    start: () => ({ since: 0 }),
    observe: (_state, event, { number }) => {
      if (event.type !== 'tool-call' || event.name === 'work') return
      const { certainty, loop } = event.args as { certainty: 'likely' | 'certain'; loop: string }
      const named = { kind: 'told', certainty, detail: 'as told', identity: loop }
      return { ...named, count: 3, period: 1, firstEvent: number, sample: loop }
    },
    pressure: () => ({ pressure: 0, count: 0, limit: 1 }),
  })
  const likely = call('tell', { certainty: 'likely', loop: 'a' })
  const certain = call('tell', { certainty: 'certain', loop: 'a' })
  const told = (options: GuardOptions, events: AgentEvent[]) => {
    const guard = createGuard({ ...options, detectors: [oracle()] })
    const found = events.map((event) => guard.observe(event))
    return {
      guard,
      told: found.map((finding) => finding && `${finding.certainty} ${finding.action}`),
    }
  }

  it('leads to advice once, and never further', () => {
    const { told: found, guard } = told({}, times(30, [likely]))
    expect(found).toEqual(['likely warn', ...Array(29).fill(undefined)])
    expect(guard.stopped).toBe(false)
  })

  it('is the first step of a loop that turns out to be certain', () => {
    const { told: found } = told({}, [likely, likely, certain, certain])
    expect(found).toEqual(['likely warn', undefined, 'certain block', 'certain stop'])
  })

  it('is advice whatever the ladder says', () => {
    expect(told({ ladder: ['stop'] }, [likely, certain]).told).toEqual([
      'likely warn',
      'certain stop',
    ])
  })

  it('does not climb down from what was certain', () => {
    expect(told({}, [certain, likely, certain, likely, certain]).told).toEqual([
      'certain warn',
      undefined,
      'certain block',
      undefined,
      'certain stop',
    ])
  })

  it('has advice of its own for each loop', () => {
    const other = call('tell', { certainty: 'likely', loop: 'b' })
    expect(told({}, [likely, other, likely]).told).toEqual([
      'likely warn',
      'likely warn',
      undefined,
    ])
  })

  it('gives way to what is certain about the same event', () => {
    const also = defineDetector({
      ...{ name: 'also', finds: 'the same', advice: 'Stop.', stage: 'trial', plane: 'calls' },
      on: ['tool-call'],
      options: {},
      start: () => ({}),
      observe: (_state, _event, { number }) => ({
        ...{ kind: 'sure', detail: 'sure', identity: 'x', count: 3, period: 1 },
        ...{ firstEvent: number, sample: '' },
      }),
      pressure: () => ({ pressure: 0, count: 0, limit: 1 }),
    })
    const guard = createGuard({ detectors: [oracle(), also()] })
    expect(guard.observe(likely)).toMatchObject({ detector: 'also', certainty: 'certain' })
    expect(guard.findings).toHaveLength(1)
  })
})

describe('a person who allows one tool of a round', () => {
  const rounds = times(8, [
    turn(),
    call('read_file', { path: 'a' }, '1'),
    call('grep', { q: 'b' }, '2'),
    result('x', '1'),
    result('y', '2'),
  ])
  const refused = (tool: string) => {
    const guard = createGuard()
    guard.allow(tool)
    return rounds.flatMap((event) => {
      const finding = guard.observe(event)
      return finding && finding.action !== 'warn' && event.type === 'tool-call' ? [event.name] : []
    })
  }

  it('has allowed that one, and no other', () => {
    expect(new Set(refused('grep'))).toEqual(new Set(['read_file']))
    expect(new Set(refused('read_file'))).toEqual(new Set(['grep']))
  })
})

describe('a snapshot', () => {
  it.each([
    ['a text', '{}', 'must be the object that guard.snapshot() returned, got "{}"'],
    ['null', null, 'must be the object that guard.snapshot() returned, got null'],
    ['another version', { unloop: 4 }, 'must have version 5 in its field unloop, got 4'],
    ['half of one', { unloop: 5, events: 3 }, 'must be what guard.snapshot() returned, unchanged'],
    [
      'a broken one',
      { ...createGuard().snapshot(), agents: { all: [{}] } },
      'must be what guard.snapshot() returned, unchanged',
    ],
  ])('that is %s is refused with the reason', (_name, snapshot, message) => {
    expect(() => createGuard({}, snapshot as never)).toThrow(RangeError)
    expect(() => createGuard({}, snapshot as never)).toThrow(message)
  })

  it('shares nothing with the guard it came from', () => {
    const guard = createGuard(plain)
    times(4, [again, failure('x')]).map(guard.observe)
    const snapshot = guard.snapshot()
    const before = JSON.stringify(snapshot)
    const other = createGuard(plain, snapshot)
    times(4, [again]).map(guard.observe)
    times(4, [again]).map(other.observe)
    expect(JSON.stringify(snapshot)).toBe(before)
  })

  it('can be loaded by a guard with other detectors', () => {
    const guard = createGuard(plain)
    times(4, [again]).map(guard.observe)
    const other = createGuard({ preset: presets.deepv }, guard.snapshot())
    expect(other.explain()[0]).toMatchObject({ detector: 'identical-call', count: 4, limit: 10 })
  })
})
